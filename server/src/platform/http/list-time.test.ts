import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import { openDatabase, type Queryable } from '../postgres/database.ts';
import { readInTime } from './list-time.ts';

const sleeping = (seconds: number) => (queryable: Queryable) =>
  queryable.query<{ done: boolean }>({ text: 'SELECT true AS done FROM pg_sleep($1)' }, [seconds]);
const refusal = { code: 'VALIDATION_ERROR', param: 'created_gte' };
const earlier = ['status', 'customer_id', 'created_gte'];

test('refuses a page that few objects match, and says how to find them', async (context) => {
  const { url } = await freshDatabase(context);
  const database = openDatabase({
    url,
    log: silentLog,
    maxConnections: 2,
    statementTimeoutMs: 2_000,
  });
  context.after(() => database.close());
  const read = (query: object, seconds: number) =>
    readInTime(database, query, earlier, sleeping(seconds));

  const found = [{ done: true }];
  const asBefore = { limit: 20, starting_after: 'pi_1', status: ['FAILED'], customer_id: 'c' };
  assert.deepEqual(await read(asBefore, 1.2), found);
  assert.deepEqual(await read({ limit: 20, created_lt: '…', ending_before: 'pi_1' }, 1.2), found);
  for (const more of [
    { created_lt: '2026-11-29T00:00:00Z' },
    { status: ['FAILED', 'DEBITED'] },
    { operator_phone: '+2389912345' },
  ]) {
    const query = { ...asBefore, ...more };
    assert.deepEqual(await read(query, 0), found);
    await assert.rejects(read(query, 10), refusal, Object.keys(more).join());
  }
  await assert.rejects(read(asBefore, 10), refusal, 'longer than any statement');
  // Nothing that the client could leave out makes this page slow.
  await assert.rejects(read({ limit: 20 }, 10), { code: '57014' });
});
