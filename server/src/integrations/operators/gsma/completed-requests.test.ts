/** A request that the operator calls completed is done, however little of its transaction can be read. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { debitRequest, reversalRequest, startGsma } from '../../../../test/operators/adapter.ts';
import { failure, type Provider } from '../../../../test/operators/provider.ts';
import type { OperatorAnswer } from '../operator.ts';

const body = (change: object = {}) => ({
  transactionReference: 'TX-9',
  transactionStatus: 'completed',
  amount: '1',
  currency: 'CVE',
  ...change,
});
const unknown = failure(404, 'identification', 'identifierError');
const progressOf = (answer: OperatorAnswer) =>
  answer.kind === 'unknown'
    ? `${answer.progress}${answer.reported ? ', reported' : ''}`
    : answer.kind;

/** An operator that returns this state for everything, and this when it is asked for a transaction. */
function script(provider: Provider, state: object, transaction: Provider['fault']) {
  const id = randomUUID();
  const reported = { serverCorrelationId: id, ...state };
  provider.fault = (exchange) => {
    const { method, path } = exchange;
    if (method === 'POST') return { status: 202, body: reported };
    if (path.startsWith('/requeststates')) return { status: 200, body: reported };
    if (path.startsWith('/responses'))
      return { status: 200, body: { link: `/requeststates/${id}` } };
    return transaction?.(exchange);
  };
}

const done = { status: 'completed', objectReference: 'TX-9' };

test('reports a completed request with an unreadable transaction as a mismatched success', async (context) => {
  const { provider, operator } = await startGsma(context);
  const cases: [state: object, transaction: Provider['fault']][] = [
    [done, () => unknown],
    [done, () => failure(403, 'authorisation', 'x')],
    [done, () => ({ status: 200, body: { transactionReference: 'TX-9', amount: '1' } })],
    [done, () => ({ status: 200, body: body({ transactionStatus: 'settled' }) })],
    [
      done,
      () => ({
        status: 200,
        body: body({ transactionReference: 'TX-8', transactionStatus: 'pending' }),
      }),
    ],
    [{ status: 'completed' }, () => unknown],
    [{ status: 'Success', objectReference: { id: 'TX-9' } }, () => unknown],
    [{ ...done, serverCorrelationId: undefined }, () => unknown],
  ];
  for (const [state, transaction] of cases) {
    script(provider, state, transaction);
    for (const isDebit of [true, false]) {
      const debit = debitRequest();
      const refund = reversalRequest();
      const answers = isDebit
        ? [await operator.requestDebit(debit), await operator.queryDebit(debit)]
        : [await operator.reverse(refund), await operator.queryReversal(refund)];
      const both = answers.map(progressOf);
      assert.deepEqual(both, ['MISMATCH, reported', 'MISMATCH, reported'], JSON.stringify(state));
    }
  }
});

test('counts every word for success in a request state too', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const status of ['complete', 'success', 'Successful', 'SUCCEEDED']) {
    script(provider, { ...done, status }, () => ({ status: 200, body: body() }));
    assert.equal(progressOf(await operator.requestDebit(debitRequest())), 'succeeded', status);
  }
});

test('reports nothing yet while the transaction is pending or temporarily unavailable', async (context) => {
  const { provider, operator } = await startGsma(context);
  script(provider, done, () => ({ status: 200, body: body({ transactionStatus: 'pending' }) }));
  assert.equal(progressOf(await operator.requestDebit(debitRequest())), 'PROMPTED');
  script(provider, done, () => ({ status: 503, body: '' }));
  assert.equal(progressOf(await operator.requestDebit(debitRequest())), 'UNREACHABLE, reported');
});

test('reports a completed request at once if the operator has no queries', async (context) => {
  const { provider, operator } = await startGsma(context, {
    MODE: 'callback',
    QUERY: 'none',
    CALLBACK_SECRET: 'an example of a secret',
  });
  script(provider, done, () => ({ status: 200, body: body() }));
  assert.equal(progressOf(await operator.requestDebit(debitRequest())), 'MISMATCH, reported');
});

test('does not take an error that also says completed for a failure', async (context) => {
  const { provider, operator } = await startGsma(context);
  const error = { errorCategory: 'businessRule', errorCode: 'insufficientFunds' };
  provider.fault = () => ({ status: 400, body: { ...error, ...body() } });
  assert.equal(progressOf(await operator.requestDebit(debitRequest())), 'MISMATCH, reported');
});

test('reports a return that is answered with its debit if the query finds nothing', async (context) => {
  const { provider, operator } = await startGsma(context);
  const own = body({ transactionReference: 'TX-DEBIT', type: 'reversal' });
  provider.fault = ({ method }) => (method === 'POST' ? { status: 201, body: own } : unknown);
  const answer = await operator.reverse(reversalRequest());
  assert.equal(progressOf(answer), 'MISMATCH, reported');
  assert.equal(answer.kind === 'unknown' && answer.reported?.operatorTxId, 'TX-DEBIT');
});

test('fails neither of two requests by a failure under an id that they share', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const isDebit of [true, false]) {
    const id = randomUUID();
    let state: object = { status: 'pending' };
    provider.fault = ({ path }) => {
      if (path.startsWith('/responses'))
        return { status: 200, body: { link: `/requeststates/${id}` } };
      return { status: 200, body: { serverCorrelationId: id, ...state } };
    };
    const [first, second] = [debitRequest(), debitRequest()];
    const send = (one: typeof first) =>
      isDebit
        ? operator.requestDebit(one)
        : operator.reverse(reversalRequest({ ...one, ...refund }));
    const ask = (one: typeof first) =>
      isDebit
        ? operator.queryDebit(one)
        : operator.queryReversal(reversalRequest({ ...one, ...refund }));
    const refund = { kind: 'REFUND', operatorTxId: 'TX-A' } as const;
    await send(first);
    await send(second);
    state = { status: 'failed' };
    for (const one of [first, second]) {
      assert.equal(progressOf(await ask(one)), 'PENDING');
      assert.equal(progressOf(await send(one)), 'PENDING');
    }
    assert.equal(progressOf(await send(debitRequest())), 'PENDING', 'a third');
  }
});
