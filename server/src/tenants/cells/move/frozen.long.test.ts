import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { testDatabase } from '../../../../test/support/database.ts';
import { givingWay } from '../../../platform/postgres/lock-timeouts.ts';
import { changeMark } from './marks.ts';

test('a process that is frozen while it changes a mark keeps others waiting for seconds at most', async (context) => {
  const { database } = await testDatabase(context);
  const merchantId = randomUUID();
  const awake = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const frozen = changeMark(database, merchantId, async (transaction) => {
    begun.resolve();
    await awake.promise;
    await transaction.query({ text: 'SELECT 1' });
  });
  const ended = frozen.catch(() => 'refused');
  await begun.promise;
  try {
    assert.equal(await changeMark(database, merchantId, async () => 'changed'), 'changed');
  } finally {
    awake.resolve();
    assert.equal(await ended, 'refused');
  }
});

test('a process that is frozen while it changes a table does not keep the table', async (context) => {
  const { url, database } = await testDatabase(context);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  context.after(() => client.end());
  const awake = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const change = async () => {
    await client.query('LOCK TABLE payments IN ACCESS EXCLUSIVE MODE');
    begun.resolve();
    await awake.promise;
    await client.query('SELECT 1');
  };
  const ended = givingWay(client, 'The change', change, {}).catch(() => 'refused');
  await begun.promise;
  try {
    assert.deepEqual(await database.query({ text: 'SELECT id FROM payments' }), []);
  } finally {
    awake.resolve();
    assert.equal(await ended, 'refused');
  }
});
