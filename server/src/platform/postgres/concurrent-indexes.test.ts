import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../../test/support/eventually.ts';
import { create, query, setUp } from '../../../test/support/migrations.ts';

const header = '-- Oldest program: 0.1.0\n-- Concurrently\n';
const index = `${header}-- Whatever it is for.\nCREATE UNIQUE INDEX CONCURRENTLY account_id ON account (id);`;
const files = { '0001-create.sql': create };
const validText = `SELECT c.oid::int AS oid, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relname = 'account_id'`;

async function session(t: TestContext, url: string, options = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options });
  client.on('error', () => {});
  await client.connect();
  t.after(() => client.end());
  return client;
}

/** A table with uncommitted writes of another transaction. */
async function tableWritten(t: TestContext) {
  const world = await setUp(t, files);
  await world.run();
  await world.write('0002-index.sql', index);
  const writer = await session(t, world.url);
  await writer.query('BEGIN');
  await writer.query('INSERT INTO account VALUES (1)');
  const waiting = () =>
    eventually('the index waits for the transaction', async () => {
      const rows = await query(
        world.url,
        'SELECT FROM pg_stat_progress_create_index WHERE current_locker_pid > 0',
      );
      return rows.length > 0;
    });
  return { ...world, writer, waiting };
}

test('creates an index during concurrent writes, and reports what it waits for', async (t) => {
  const { url, run, writer, waiting } = await tableWritten(t);
  const told: string[] = [];
  const running = run({ report: (words) => void told.push(words), progressIntervalMs: 20 });
  await waiting();
  const requests = await session(t, url, '-c statement_timeout=5s');
  await requests.query('INSERT INTO account VALUES (2)');
  const { rows } = await writer.query('SELECT pg_backend_pid() AS pid');
  const words = `^Creating the index account_id: .*, for the transaction of process ${rows[0].pid} to end`;
  await eventually('it says so', () => told.some((line) => new RegExp(words).test(line)));
  await writer.query('COMMIT');
  assert.deepEqual(await running, { applied: ['0002-index.sql'] });
  assert.equal((await query(url, validText))[0]!.valid, true);
  assert.deepEqual(await run(), { applied: [] });
});

test('does not report a process that waits for the index as blocking it', async (t) => {
  const { run, writer, waiting } = await tableWritten(t);
  const first = run();
  await waiting();
  const told: string[] = [];
  const second = run({ report: (words) => void told.push(words) });
  await eventually('it waits', () => told.length > 0);
  await writer.query('COMMIT');
  assert.deepEqual(await first, { applied: ['0002-index.sql'] });
  assert.deepEqual(await second, { applied: [] });
});

test('removes the remains of a failed index in the next run', async (t) => {
  const { url, write, run } = await setUp(t, files);
  await run();
  await query(url, 'INSERT INTO account VALUES (1), (1)');
  await write('0002-index.sql', index);
  await assert.rejects(run(), {
    name: 'StartError',
    message: /0002-index\.sql failed: could not create unique index/,
    hint: /next start removes its remains/,
  });
  const [left] = await query(url, validText);
  assert.equal(left!.valid, false);
  await query(url, 'DELETE FROM account');
  assert.deepEqual(await run(), { applied: ['0002-index.sql'] });
  const [made] = await query(url, validText);
  assert.equal(made!.valid, true);
  assert.notEqual(made!.oid, left!.oid);
});

test('resumes a cancelled run', async (t) => {
  const { url, write, run, writer, waiting } = await tableWritten(t);
  await write(
    '0002-index.sql',
    `${index}\nCREATE INDEX CONCURRENTLY account_again ON account (id);`,
  );
  const running = run();
  // Without a handler, its rejection would be unhandled.
  running.catch(() => {});
  await waiting();
  // Other tests have databases on the same server.
  const mine = 'pg_stat_progress_create_index WHERE datname = current_database()';
  await query(url, `SELECT pg_cancel_backend(pid) FROM ${mine}`);
  await assert.rejects(running, { name: 'StartError', message: /canceling statement/ });
  await writer.query('COMMIT');
  assert.equal((await query(url, validText))[0]!.valid, false);
  assert.deepEqual(await run(), { applied: ['0002-index.sql'] });
});

test('keeps an index that was created but not recorded', async (t) => {
  const { url, write, run } = await setUp(t, files);
  await run();
  await write('0002-index.sql', index);
  await run();
  const before = await query(url, validText);
  await query(url, 'DELETE FROM schema_migrations WHERE number = 2');
  assert.deepEqual(await run(), { applied: ['0002-index.sql'] });
  assert.deepEqual(await query(url, validText), before);
});

test('drops an index during concurrent writes, and accepts a missing one', async (t) => {
  const { url, write, run } = await setUp(t, files);
  await write('0002-index.sql', index);
  await run();
  await write('0003-drop.sql', `${header}DROP INDEX CONCURRENTLY account_id;`);
  assert.deepEqual(await run(), { applied: ['0003-drop.sql'] });
  assert.deepEqual(await query(url, validText), []);
  await query(url, 'DELETE FROM schema_migrations WHERE number = 3');
  assert.deepEqual(await run(), { applied: ['0003-drop.sql'] });
});

for (const [what, sql, message] of [
  ['another statement', `${index} INSERT INTO account VALUES (1);`, /two forms.*INSERT/],
  ['an index that locks', `${header}CREATE INDEX account_id ON account (id);`, /two forms/],
  [
    'a kind in the third line',
    '-- Oldest program: 0.1.0\n-- It adds.\n-- Contract\n',
    /second line/,
  ],
  ['a kind in other words', '-- Oldest program: 0.1.0\n-- Contracts\n', /second line/],
] as const) {
  test(`refuses ${what} before applying anything`, async (t) => {
    const { url, run } = await setUp(t, { ...files, '0002-wrong.sql': sql });
    await assert.rejects(run(), { name: 'StartError', message });
    assert.deepEqual(await query(url, `SELECT to_regclass('account') AS account`), [
      { account: null },
    ]);
  });
}
