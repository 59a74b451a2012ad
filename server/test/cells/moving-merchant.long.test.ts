import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { apiOf, reach, testGateway, testKey, zimboOf } from '../support/gateway.ts';
import { checkWrites } from '../support/two-cells.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

test('while writes of a merchant have stopped, it is asked to come again, and others notice nothing', async (context) => {
  const { database, databaseUrl, url, key, zimbo, api } = await testGateway(context);
  const other = zimboOf(url, await testKey(database));
  const { id } = await zimbo.payments.create(payment);
  await reach(zimbo.payments, id, 'DEBITED');
  const tenants = `
SELECT t.merchant_id AS "merchantId", array_agg(t.id) AS "tenantIds" FROM tenants t
WHERE t.merchant_id = (SELECT s.merchant_id FROM tenants s JOIN payments p ON p.tenant_id = s.id) GROUP BY 1`;
  const [owner] = await database.query<{ merchantId: string; tenantIds: string[] }>({
    text: tenants,
  });
  const moveId = randomUUID();
  await checkWrites({ url: databaseUrl, database }, owner!, moveId);
  const mark = `
INSERT INTO moving_merchants (merchant_id, move_id, state, stopped_until)
VALUES ($1, $2, 'STOPPED', now() + interval '1 minute')`;
  await database.query({ text: mark }, [owner!.merchantId, moveId]);

  // Both are in the same batches.
  const both = Array.from({ length: 20 }, () =>
    Promise.all([api('POST', '/v1/payments', payment), other.payments.create(payment)]),
  );
  const answers = await Promise.all(both);
  for (const [{ status, body, headers }] of answers) {
    assert.equal(status, 500);
    assert.equal(headers.get('retry-after'), '1');
    const { requestId: _, ...error } = body.error;
    assert.deepEqual(error, {
      code: 'UNAVAILABLE',
      message: 'This merchant is being moved to another database: send the request again.',
    });
  }
  for (const [, made] of answers) await reach(other.payments, made.id, 'DEBITED');
  // What only reads is served.
  assert.equal((await zimbo.payments.get(id)).status, 'DEBITED');
  const changed = await apiOf(url, key)('POST', '/v1/refunds', { paymentIntentId: id });
  assert.equal(changed.body.error.code, 'UNAVAILABLE');

  await database.query({ text: 'DELETE FROM moving_merchants' });
  const again = await zimbo.payments.create(payment);
  await reach(zimbo.payments, again.id, 'DEBITED');
});
