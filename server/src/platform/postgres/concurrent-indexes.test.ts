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

/** A table into which a transaction of somebody else has written, which does not end. */
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

test('an index is made while others write, and says what it waits for', async (t) => {
  const { url, run, writer, waiting } = await tableWritten(t);
  const told: string[] = [];
  const running = run({ tell: (words) => void told.push(words), progressIntervalMs: 20 });
  await waiting();
  const requests = await session(t, url, '-c statement_timeout=5s');
  await requests.query('INSERT INTO account VALUES (2)');
  const { rows } = await writer.query('SELECT pg_backend_pid() AS pid');
  const words = `^Making the index account_id: .*, for the transaction of process ${rows[0].pid} to end`;
  await eventually('it says so', () => told.some((line) => new RegExp(words).test(line)));
  await writer.query('COMMIT');
  assert.deepEqual(await running, { applied: ['0002-index.sql'] });
  assert.equal((await query(url, validText))[0]!.valid, true);
  assert.deepEqual(await run(), { applied: [] });
});

test('who waits for a process that makes an index is not what that index waits for', async (t) => {
  const { run, writer, waiting } = await tableWritten(t);
  const first = run();
  await waiting();
  const told: string[] = [];
  const second = run({ tell: (words) => void told.push(words) });
  await eventually('it waits', () => told.length > 0);
  await writer.query('COMMIT');
  assert.deepEqual(await first, { applied: ['0002-index.sql'] });
  assert.deepEqual(await second, { applied: [] });
});

test('what a failure leaves of an index is removed by the next run', async (t) => {
  const { url, write, run } = await setUp(t, files);
  await run();
  await query(url, 'INSERT INTO account VALUES (1), (1)');
  await write('0002-index.sql', index);
  await assert.rejects(run(), {
    name: 'StartError',
    message: /0002-index\.sql failed: could not create unique index/,
    hint: /next start removes what is left/,
  });
  const [left] = await query(url, validText);
  assert.equal(left!.valid, false);
  await query(url, 'DELETE FROM account');
  assert.deepEqual(await run(), { applied: ['0002-index.sql'] });
  const [made] = await query(url, validText);
  assert.equal(made!.valid, true);
  assert.notEqual(made!.oid, left!.oid);
});

test('a run that was cancelled on its way is gone on with', async (t) => {
  const { url, write, run, writer, waiting } = await tableWritten(t);
  await write(
    '0002-index.sql',
    `${index}\nCREATE INDEX CONCURRENTLY account_again ON account (id);`,
  );
  const running = run();
  // One that is not looked at yet is no unhandled rejection.
  running.catch(() => {});
  await waiting();
  await query(url, 'SELECT pg_cancel_backend(pid) FROM pg_stat_progress_create_index');
  await assert.rejects(running, { name: 'StartError', message: /canceling statement/ });
  await writer.query('COMMIT');
  assert.equal((await query(url, validText))[0]!.valid, false);
  assert.deepEqual(await run(), { applied: ['0002-index.sql'] });
});

test('an index that was made, but not recorded, stays as it is', async (t) => {
  const { url, write, run } = await setUp(t, files);
  await run();
  await write('0002-index.sql', index);
  await run();
  const before = await query(url, validText);
  await query(url, 'DELETE FROM schema_migrations WHERE number = 2');
  assert.deepEqual(await run(), { applied: ['0002-index.sql'] });
  assert.deepEqual(await query(url, validText), before);
});

test('an index is dropped while others write, and one that is gone already is no fault', async (t) => {
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
  ['another statement', `${index} INSERT INTO account VALUES (1);`, /two forms only.*INSERT/],
  ['an index that locks', `${header}CREATE INDEX account_id ON account (id);`, /two forms only/],
  [
    'a kind in the third line',
    '-- Oldest program: 0.1.0\n-- It adds.\n-- Contract\n',
    /second line/,
  ],
  ['a kind in other words', '-- Oldest program: 0.1.0\n-- Contracts\n', /second line/],
] as const) {
  test(`${what} is refused before anything is applied`, async (t) => {
    const { url, run } = await setUp(t, { ...files, '0002-wrong.sql': sql });
    await assert.rejects(run(), { name: 'StartError', message });
    assert.deepEqual(await query(url, `SELECT to_regclass('account') AS account`), [
      { account: null },
    ]);
  });
}
