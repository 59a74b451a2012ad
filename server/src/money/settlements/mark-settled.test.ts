import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, testGateway } from '../../../test/support/gateway.ts';
import { parseId } from '../../platform/values/ids.ts';
import { checkLedger } from '../ledger/check.ts';

test('marks payments settled at once after a deadlock, not only after the lease', async (context) => {
  // Longer than the test waits for a condition.
  const timing = { settlementLeaseMs: 600_000 };
  const { api, database } = await testGateway(context, { timing });
  const order = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
  const ids: string[] = [];
  for (let count = 0; count < 2; count++) {
    ids.push((await api('POST', '/v1/payments', order)).body.id);
  }
  const reach = (status: string) =>
    eventually(`both are ${status}`, async () => {
      const { data } = (await api('GET', `/v1/payments?status=${status}`)).body;
      return data.length === ids.length;
    });
  await reach('DEBITED');

  const [first, second] = ids.map((id) => parseId('pi', id));
  const lock = { text: 'SELECT id FROM payments WHERE id = $1 FOR UPDATE' };
  await database.transaction(async (transaction) => {
    await transaction.query(lock, [second]);
    assert.equal((await api('POST', '/v1/settlements/process', {})).status, 200);
    await eventually('the settlement has locked the first and waits for the second', async () => {
      const text = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await database.query({ text })).length === 1;
    });
    // The transaction that waits longer gives way: the settlement, unless this machine has slept a second.
    await transaction.query(lock, [first]).catch((error: { code: string }) => {
      assert.equal(error.code, '40P01');
    });
  });
  await reach('SETTLED');
  assert.deepEqual(await checkLedger(database), []);
});
