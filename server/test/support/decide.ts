import assert from 'node:assert/strict';
import type { OperatorAnswer, OperatorTraits } from '../../src/integrations/operators/operator.ts';
import { requestLengthMs } from '../../src/integrations/operators/query-schedule.ts';
import { type Decision, decide, type PaymentTiming } from '../../src/money/payments/decide.ts';
import type { Payment, PaymentStatus } from '../../src/money/payments/payment.ts';
import { examplePayment } from './payment.ts';

export const timing: PaymentTiming = {
  operatorTimeoutMs: 10_000,
  expiryGraceMs: 60_000,
  firstBackoffMs: 5_000,
  maxBackoffMs: 3_600_000,
  watchMs: 3 * 86_400_000,
};
/** Most operators: they answer queries, and nobody has promised that they deduplicate. */
export const asked = { deduplicates: false, answersQueries: true };
export const deduplicating = { ...asked, deduplicates: true };
export const silent = { ...asked, answersQueries: false };

export const sentAtMs = Date.parse('2026-11-21T09:30:00.000Z');
export const expiresAtMs = sentAtMs + 300_000;
export const graceEndMs = expiresAtMs + timing.expiryGraceMs;
/** When a request sent at `sentAtMs` counts as finished. */
export const overMs = sentAtMs + requestLengthMs(timing) + 1;
export const watchEndMs = sentAtMs + timing.watchMs;

export const tx = 'OP-1';
export const succeeded: OperatorAnswer = {
  kind: 'succeeded',
  operatorTxId: tx,
  amountMinor: 10_000n,
};
export const anotherTx: OperatorAnswer = { ...succeeded, operatorTxId: 'OP-2' };
export const wrongAmount: OperatorAnswer = { ...succeeded, amountMinor: 9_999n };
export const failed: OperatorAnswer = { kind: 'failed', failureCode: 'INSUFFICIENT_FUNDS' };
export const timedOut: OperatorAnswer = { kind: 'failed', failureCode: 'CONFIRMATION_TIMEOUT' };
export const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
export const prompted: OperatorAnswer = { kind: 'unknown', progress: 'PROMPTED' };
export const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
export const unreachable: OperatorAnswer = { kind: 'unknown', progress: 'UNREACHABLE' };
export const notSent: OperatorAnswer = { kind: 'unknown', progress: 'NOT_SENT' };

export const expired = { to: 'EXPIRED', failureCode: 'CONFIRMATION_TIMEOUT' } as const;
export const debited: Decision = { to: 'DEBITED', operatorTxId: tx, dueAtMs: null };
export const lateDebit = { reason: 'LATE_DEBIT', operatorTxId: tx, amountMinor: 10_000n } as const;
export const wrongDebit = {
  reason: 'WRONG_AMOUNT',
  operatorTxId: tx,
  amountMinor: 9_999n,
} as const;

export interface Row {
  given: PaymentStatus;
  answer: OperatorAnswer;
  atMs?: number;
  change?: Partial<Payment>;
  traits?: Pick<OperatorTraits, 'deduplicates' | 'answersQueries'>;
  decision: Decision;
}

/** Each row: a payment's status (sent unless CREATED), an answer at an instant, and the decision. */
export function check(rows: Row[]): void {
  for (const row of rows) {
    const { given, answer, atMs = sentAtMs + 60_000, change, traits = asked, decision } = row;
    const neverSent = given === 'CREATED';
    const payment = examplePayment({
      status: given,
      sentAtMs: neverSent ? null : sentAtMs,
      dueAtMs: sentAtMs + 15_000,
      expiresAtMs,
      ...change,
    });
    const seen = structuredClone(payment);
    const told = `${given}, ${JSON.stringify({ ...answer, amountMinor: undefined })}, at +${atMs - sentAtMs} ms`;
    assert.deepEqual(decide(payment, answer, atMs, timing, traits), decision, told);
    assert.deepEqual(payment, seen, 'the payment itself is unchanged');
  }
}
