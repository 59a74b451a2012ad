/** An answer must name what was asked about: the outcome of another request decides nothing. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { debitRequest, reversalRequest, startGsma } from '../../../../test/operators/adapter.ts';
import { type Fault, failure } from '../../../../test/operators/provider.ts';
import type { OperatorAnswer } from '../operator.ts';
import { gsmaCallbacks } from './callbacks.ts';

const requestId = '6d2f3a5e-4b0e-4a3c-9f43-0d7a7f6f9a01';
const other = randomUUID();
const error = { errorCategory: 'businessRule', errorCode: 'insufficientFunds' };

interface Told {
  /** The answer to the POST; by default that the request was accepted. */
  post?: (reference: string) => Fault;
  state?: (reference: string) => unknown;
  response?: (reference: string) => unknown;
  transaction?: (reference: string) => unknown;
}

/** Sends a request, and queries it: the answers to both. */
async function answers(
  context: TestContext,
  reported: Told,
  kinds: readonly ('debit' | 'refund')[] = ['debit', 'refund'],
): Promise<OperatorAnswer[]> {
  const { provider, operator } = await startGsma(context);
  const all: OperatorAnswer[] = [];
  for (const kind of kinds) {
    const request = kind === 'debit' ? debitRequest() : reversalRequest();
    const { reference } = request;
    const accepted = { serverCorrelationId: requestId, status: 'pending' };
    provider.fault = ({ method, path }): Fault => {
      if (method === 'POST') return reported.post?.(reference) ?? { status: 202, body: accepted };
      if (path.startsWith('/requeststates')) {
        return { status: 200, body: reported.state?.(reference) ?? accepted };
      }
      if (path.startsWith('/responses')) {
        const link = `/requeststates/${requestId}`;
        return { status: 200, body: reported.response?.(reference) ?? { link } };
      }
      return { status: 200, body: reported.transaction?.(reference) ?? {} };
    };
    const answered =
      'operatorTxId' in request
        ? await operator.reverse(request)
        : await operator.requestDebit(request);
    const asked =
      'operatorTxId' in request
        ? await operator.queryReversal(request)
        : await operator.queryDebit(request);
    all.push(answered, asked);
  }
  return all;
}

const failed = (more: object = {}) => ({
  serverCorrelationId: requestId,
  status: 'failed',
  error,
  ...more,
});
const transaction = (transactionStatus: string, more: object = {}) => ({
  transactionReference: 'TX-1',
  transactionStatus,
  amount: '1',
  currency: 'CVE',
  ...more,
});
const completed = { serverCorrelationId: requestId, status: 'completed', objectReference: 'TX-1' };
const isUnknown = (answer: OperatorAnswer) => answer.kind === 'unknown';

/** Answers that name another request, transaction or debit, in every possible field. */
const others: Record<string, Told> = {
  'the id of the request in its state': {
    state: () => failed({ serverCorrelationId: other }),
    response: () => ({ link: '/transactions/TX-1' }),
  },
  'our reference in the state': { state: () => failed({ clientCorrelationId: other }) },
  'our reference in the error of the state': {
    state: () =>
      failed({
        error: {
          ...error,
          errorParameters: [{ key: 'requestingOrganisationTransactionReference', value: other }],
        },
      }),
  },
  'our reference in the answer to the request itself': {
    post: () => ({ status: 202, body: failed({ clientCorrelationId: other }) }),
  },
  'our reference in a refusal': {
    post: () => ({ status: 400, body: { ...error, clientCorrelationId: other } }),
  },
  'our reference among the parameters of a refusal': {
    post: () => ({
      status: 400,
      body: { ...error, errorParameters: [{ key: 'X-CorrelationID', value: other }] },
    }),
  },
  'our reference in the transaction that the request is answered with': {
    post: () => ({
      status: 201,
      body: transaction('failed', { requestingOrganisationTransactionReference: other }),
    }),
  },
  'our reference in the transaction that is asked for': {
    state: () => completed,
    transaction: () => transaction('failed', { requestingOrganisationTransactionReference: other }),
  },
  'the transaction itself': {
    state: () => completed,
    transaction: () => transaction('failed', { transactionReference: 'TX-2' }),
  },
  'the transaction itself, which succeeded': {
    state: () => completed,
    transaction: () => transaction('completed', { transactionReference: 'TX-2' }),
  },
};

for (const [what, reported] of Object.entries(others)) {
  test(`decides nothing by an answer that names another request: ${what}`, async (context) => {
    const all = await answers(context, reported);
    assert.ok(all.every(isUnknown), JSON.stringify(all.map(({ kind }) => kind)));
  });
}

test('decides nothing by a response that leads to another request than the accepted one', async (context) => {
  const reported: Told = {
    // How often the operator may be asked by the id: never.
    post: () => ({
      status: 202,
      body: { serverCorrelationId: requestId, status: 'pending', pollLimit: 0 },
    }),
    response: () => ({ link: `/requeststates/${other}` }),
    state: () => failed({ serverCorrelationId: other }),
  };
  assert.ok((await answers(context, reported)).every(isUnknown));
});

test('decides nothing by a response to another reference', async (context) => {
  const reported: Told = {
    post: () => 'break after',
    response: () => ({ clientCorrelationId: other, link: `/requeststates/${requestId}` }),
    state: () => failed(),
  };
  assert.ok((await answers(context, reported)).every(isUnknown));
});

test('ignores "not found" about another reference', async (context) => {
  const { provider, operator } = await startGsma(context);
  const { body } = failure(404, 'identification', 'identifierError');
  provider.fault = () => ({ status: 404, body: { ...body, clientCorrelationId: other } });
  const answer = await operator.queryDebit(debitRequest());
  assert.deepEqual(answer, { kind: 'unknown', progress: 'UNREACHABLE' });
});

test('rejects the return of another or an unnamed debit as an answer to this refund', async (context) => {
  const states = ['completed', 'failed', 'reversed'];
  for (const status of states) {
    const anothers = transaction(status, {
      type: 'reversal',
      originalTransactionReference: 'TX-0',
    });
    const own = transaction(status, { type: 'reversal', transactionReference: 'TX-DEBIT' });
    for (const body of [anothers, own]) {
      const reported: Told = {
        post: () => ({ status: 201, body }),
        response: () => ({ link: `/transactions/${body.transactionReference}` }),
        transaction: () => body,
      };
      const all = await answers(context, reported, ['refund']);
      assert.ok(all.every(isUnknown), `${status} ${body.transactionReference}`);
    }
  }
});

test('queries a refund by our reference if it is answered with its debit', async (context) => {
  const own = transaction('completed', { type: 'reversal', transactionReference: 'TX-DEBIT' });
  const reported: Told = {
    post: () => ({ status: 201, body: own }),
    response: () => ({ link: '/transactions/TX-1' }),
    transaction: () => transaction('completed', { type: 'reversal' }),
  };
  const given = { kind: 'succeeded', operatorTxId: 'TX-1', amountMinor: 100n } as const;
  assert.deepEqual(await answers(context, reported, ['refund']), [given, given]);
});

test('never takes a return for a debit, whatever its type', async (context) => {
  const body = transaction('completed', { originalTransactionReference: 'TX-0' });
  const reported: Told = {
    post: () => ({ status: 201, body }),
    state: () => completed,
    transaction: () => body,
  };
  assert.ok((await answers(context, reported, ['debit'])).every(isUnknown));
});

test('compares UUIDs, types and currencies without regard to case', async (context) => {
  const upper = requestId.toUpperCase();
  const reported: Told = {
    state: (reference) => ({
      ...completed,
      serverCorrelationId: upper,
      clientCorrelationId: reference.toUpperCase(),
    }),
    transaction: (reference) =>
      transaction('COMPLETED', {
        requestingOrganisationTransactionReference: reference.toUpperCase(),
        currency: 'cve',
      }),
  };
  const all = await answers(context, reported);
  const success = { kind: 'succeeded', operatorTxId: 'TX-1', amountMinor: 100n };
  assert.deepEqual([all[1], all[3]], [success, success]);
  const refundTold = {
    ...reported,
    transaction: () => transaction('completed', { type: 'Reversal' }),
  };
  assert.deepEqual((await answers(context, refundTold, ['refund']))[1], success);
  assert.ok((await answers(context, refundTold, ['debit'])).every(isUnknown));
});

test('ignores a callback that names another request', () => {
  const { reference } = debitRequest();
  const expected = {
    kind: 'REFUND',
    reference,
    currency: 'CVE',
    operatorTxId: 'TX-DEBIT',
  } as const;
  const answerTo = (body: object) => gsmaCallbacks.read(body)?.answerTo(expected);
  const good = transaction('completed', { type: 'reversal' });
  assert.equal(answerTo(good)?.kind, 'succeeded');
  for (const body of [
    { ...good, requestingOrganisationTransactionReference: other },
    { ...good, originalTransactionReference: 'TX-0' },
    { ...good, transactionReference: 'TX-DEBIT' },
    { ...error, errorParameters: [{ key: 'clientCorrelationId', value: other }] },
    { ...error, originalTransactionReference: 'TX-0' },
  ])
    assert.equal(answerTo(body), undefined, JSON.stringify(body));
});
