import type { Payment } from '../../src/money/payments/payment.ts';

const createdAtMs = Date.parse('2026-11-21T09:30:00.123Z');

/** A new payment of 100 CVE as stored, five minutes before its expiry. */
export function examplePayment(change: Partial<Payment> = {}): Payment {
  return {
    tenantId: '0a1b2c3d-0000-7000-8000-000000000001',
    id: '019aa5d4-e0fb-7000-8000-000000000002',
    version: 1,
    status: 'CREATED',
    amountMinor: 10_000n,
    feeMinor: 200n,
    currency: 'CVE',
    operator: 'MOCK',
    operatorPhone: '+2389912345',
    operatorTxId: null,
    failureCode: null,
    failureMessage: null,
    externalId: null,
    customerId: null,
    description: null,
    statementDescriptor: null,
    metadata: null,
    checkoutSessionId: null,
    idempotencyKey: null,
    requestHash: null,
    rendering: 2,
    queryCount: 0,
    dueAtMs: createdAtMs,
    sentAtMs: null,
    byHand: false,
    mismatched: false,
    createdByKey: null,
    expiresAtMs: createdAtMs + 300_000,
    createdAtMs,
    updatedAtMs: createdAtMs,
    ...change,
  };
}
