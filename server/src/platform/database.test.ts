import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { isTransient } from './database.ts';

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
