import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { runOnServer, silentLog, testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { Line } from '../../../test/support/line.ts';
import { openDatabase } from './database.ts';
import { isTransient } from './transient-errors.ts';

test('fails the transaction, not the process, when a connection breaks within it', async (context) => {
  const { database } = await testDatabase(context);
  const work = database.transaction(async (transaction) => {
    const pidText = 'SELECT pg_backend_pid() AS pid';
    const [row] = await transaction.query<{ pid: number }>({ text: pidText });
    await database.query({ text: 'SELECT pg_terminate_backend($1, 5000)' }, [row?.pid]);
    await transaction.query({ text: 'SELECT 1' });
  });
  await assert.rejects(work);
  assert.equal((await database.query({ text: 'SELECT 1' })).length, 1);
});

test('reports each query on a broken connection as transient', async (context) => {
  const { database } = await testDatabase(context);
  const work = database.transaction(async (transaction) => {
    const pidText = 'SELECT pg_backend_pid() AS pid';
    const [row] = await transaction.query<{ pid: number }>({ text: pidText });
    await database.query({ text: 'SELECT pg_terminate_backend($1, 5000)' }, [row?.pid]);
    await assert.rejects(transaction.query({ text: 'SELECT 1' }), isTransient);
    await transaction.query({ text: 'SELECT 1' });
  });
  await assert.rejects(work, isTransient);
});

test('survives a connection that breaks between two users', async (context) => {
  const { url, database } = await testDatabase(context);
  const line = await Line.open(url);
  const narrow = openDatabase({ url: line.url, log: silentLog, maxConnections: 1 });
  cleanUp(context, async () => {
    await narrow.close();
    line.close();
  });
  const [session] = await narrow.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
  const becomes = (state: string) =>
    eventually(`the session is ${state}`, async () => {
      const text =
        'SELECT coalesce(wait_event, state) AS state FROM pg_stat_activity WHERE pid = $1';
      const [row] = await database.query<{ state: string }>({ text }, [session!.pid]);
      return row?.state === state;
    });
  const lock = 'SELECT pg_advisory_xact_lock(1)';
  let first: Promise<unknown[]> = Promise.resolve([]);
  await database.transaction(async (transaction) => {
    await transaction.query({ text: lock });
    first = narrow.query({ text: lock });
    await becomes('advisory');
    line.stall(true);
  });
  const next = narrow.transaction((transaction) => transaction.query({ text: 'SELECT 1' }));
  await becomes('ClientRead');
  await database.query({ text: 'SELECT pg_terminate_backend($1, 5000)' }, [session!.pid]);
  // The answer to the first query and the end of the connection arrive together.
  line.stall(false);
  await assert.rejects(next, isTransient);
  assert.equal((await first).length, 1);
});

test('discards a connection that takes no writes, in a transaction or alone', async (context) => {
  const { url, database } = await testDatabase(context);
  await database.query({ text: 'CREATE TABLE notes (note text)' });
  const narrow = openDatabase({ url, log: silentLog, maxConnections: 1 });
  cleanUp(context, () => narrow.close());
  const write = { text: `INSERT INTO notes VALUES ('x')` };
  const readOnly = { text: 'SET default_transaction_read_only = on' };
  await narrow.query(readOnly);
  await assert.rejects(
    narrow.transaction((transaction) => transaction.query(write)),
    isTransient,
  );
  await narrow.query(write);
  await narrow.query(readOnly);
  await assert.rejects(narrow.query(write), { code: '25006' });
  await narrow.query(write);
});

test('sends nothing more in a transaction after a query that hangs', async (context) => {
  const { url } = await testDatabase(context);
  const line = await Line.open(url);
  const hasty = { statementTimeoutMs: 1, connectTimeoutMs: 30_000 };
  const narrow = openDatabase({ url: line.url, log: silentLog, maxConnections: 1, ...hasty });
  cleanUp(context, async () => {
    await narrow.close();
    line.close();
  });
  const asked: string[] = [];
  await assert.rejects(
    narrow.transaction(async (transaction) => {
      const query = Reflect.get(pg.Client.prototype, 'query') as (...given: never) => unknown;
      context.mock.method(
        pg.Client.prototype,
        'query',
        function (this: pg.Client, ...given: never) {
          asked.push(JSON.stringify(given));
          return Reflect.apply(query, this, given);
        },
      );
      line.stall(true);
      await transaction.query({ text: 'SELECT 1' });
    }),
    /timeout/,
  );
  assert.deepEqual(
    asked.filter((text) => text.includes('ROLLBACK')),
    [],
  );
});

test('keeps to its own isolation and strings, whatever the database is set to', async (context) => {
  const { url, database } = await testDatabase(context);
  for (const setting of [
    "default_transaction_isolation = 'serializable'",
    'standard_conforming_strings = off',
  ])
    await runOnServer(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`);
  await database.query({ text: 'CREATE TABLE counts AS SELECT 0 AS count' });
  const own = openDatabase({ url, log: silentLog, maxConnections: 2 });
  cleanUp(context, () => own.close());
  const pending: Promise<void>[] = [];
  const add = { text: 'UPDATE counts SET count = count + 1' };
  await own.transaction(async (transaction) => {
    await transaction.query(add);
    const other = own.transaction(async (second) => {
      await second.query({ text: 'SELECT count FROM counts' });
      await second.query(add);
    });
    await eventually('the second waits', async () => {
      const text = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query = $1`;
      return (await database.query({ text }, [add.text])).length === 1;
    });
    pending.push(other);
  });
  await Promise.all(pending);
  const read = { text: `SELECT count, '\\d' AS text FROM counts` };
  assert.deepEqual(await own.query(read), [{ count: 2, text: '\\d' }]);
});

test('reads instants to the millisecond, and rounds none', async (context) => {
  const { database } = await testDatabase(context);
  const instants = [
    '2026-11-21 07:52:45.123456+00',
    '2026-02-28 23:59:59.999999+00',
    '2024-02-29 00:00:00+00',
    '1999-12-31 23:59:59.5+00',
    '2026-11-21 07:52:45.01+00',
    '1969-07-20 20:17:40.007+00',
    '0099-01-01 00:00:00+00',
    '9999-12-31 23:59:59.999+00',
  ];
  const rows = await database.query<{ at: number }>(
    { text: 'SELECT each AS at FROM unnest($1::timestamptz[]) AS each' },
    [instants],
  );
  const expected = instants.map((text) => Date.parse(text.replace(' ', 'T').replace('+00', 'Z')));
  assert.deepEqual(
    rows.map(({ at }) => at),
    expected,
  );
  const [never] = await database.query<{ at: number }>({
    text: `SELECT 'infinity'::timestamptz AS at`,
  });
  assert.ok(Number.isNaN(never!.at));
});
