import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackKinds } from '../../integrations/operators/callback-token.ts';
import { gsmaCallbacks } from '../../integrations/operators/gsma/callbacks.ts';
import {
  type CallbackExpectation,
  type DistrustReason,
  distrustReasonOf,
  type ReportedOutcome,
} from './check-content.ts';

const subject: CallbackExpectation = {
  kind: 'DEBIT',
  reference: '019b2c3d-4e5f-7061-9b7c-8d9e0f1a2b3c',
  amountMinor: 1_520n,
  currency: 'CVE',
};

const success = {
  transactionReference: 'TX-1',
  transactionStatus: 'completed',
  requestingOrganisationTransactionReference: subject.reference,
  amount: '15.2',
  currency: 'CVE',
};
const refusal = { errorCategory: 'businessRule', errorCode: 'insufficientFunds' };

/** Like the handler: the answer is what the adapter reads from the body. */
function doubt(
  body: unknown,
  { kind = 'DEBIT', ...proof }: Partial<ReportedOutcome & CallbackExpectation> = {},
): DistrustReason | undefined {
  const { reference, currency, amountMinor } = subject;
  const expected = { kind, reference, currency, ...(kind !== 'DEBIT' && { amountMinor }) };
  const read = gsmaCallbacks.read(body);
  const heard = { about: read?.about ?? null, answer: read?.answerTo(expected) };
  const told = { ...heard, authenticated: true, bySender: true, ...proof };
  return distrustReasonOf(told, { ...subject, kind });
}

test('trusts a transaction that names our reference, the amount and the currency', () => {
  for (const kind of callbackKinds) {
    for (const bySender of [true, false]) {
      assert.equal(doubt(success, { kind, bySender }), undefined);
      assert.equal(doubt({ ...success, amount: '15.20' }, { kind, bySender }), undefined);
      const failed = { ...success, transactionStatus: 'failed' };
      assert.equal(doubt(failed, { kind, bySender }), undefined);
    }
  }
});

test('rejects a success or failure that omits or changes any of them', () => {
  const changes: [Record<string, unknown>, DistrustReason][] = [
    [{ requestingOrganisationTransactionReference: undefined }, 'REFERENCE_NOT_NAMED'],
    [{ requestingOrganisationTransactionReference: null }, 'REFERENCE_NOT_NAMED'],
    [{ requestingOrganisationTransactionReference: '' }, 'REFERENCE_NOT_NAMED'],
    [{ requestingOrganisationTransactionReference: [subject.reference] }, 'OTHER_REFERENCE'],
    [
      { requestingOrganisationTransactionReference: '019b2c3d-4e5f-7061-9b7c-8d9e0f1a2b3d' },
      'OTHER_REFERENCE',
    ],
    [{ amount: undefined }, 'OTHER_AMOUNT'],
    [{ amount: '15.21' }, 'OTHER_AMOUNT'],
    [{ amount: '1520' }, 'OTHER_AMOUNT'],
    [{ amount: 15.21 }, 'OTHER_AMOUNT'],
    [{ currency: undefined }, 'OTHER_CURRENCY'],
    [{ currency: 'AOA' }, 'OTHER_CURRENCY'],
  ];
  for (const kind of callbackKinds) {
    for (const transactionStatus of ['completed', 'failed']) {
      for (const [change, expected] of changes) {
        const body = JSON.parse(JSON.stringify({ ...success, transactionStatus, ...change }));
        assert.equal(doubt(body, { kind }), expected, JSON.stringify({ kind, ...body }));
      }
    }
  }
});

test('rejects a transaction without an id of its own or of another kind', () => {
  for (const transactionReference of [undefined, '', 7]) {
    assert.equal(doubt({ ...success, transactionReference }), 'NOT_UNDERSTOOD');
  }
  assert.equal(doubt({ ...success, type: 'reversal' }), 'NOT_UNDERSTOOD');
  assert.equal(doubt({ ...success, type: 'merchantpay' }, { kind: 'REFUND' }), 'NOT_UNDERSTOOD');
  assert.equal(doubt({}), 'NOT_UNDERSTOOD');
});

test('accepts a refusal that names nothing as a failed debit only from a proven sender', () => {
  assert.equal(doubt(refusal), undefined);
  assert.equal(doubt(refusal, { bySender: false }), 'REFERENCE_NOT_NAMED');
});

test('never lets a refusal that names nothing free a refund or reversal to be made again', () => {
  for (const kind of ['REFUND', 'REVERSAL'] as const) {
    for (const bySender of [true, false]) {
      assert.equal(doubt(refusal, { kind, bySender }), 'REFERENCE_NOT_NAMED');
    }
  }
});

test('ignores an outcome that is not definite, without asking a person to review it', () => {
  assert.equal(doubt({ ...success, transactionStatus: 'pending' }), 'NOT_DEFINITE');
  const duplicate = { errorCategory: 'businessRule', errorCode: 'duplicateRequest' };
  assert.equal(doubt(duplicate), 'NOT_DEFINITE');
});

test('never trusts an unauthenticated callback, even if everything agrees', () => {
  for (const body of [success, refusal, { ...success, transactionStatus: 'failed' }]) {
    assert.equal(doubt(body, { authenticated: false }), 'NOT_AUTHENTICATED');
  }
});
