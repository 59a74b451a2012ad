/** A merchant that has moved: what is still in hand in its old cell is the new cell's, and is done there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimDueCallbacks } from '../../src/money/callbacks/store.ts';
import type { Payment } from '../../src/money/payments/payment.ts';
import { isMoving } from '../../src/platform/postgres/transient-errors.ts';
import { movingTables } from '../../src/tenants/cells/tables.ts';
import { type Harness, leaseMs, openHarness } from './harness.ts';
import { success, unreachable } from './scripted.ts';

const completed = {
  transactionReference: 'OP-1',
  transactionStatus: 'completed',
  amount: '100.00',
  currency: 'CVE',
};

/** Its rows are removed, as at the end of a move. */
async function leave({ database, tenantId }: Harness): Promise<void> {
  const text = 'SELECT merchant_id AS "merchantId" FROM tenants WHERE id = $1';
  const [row] = await database.query<{ merchantId: string }>({ text }, [tenantId]);
  for (const { name, owner } of [...movingTables].reverse()) {
    await database.query({ text: `GRANT DELETE ON ${name} TO CURRENT_USER` });
    const id = owner.of === 'TENANT' ? tenantId : row!.merchantId;
    await database.query({ text: `DELETE FROM ${name} WHERE ${owner.column} = $1` }, [id]);
  }
}

async function nothingIsLeft({ database }: Harness): Promise<void> {
  for (const table of [
    'payments',
    'reversals',
    'postings',
    'operator_transactions',
    'outgoing_transactions',
    'review_items',
  ]) {
    assert.deepEqual(await database.query({ text: `SELECT * FROM ${table}` }), [], table);
  }
}

async function claimedCallback(harness: Harness) {
  await harness.callBack('DEBIT', await harness.sent(), completed);
  const { database, nowMs } = harness;
  return (await claimDueCallbacks(database, nowMs, nowMs + leaseMs, 1))[0]!;
}

test('a callback that waited in memory while its merchant left asks nobody and books nothing', async (context) => {
  const harness = await openHarness(context);
  const callback = await claimedCallback(harness);
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await leave(harness);
  await harness.useCases.handle(callback);
  assert.equal(harness.operator.count('queryDebit'), 0);
  await nothingIsLeft(harness);
});

test('a callback of a reference that our records lack books nothing where its merchant leaves meanwhile', async (context) => {
  const harness = await openHarness(context);
  const callback = await claimedCallback(harness);
  await harness.database.query({ text: 'DELETE FROM payments' });
  harness.operator.onQueryDebit = async () => {
    await leave(harness);
    return success('OP-1', 10_000n);
  };
  await assert.rejects(harness.useCases.handle(callback), isMoving);
  assert.equal(harness.operator.count('queryDebit'), 1);
  await nothingIsLeft(harness);
});

test('a callback to the old cell is refused, so that the operator sends it again', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  await leave(harness);
  await assert.rejects(harness.callBack('DEBIT', payment, completed), isMoving);
});

const ended: Record<string, (harness: Harness, payment: Payment) => Promise<unknown>> = {
  CANCELLED: (harness, payment) => harness.cancel(payment),
  EXPIRED: (harness) => harness.workFor(36_000_000),
};

for (const [status, end] of Object.entries(ended)) {
  test(`a late debit of one that is ${status}, heard of after its merchant left, is given back by the new cell alone`, async (context) => {
    const harness = await openHarness(context);
    harness.operator.onRequestDebit = () => unreachable;
    const payment = await harness.sent();
    await end(harness, payment);
    assert.equal((await harness.payment(payment)).status, status);
    harness.operator.onQueryDebit = async () => {
      await leave(harness);
      return success('OP-1', 10_000n);
    };
    await assert.rejects(harness.workFor(86_400_000), isMoving);
    await nothingIsLeft(harness);
  });
}

test('a payment in memory whose merchant has left is not sent', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.create({ dueAtMs: harness.nowMs + leaseMs });
  await leave(harness);
  await harness.useCases.processor.process(payment, 'MEMORY');
  assert.deepEqual(harness.operator.heard, []);
});
