import type { Refund } from '../../src/money/refunds/refund.ts';

const createdAtMs = Date.parse('2026-11-21T09:30:00.123Z');

/** A new refund of 40 CVE as stored. */
export function exampleRefund(change: Partial<Refund> = {}): Refund {
  return {
    tenantId: '0a1b2c3d-0000-7000-8000-000000000001',
    id: '019aa5d4-e0fb-7000-8000-000000000003',
    paymentId: '019aa5d4-e0fb-7000-8000-000000000002',
    externalId: null,
    checkoutSessionId: null,
    version: 1,
    status: 'PENDING',
    amountMinor: 4_000n,
    currency: 'CVE',
    operator: 'MOCK',
    operatorTxId: 'OP-1',
    operatorRefundId: null,
    reason: null,
    failureCode: null,
    failureMessage: null,
    metadata: null,
    idempotencyKey: null,
    requestHash: null,
    queryCount: 0,
    dueAtMs: createdAtMs,
    sentAtMs: null,
    byHand: false,
    createdByKey: null,
    rendering: 1,
    createdAtMs,
    updatedAtMs: createdAtMs,
    ...change,
  };
}
