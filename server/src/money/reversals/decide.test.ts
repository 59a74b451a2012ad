import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperatorAnswer, ReportedSuccess } from '../../integrations/operators/operator.ts';
import { decideReversal } from './decide.ts';
import type { Reversal } from './reversal.ts';

const timing = {
  operatorTimeoutMs: 10_000,
  firstBackoffMs: 5_000,
  maxBackoffMs: 3_600_000,
  watchMs: 3 * 86_400_000,
};
const traits = { deduplicates: false, answersQueries: true };
const createdAtMs = Date.parse('2026-11-21T09:30:00.000Z');
const nowMs = createdAtMs + 60_000;

function exampleReversal(change: Partial<Reversal> = {}): Reversal {
  return {
    tenantId: '0a1b2c3d-0000-7000-8000-000000000001',
    id: '019aa5d4-e0fb-7000-8000-000000000005',
    paymentId: '019aa5d4-e0fb-7000-8000-000000000002',
    reason: 'LATE_DEBIT',
    status: 'PROCESSING',
    amountMinor: 10_000n,
    currency: 'CVE',
    operator: 'MOCK',
    operatorTxId: 'OP-1',
    operatorReversalId: null,
    failureCode: null,
    queryCount: 0,
    dueAtMs: createdAtMs,
    sentAtMs: createdAtMs,
    byHand: false,
    createdAtMs,
    ...change,
  };
}

const succeeded: OperatorAnswer = {
  kind: 'succeeded',
  operatorTxId: 'OP-9',
  amountMinor: 10_000n,
};
const another: OperatorAnswer = { ...succeeded, operatorTxId: 'OP-10' };
const short: OperatorAnswer = { ...succeeded, amountMinor: 9_999n };
const failed: OperatorAnswer = { kind: 'failed', failureCode: 'OPERATOR_REJECTED' };
const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };

const of = (change: Partial<Reversal>, answer: OperatorAnswer) =>
  decideReversal(exampleReversal(change), answer, nowMs, timing, traits);

/** What a person sees: our records, and the operator's words. */
function contradiction(booked: Partial<Reversal>, told: object, about: string) {
  const { status = 'PROCESSING', operatorReversalId = null, byHand = false } = booked;
  const ours = { status, operatorReversalId, amountMinor: '10000', byHand };
  return { kind: 'CONTRADICTION', about, detail: { booked: ours, told } };
}

const done = { status: 'SUCCEEDED', operatorReversalId: 'OP-9' } as const;

test('a reversal in progress takes the outcome that the operator reports', () => {
  for (const status of ['PENDING', 'PROCESSING'] as const) {
    assert.deepEqual(of({ status }, succeeded), {
      outcome: { status: 'SUCCEEDED', operatorReversalId: 'OP-9' },
    });
    assert.deepEqual(of({ status }, failed), {
      outcome: { status: 'FAILED', failureCode: 'OPERATOR_REJECTED' },
    });
  }
});

test('the gateway books a reversal of another amount as requested, and lists it for a person', () => {
  assert.deepEqual(of({}, short), {
    outcome: { status: 'SUCCEEDED', operatorReversalId: 'OP-9' },
    review: contradiction({}, { ...short, amountMinor: '9999' }, 'OP-9'),
  });
});

test('the gateway queries a reversal without an outcome again, but only while it is in progress', () => {
  const next = { kind: 'WAIT', dueAtMs: nowMs + 5_000 };
  for (const status of ['PENDING', 'PROCESSING'] as const) {
    assert.deepEqual(of({ status }, pending), { next });
    assert.deepEqual(of({ status, sentAtMs: null }, notFound), { next: { kind: 'SEND' } });
  }
  for (const status of ['HELD', 'SUCCEEDED', 'FAILED'] as const) {
    assert.deepEqual(of({ status }, pending), {});
  }
});

test('a reversal that the operator had refused succeeds if the operator made it after all', () => {
  const outcome = { status: 'SUCCEEDED', operatorReversalId: 'OP-9' };
  assert.deepEqual(of({ status: 'FAILED' }, succeeded), { outcome });
  assert.deepEqual(of({ status: 'HELD' }, succeeded), { outcome });
});

test('a second refusal changes nothing, nor does a refusal while a person decides', () => {
  assert.deepEqual(of({ status: 'FAILED' }, failed), {});
  assert.deepEqual(of({ status: 'HELD' }, failed), {});
});

test('a success stays, and a person sees what the operator says against it', () => {
  assert.deepEqual(of(done, succeeded), {});
  assert.deepEqual(of(done, another), {
    review: contradiction(done, { ...another, amountMinor: '10000' }, 'OP-10'),
  });
  assert.deepEqual(of(done, short), {
    review: contradiction(done, { ...short, amountMinor: '9999' }, 'OP-9'),
  });
  assert.deepEqual(of(done, failed), { review: contradiction(done, failed, 'failed') });
});

test('the operator may spell its id in capitals, or name one where the records have none', () => {
  const id = '6f0c2c1e-9a54-4c1f-8d43-0a1b2c3d4e5f';
  const inCapitals: OperatorAnswer = { ...succeeded, operatorTxId: id.toUpperCase() };
  assert.deepEqual(of({ ...done, operatorReversalId: id }, inCapitals), {});
  assert.deepEqual(of({ ...done, operatorReversalId: null }, succeeded), {});
});

test('after a person closed a reversal as failed, a success goes to a person', () => {
  const closed = { status: 'FAILED', byHand: true } as const;
  assert.deepEqual(of(closed, failed), {});
  assert.deepEqual(of(closed, succeeded), {
    review: contradiction(closed, { ...succeeded, amountMinor: '10000' }, 'OP-9'),
  });
});

test('after a person let a held reversal go, the operator decides', () => {
  assert.deepEqual(of({ status: 'PENDING', byHand: true }, failed), {
    outcome: { status: 'FAILED', failureCode: 'OPERATOR_REJECTED' },
  });
});

const reported: ReportedSuccess = {
  operatorTxId: 'OP-9',
  amount: '1.520,00',
  currency: null,
  type: null,
  reference: null,
};
const unreadable: OperatorAnswer = { kind: 'unknown', progress: 'MISMATCH', reported };

test('a person sees a success that does not match the request, unless it is the booked one', () => {
  const { operatorTxId, ...words } = reported;
  assert.deepEqual(of({}, unreadable), {
    next: { kind: 'WAIT', dueAtMs: nowMs + 5_000 },
    review: {
      kind: 'MISMATCH',
      about: operatorTxId,
      detail: {
        booked: {
          status: 'PROCESSING',
          operatorReversalId: null,
          currency: 'CVE',
          amountMinor: '10000',
        },
        told: { transactionReference: operatorTxId, transactionStatus: 'succeeded', ...words },
      },
    },
  });
  assert.deepEqual(of(done, unreadable), {});
});
