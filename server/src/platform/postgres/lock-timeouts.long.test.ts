import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../../test/support/eventually.ts';
import { create, query, setUp } from '../../../test/support/migrations.ts';
import { lockMigrations } from './migrations.ts';

const alter = 'ALTER TABLE account ADD name text;';
/** The statement timeout of a gateway. */
const statementLimit = 'statement_timeout=5s';
const hasty = { lockMs: 50, intervalsMs: [10, 10] };

async function session(t: TestContext, url: string, options = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options });
  client.on('error', () => {});
  await client.connect();
  t.after(() => client.end());
  return client;
}

/** A table, and another session's transaction that has read it. */
async function tableInUse(t: TestContext) {
  const world = await setUp(t, { '0001-create.sql': create });
  await world.run();
  const holder = await session(t, world.url, '-c application_name=report');
  await holder.query('BEGIN');
  await holder.query('SELECT FROM account');
  const waiting = () =>
    eventually('it waits for a lock', async () => {
      const rows = await query(
        world.url,
        `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE NOT granted AND datname = current_database() AND application_name = 'zimbo migrate'`,
      );
      return rows.length > 0;
    });
  return { ...world, holder, waiting };
}

test('lets requests through while a migration waits for a long transaction, then finishes', async (t) => {
  const { url, write, run, holder, waiting } = await tableInUse(t);
  await write('0002-name.sql', alter);
  const requests = await session(t, url, `-c ${statementLimit}`);
  const told: string[] = [];
  const migrating = run({ report: (words) => void told.push(words) });
  for (const tries of [1, 2]) {
    await waiting();
    await requests.query('SELECT FROM account');
    await eventually('it gave way', () => told.length >= tries);
  }
  await holder.query('COMMIT');
  assert.deepEqual(await migrating, { applied: ['0002-name.sql'] });
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  const words = `^The migration 0002-name\\.sql waits for the transaction of process ${rows[0].pid} \\(report, idle in transaction, \\d+ s old\\), which holds account\\. Next try in \\d+ s\\.$`;
  for (const line of told) assert.match(line, new RegExp(words));
  assert.deepEqual(await query(url, 'SELECT name FROM account'), []);
});

test('gives up after too many tries with instructions, and leaves nothing behind', async (t) => {
  const { url, write, run, holder } = await tableInUse(t);
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  await write('0002-name.sql', `CREATE TABLE another (id int); ${alter}`);
  const told: string[] = [];
  const report = (words: string) => void told.push(words);
  await assert.rejects(run({ lockTimeouts: hasty, report }), {
    name: 'StartError',
    message:
      /^The migration 0002-name\.sql gave up, and left nothing behind: it still waits for .*account/,
    hint: new RegExp(`SELECT pg_terminate_backend\\(${rows[0].pid}\\)`),
  });
  assert.equal(told.length, hasty.intervalsMs.length);
  assert.deepEqual(await query(url, `SELECT to_regclass('another') AS another`), [
    { another: null },
  ]);
  await holder.query('COMMIT');
  assert.deepEqual(await run(), { applied: ['0002-name.sql'] });
});

test('gives way in a deadlock, too', async (t) => {
  const { write, run, holder, waiting } = await tableInUse(t);
  await write('0002-other.sql', 'CREATE TABLE other (id int);');
  await run();
  await write('0003-both.sql', `ALTER TABLE other ADD name text; ${alter}`);
  const migrating = run();
  await waiting();
  await holder.query('SELECT FROM other');
  await holder.query('COMMIT');
  assert.deepEqual(await migrating, { applied: ['0003-both.sql'] });
});

test('does not wait, for example for a backup, if the database is up to date', async (t) => {
  const { run, write, holder } = await tableInUse(t);
  await holder.query('LOCK TABLE schema_migrations IN ACCESS SHARE MODE');
  assert.deepEqual(await run({ lockTimeouts: hasty }), { applied: [] });
  // Nor does a purely additive migration.
  await write('0002-other.sql', 'CREATE TABLE other ();');
  assert.deepEqual(await run({ lockTimeouts: hasty }), { applied: ['0002-other.sql'] });
});

test('reports waiting for another process’s migration, and waits without a limit', async (t) => {
  const { url, run } = await setUp(t, { '0001-create.sql': create });
  const other = await session(t, url);
  await lockMigrations(other);
  const told: string[] = [];
  const migrating = run({ lockTimeouts: hasty, report: (words) => void told.push(words) });
  await eventually('it says so', () => told.length > 0);
  assert.match(told[0]!, /^Another process is migrating this database/);
  await other.end();
  assert.deepEqual(await migrating, { applied: ['0001-create.sql'] });
});
