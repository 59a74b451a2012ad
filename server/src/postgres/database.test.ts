import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUp } from '../../test/support/cleanup.ts';
import { silentLog, testDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { Line } from '../../test/support/line.ts';
import { openDatabase } from './database.ts';
import { isTransient } from './transient.ts';

test('a connection that breaks within a transaction fails the transaction, not the process', async (context) => {
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

test('whatever a transaction asks of a broken connection may be tried again', async (context) => {
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

test('a connection that breaks while it is handed from one to the next does not end the process', async (context) => {
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
  // The answer to the first and the end of the connection come together.
  line.stall(false);
  await assert.rejects(next, isTransient);
  assert.equal((await first).length, 1);
});
