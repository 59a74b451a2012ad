import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { ReviewItem, ReviewKind } from '../../money/review/review-item.ts';
import { formatId } from '../../platform/values/ids.ts';
import { sidesOf } from './describe-case.ts';

const nowMs = Date.parse('2026-11-21T09:30:00Z');
const paymentId = randomUUID();

function sides(kind: ReviewKind, detail: Record<string, unknown>) {
  const about = { tenantId: randomUUID(), subjectKind: 'PAYMENT', operator: 'CVMOVEL' } as const;
  const item: ReviewItem = {
    ...about,
    id: randomUUID(),
    kind,
    subjectId: paymentId,
    detail,
    createdAtMs: nowMs,
    closedAtMs: null,
    closedBy: null,
    reason: null,
  };
  const waiting = {
    ...about,
    kind,
    item,
    mode: 'live',
    subjectId: paymentId,
    sinceMs: nowMs,
  } as const;
  const { ledger, operator } = sidesOf(waiting, nowMs);
  return [ledger, operator];
}

test('describes a contradiction in words, whatever found it', () => {
  const booked = { status: 'DEBITED', operatorTxId: 'TX-1', amountMinor: '1520', byHand: true };
  assert.deepEqual(
    sides('CONTRADICTION', { booked, told: { kind: 'failed', failureCode: 'PAYER_DECLINED' } }),
    ['DEBITED, 15.20, TX-1, entered by a person', 'failed (PAYER_DECLINED)'],
  );
  const ofRefund = {
    status: 'SUCCEEDED',
    operatorRefundId: 'TX-2',
    amountMinor: '500',
    byHand: false,
  };
  assert.deepEqual(
    sides('CONTRADICTION', { booked: ofRefund, told: { failureCode: 'OPERATOR_REJECTED' } }),
    ['SUCCEEDED, 5.00, TX-2', 'failed (OPERATOR_REJECTED)'],
  );
  const outcome = {
    outcome: 'SUCCEEDED',
    transactions: [{ operatorTxId: 'TX-1', amountMinor: '1520' }],
  };
  const error = { errorCategory: 'businessRule', errorCode: 'insufficientFunds' };
  assert.deepEqual(sides('CONTRADICTION', { booked: outcome, told: error, by: 'callback' }), [
    'SUCCEEDED, 15.20, TX-1',
    'businessRule/insufficientFunds, by callback',
  ]);
  assert.deepEqual(sides('CONTRADICTION', { booked: 'nothing', told: 'what?' }), [
    'nothing under this reference',
    '"what?"',
  ]);
});

test('names the object that a clashing transaction is booked for, also for clashes of a migration', () => {
  const other = randomUUID();
  const told = { operatorTxId: 'TX-1', amountMinor: '1520' };
  assert.deepEqual(sides('CLASH', { booked: { kind: 'REVERSAL', paymentId: other }, told }), [
    `booked as a debit of payment ${formatId('pi', other)} that goes back`,
    'succeeded, 15.20, TX-1',
  ]);
  const found = {
    operatorTxId: 'TX-1',
    bookedAs: 'DEBIT',
    bookedFor: paymentId,
    told: { as: 'REVERSAL' },
  };
  assert.deepEqual(sides('CLASH', found), [
    'booked as the debit of this payment',
    'succeeded, TX-1',
  ]);
});

test('shortens a long answer of an operator, and shows an answer of unknown shape as it is', () => {
  const long = 'x'.repeat(10_000);
  const callback = {
    transactionReference: long,
    transactionStatus: long,
    amount: long,
    currency: long,
  };
  for (const told of [
    callback,
    { errorCategory: long, errorCode: long },
    { [long]: long },
    [long],
    long,
  ]) {
    const [, operator] = sides('CONTRADICTION', { booked: 'nothing', told, by: 'callback' });
    assert.ok(operator!.length > 100 && operator!.length < 700, String(operator!.length));
  }
  assert.deepEqual(sides('CONTRADICTION', {}), ['nothing under this reference', '{}']);
  assert.deepEqual(sides('UNCLEAR', { status: 'CANCELLED', lastAnswer: 'NOT_FOUND' }), [
    'nothing under this reference',
    'it does not know the reference',
  ]);
});
