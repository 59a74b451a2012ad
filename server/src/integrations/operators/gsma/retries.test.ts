/** Whether a request can have reached the operator, and what its answer to a repetition means. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { debitRequest, reversalRequest, startGsma } from '../../../../test/operators/adapter.ts';
import { failure } from '../../../../test/operators/provider.ts';
import { notFound, notSent, refused, unreachable } from '../../../../test/operators/scripted.ts';
import type { GsmaOperator } from './operator.ts';

const polling = { MODE: 'polling' };
/** A port without a listener. */
const nobody = 'http://127.0.0.1:9';

test('counts a request as not sent if its connection was refused', async (context) => {
  const { operator } = await startGsma(context, { ...polling, URL: nobody });
  assert.deepEqual(await operator.requestDebit(debitRequest()), notSent);
  assert.deepEqual(await operator.reverse(reversalRequest({ kind: 'REVERSAL' })), notSent);
});

test('counts a request as not sent if it got no token', async (context) => {
  const { operator, provider } = await startGsma(context, {
    ...polling,
    AUTH: 'oauth2',
    CLIENT_ID: 'zimbo',
    TOKEN_URL: `${nobody}/oauth/token`,
  });
  assert.deepEqual(await operator.requestDebit(debitRequest()), notSent);
  assert.equal(provider.exchanges.length, 0);
});

test('counts a request as not sent if it was held back while the operator is down', async (context) => {
  const { operator, provider } = await startGsma(context, polling, { pauseMs: 60_000 });
  provider.fault = () => 'break';
  for (let calls = 0; calls < 5; calls++) await operator.queryDebit(debitRequest());
  const before = provider.exchanges.length;
  assert.deepEqual(await operator.requestDebit(debitRequest()), notSent);
  assert.equal(provider.exchanges.length, before);
});

test('never calls a request not sent once it began to leave', async (context) => {
  const { operator, provider } = await startGsma(context, polling, { timeoutMs: 300 });
  const faults = ['break', 'break after', 'hang', 'hang after', { status: 503, body: '' }] as const;
  for (const fault of faults) {
    provider.fault = () => fault;
    assert.deepEqual(
      await operator.requestDebit(debitRequest()),
      unreachable,
      JSON.stringify(fault),
    );
  }
});

for (const deduplicates of ['true', 'false']) {
  test(`resends a request with a refused token only to an operator that deduplicates: ${deduplicates}`, async (context) => {
    const { operator, provider } = await startGsma(context, ({ url }) => ({
      ...polling,
      AUTH: 'oauth2',
      CLIENT_ID: 'zimbo',
      TOKEN_URL: `${url}/oauth/token`,
      DEDUPLICATES: deduplicates,
    }));
    provider.isAllowed = ({ authorization }) => authorization !== 'Bearer token-1';
    const answer = await operator.requestDebit(debitRequest());
    const sent = provider.calls(/POST \/transactions/).length;
    assert.equal(sent, deduplicates === 'true' ? 2 : 1);
    if (sent === 1) assert.deepEqual(answer, unreachable);
    // A query may always be repeated, and the next request has a new token.
    assert.equal((await operator.requestDebit(debitRequest())).kind, 'unknown');
    assert.equal(provider.entries.size, sent);
  });
}

const refusals = [
  ['businessRule', 'incorrectState'],
  ['businessRule', 'insufficientFunds'],
  ['identification', 'identifierError'],
] as const;

test('queries the first request, whatever the operator says about the repetition', async (context) => {
  const { operator, provider } = await startGsma(context, polling);
  for (const [category, code] of refusals) {
    provider.fault = ({ method }) => (method === 'POST' ? failure(400, category, code) : undefined);
    assert.equal((await operator.requestDebit(debitRequest())).kind, 'failed', code);
    assert.deepEqual(await operator.requestDebit(debitRequest({ repeated: true })), notFound, code);
    assert.deepEqual(await operator.reverse(reversalRequest({ kind: 'REVERSAL' })), refused, code);
    assert.deepEqual(
      await operator.reverse(reversalRequest({ kind: 'REVERSAL', repeated: true })),
      notFound,
      code,
    );
  }
});

test('queries the first request after a failed state or transaction of the repetition, too', async (context) => {
  const { operator, provider } = await startGsma(context);
  const failed = { transactionReference: 'TX-2', transactionStatus: 'failed' };
  for (const body of [{ serverCorrelationId: randomUUID(), status: 'failed' }, failed]) {
    provider.fault = ({ method }) => (method === 'POST' ? { status: 202, body } : undefined);
    assert.equal((await operator.requestDebit(debitRequest())).kind, 'failed');
    const repeated = [
      await operator.requestDebit(debitRequest({ repeated: true })),
      await operator.reverse(reversalRequest({ repeated: true })),
    ];
    for (const answer of repeated) assert.equal(answer.kind, 'unknown', JSON.stringify(body));
  }
});

test('finds the outcome of the first request after the state of a repetition failed', async (context) => {
  const { operator, provider } = await startGsma(context);
  provider.isSynchronous = true;
  const request = debitRequest();
  const first = await operator.requestDebit(request);
  const body = { serverCorrelationId: randomUUID(), status: 'failed' };
  provider.fault = ({ method, path }) =>
    method === 'POST' || path.startsWith('/requeststates') ? { status: 202, body } : undefined;
  assert.deepEqual(await operator.requestDebit({ ...request, repeated: true }), first);
});

test('finds the outcome of the first request after a repetition was refused', async (context) => {
  const { operator, provider } = await startGsma(context, polling);
  provider.isSynchronous = true;
  const request = debitRequest();
  const first = await operator.requestDebit(request);
  assert.equal(first.kind, 'succeeded');
  provider.fault = ({ method }) =>
    method === 'POST' ? failure(400, 'businessRule', 'incorrectState') : undefined;
  assert.deepEqual(await operator.requestDebit({ ...request, repeated: true }), first);
});

for (const ask of [
  (operator: GsmaOperator) => operator.requestDebit(debitRequest()),
  (operator: GsmaOperator) => operator.reverse(reversalRequest({ kind: 'REFUND' })),
]) {
  test('fails nothing when a request resent with another token is refused', async (context) => {
    const { operator, provider } = await startGsma(context, ({ url }) => ({
      ...polling,
      AUTH: 'oauth2',
      CLIENT_ID: 'zimbo',
      TOKEN_URL: `${url}/oauth/token`,
      DEDUPLICATES: 'true',
    }));
    provider.isAllowed = () => true;
    let posts = 0;
    provider.fault = ({ method, path }) => {
      if (method !== 'POST' || path.includes('oauth')) return undefined;
      posts += 1;
      if (posts === 1) return { status: 401, body: '' };
      return failure(400, 'businessRule', 'incorrectState');
    };
    assert.deepEqual(await ask(operator), notFound);
    assert.equal(posts, 2);
  });
}
