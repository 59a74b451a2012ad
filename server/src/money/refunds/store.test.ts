import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { exampleRefund } from '../../../test/support/refund.ts';
import { newEvent } from '../../integrations/events/event.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { insertRefunds } from './creation-store.ts';
import { claimDueRefunds, takeRefund } from './lease-store.ts';
import type { Refund } from './refund.ts';
import { findRefund, listRefunds, transitionRefunds } from './store.ts';

const count = 20;
const ids = randomIds();

interface Debited {
  tenantId: string;
  id: string;
  operatorTxId: string;
  takenMinor: number;
}

/** A debited payment of 100 CVE, partly reserved by refunds. */
async function insertPayment(
  database: Database,
  { tenantId, id, operatorTxId, takenMinor }: Debited,
): Promise<void> {
  const text = `INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
      operator_phone, operator_tx_id, external_id, checkout_session_id, ask_count, refund_reserved_minor,
      expires_at, created_at, updated_at)
    VALUES ($1, $2, 1, 'DEBITED', 10000, 200, 'CVE', 'MOCK', '+2389912345', $3, $4, $2, 0, $5, now(), now(), now())`;
  await database.query({ text }, [tenantId, id, operatorTxId, `order ${id}`, takenMinor]);
}

/** A refund of such a payment. */
const refundOf = (tenantId: string, paymentId: string, change: Partial<Refund>) =>
  exampleRefund({
    tenantId,
    paymentId,
    externalId: `order ${paymentId}`,
    checkoutSessionId: paymentId,
    ...change,
  });

/** Payments, and a refund of each, all written in the opposite order of the payments' ids. */
async function refundsInReverse(database: Database): Promise<Refund[]> {
  const tenantId = randomUUID();
  const refunds: Refund[] = [];
  for (let index = 0; index < count; index++) {
    const [paymentId, id] = [ids.next(2_000_000 - index), ids.next(2_000_000 + index)];
    const taken = { operatorTxId: 'OP-1', takenMinor: 4_000 };
    await insertPayment(database, { tenantId, id: paymentId, ...taken });
    await database.query(
      {
        text: `INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency,
            operator, operator_tx_id, ask_count, due_at, created_at, updated_at)
          VALUES ($1, $2, $3, 1, 'PROCESSING', 4000, 'CVE', 'MOCK', 'OP-1', 0, now(), now(), now())`,
      },
      [tenantId, id, paymentId],
    );
    refunds.unshift(refundOf(tenantId, paymentId, { id, status: 'PROCESSING' }));
  }
  return refunds;
}

const success = (seen: Refund) => ({
  seen,
  next: { ...seen, status: 'SUCCEEDED' as const, version: 2, dueAtMs: null },
  refundedMinor: seen.amountMinor,
  releasedMinor: 0n,
  lateMinor: 0n,
});

for (const plan of ['enable_nestloop', 'enable_hashjoin']) {
  test(`locks payments of a batch of refunds in the order of their ids, planned without ${plan}`, async (context) => {
    const { database } = await testDatabase(context);
    const refunds = await refundsInReverse(database);
    const free = `SELECT id FROM payments WHERE tenant_id = $1 FOR UPDATE SKIP LOCKED`;
    const values = [refunds[0]!.tenantId];
    let batch: Promise<unknown> | undefined;
    await database.transaction(async (transaction) => {
      const first = `SELECT id FROM payments WHERE tenant_id = $1 ORDER BY id LIMIT 1 FOR UPDATE`;
      await transaction.query({ text: first }, values);
      batch = database.transaction(async (other) => {
        await other.query({ text: `SET LOCAL ${plan} = off` });
        await transitionRefunds(other, refunds.map(success), Date.now());
      });
      await eventually('the batch waits for the first', async () => {
        const text = `SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return (await database.query({ text })).length === 1;
      });
      assert.equal((await database.query({ text: free }, values)).length, count - 1);
    });
    await batch;
    const text = `SELECT id FROM payments WHERE status = 'PARTIALLY_REFUNDED'`;
    assert.equal((await database.query({ text })).length, count);
  });
}

test('stores a refund unchanged', async (context) => {
  const { database } = await testDatabase(context);
  const text = { reason: 'devolução', metadata: '{"b":1,"a":2}', idempotencyKey: 'k' };
  const made = { requestHash: Buffer.from([3, 0, 255]), createdByKey: randomUUID(), rendering: 2 };
  const refund = refundOf(randomUUID(), ids.next(0), { ...text, ...made });
  const { tenantId, id, paymentId, operatorTxId, createdAtMs } = refund;
  await insertPayment(database, { tenantId, id: paymentId, operatorTxId, takenMinor: 0 });
  const about = { tenantId, id: randomUUID(), objectId: id, sequence: 1, createdAtMs };
  const event = newEvent({ ...about, type: 'refund.created' }, '{}');
  const seen = { status: 'DEBITED', takenMinor: 0n } as const;
  const row = { refund, json: '{}', event, seen, dayLimitMinor: null };
  await insertRefunds(database, [row], createdAtMs);
  assert.deepEqual(await findRefund(database, tenantId, id), refund);
});

test("shows the order of a refund's own payment, however the refund is read", async (context) => {
  const { database } = await testDatabase(context);
  const refunds = await refundsInReverse(database);
  const { tenantId, id } = refunds[0]!;
  // A payment of another tenant with the same id has another order.
  const theirs = { tenantId: randomUUID(), operatorTxId: 'OP-1', takenMinor: 0 };
  await insertPayment(database, { ...theirs, id: refunds[0]!.paymentId });
  await database.query({ text: `UPDATE payments SET external_id = NULL WHERE tenant_id = $1` }, [
    theirs.tenantId,
  ]);
  const nowMs = Date.now() + 1_000;
  const orders = (read: readonly Refund[]) =>
    new Map(read.map((each) => [each.id, [each.externalId, each.checkoutSessionId]]));
  const expected = orders(refunds);
  assert.deepEqual(orders(await listRefunds(database, tenantId, {}, { limit: 99 })), expected);
  assert.deepEqual(orders(await claimDueRefunds(database, nowMs, nowMs + 1, 99)), expected);
  const taken = await takeRefund(database, { tenantId, id, nowMs: nowMs + 2, leaseMs: nowMs + 3 });
  assert.deepEqual(taken!.row.externalId, refunds[0]!.externalId);
});
