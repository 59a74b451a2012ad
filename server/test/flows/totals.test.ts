import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { foldTotals } from '../../src/money/totals/fold.ts';
import { readTotals } from '../../src/money/totals/read.ts';
import { reach, type TestGateway, testGateway } from '../support/gateway.ts';

const okPhone = '+2389912345';
const poorPhone = '+2389912049';

/** One payment of each outcome, one of the debits refunded in part. */
async function trade({ zimbo }: TestGateway): Promise<void> {
  const create = (operatorPhone: string, amount: number) =>
    zimbo.payments.create({ amount, operator: 'MOCK', operatorPhone });
  const debited = [await create(okPhone, 10_000), await create(okPhone, 2_500)];
  for (const { id } of debited) await reach(zimbo.payments, id, 'DEBITED');
  const failed = await create(poorPhone, 700);
  await reach(zimbo.payments, failed.id, 'FAILED');
  const cancelled = await create('+2389912159', 900);
  await zimbo.payments.cancel(cancelled.id);
  const refund = await zimbo.refunds.create({ paymentIntentId: debited[0]!.id, amount: 4_000 });
  await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
}

async function totalsOf({ database }: TestGateway) {
  const [tenant] = await database.query<{ id: string }>({
    text: `SELECT tenant_id AS id FROM payments LIMIT 1`,
  });
  const timeZone = 'Atlantic/Cape_Verde';
  const nowMs = Date.now();
  return readTotals(database, { tenantId: tenant!.id, days: 7, timeZone, nowMs });
}

test('adds up payments, failures, reasons and refunds at once, folded or not', async (context) => {
  const gateway = await testGateway(context);
  await trade(gateway);
  const totals = await totalsOf(gateway);
  const [cve, ...others] = totals.currencies;
  assert.deepEqual(others, []);
  const { medianConfirmMs, ...current } = cve!.current;
  const sums = {
    volumeMinor: 12_500n,
    feeMinor: 250n,
    succeeded: 2,
    failed: 1,
    expired: 0,
    cancelled: 1,
    refundedMinor: 4_000n,
    refunds: 1,
  };
  assert.deepEqual(current, { ...sums, successRate: 2 / 3 });
  assert.ok(medianConfirmMs! > 0 && medianConfirmMs! < 60_000);
  assert.deepEqual(cve!.byOperator, [{ operator: 'MOCK', ...sums }]);
  assert.deepEqual(cve!.failures, [{ failureCode: 'INSUFFICIENT_FUNDS', count: 1 }]);
  await foldTotals(gateway.database, 2);
  assert.deepEqual((await totalsOf(gateway)).currencies, totals.currencies);
  await foldTotals(gateway.database, 100);
  assert.deepEqual((await totalsOf(gateway)).currencies, totals.currencies);
  assert.deepEqual(await checkLedger(gateway.database), []);
});

test('notices a lost and a doubled delta in the check of the ledger', async (context) => {
  const gateway = await testGateway(context);
  await trade(gateway);
  const faults = [
    'INSERT INTO payment_total_deltas SELECT * FROM payment_totals LIMIT 1',
    'DELETE FROM payment_total_deltas',
  ];
  await foldTotals(gateway.database, 100);
  for (const text of faults) {
    await gateway.database.query({ text });
    const checks = (await checkLedger(gateway.database)).map(({ check }) => check);
    const expected = text.startsWith('INSERT') ? ['totals'] : [];
    assert.deepEqual([...new Set(checks)], expected, text);
  }
  await gateway.database.query({ text: `DELETE FROM payment_totals WHERE outcome = 'SUCCEEDED'` });
  const lost = await checkLedger(gateway.database);
  assert.ok(lost.length > 0 && lost.every(({ check }) => check === 'totals'));
});
