/** What tells whether a request can have reached the operator, and what its answer to a repeated one means. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { gsmaOperator } from '../../../test/operators/adapter.ts';
import { failure, type Provider, startProvider } from '../../../test/operators/provider.ts';
import { notFound, notSent, refused, unreachable } from '../../../test/operators/scripted.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import type { DebitRequest, ReversalRequest } from '../operator.ts';

type Options = NonNullable<Parameters<typeof gsmaOperator>[4]>;

async function start(
  context: TestContext,
  settingsOf: (provider: Provider) => Record<string, string> = () => ({}),
  options: Options = {},
) {
  const { database } = await testDatabase(context);
  await addTenants(database, tenantId);
  const provider = await startProvider(context);
  const settings = { MODE: 'polling', ...settingsOf(provider) };
  const operator = gsmaOperator(context, database, provider, settings, options);
  return { provider, operator };
}

const tenantId = randomUUID();
const debit = (change: Partial<DebitRequest> = {}): DebitRequest => ({
  tenantId,
  reference: randomUUID(),
  operator: 'CVMOVEL',
  amountMinor: 100n,
  currency: 'CVE',
  phone: '+2389910345',
  expiresAtMs: Date.now() + 60_000,
  abandoned: false,
  repeated: false,
  ...change,
});

const reversal = (change: Partial<ReversalRequest> = {}): ReversalRequest => ({
  ...debit(),
  kind: 'REVERSAL',
  operatorTxId: 'TX-1',
  ...change,
});

/** A port at which nobody listens. */
const nobody = 'http://127.0.0.1:9';

test('a request whose connection was refused was not sent', async (context) => {
  const { operator } = await start(context, () => ({ URL: nobody }));
  assert.deepEqual(await operator.requestDebit(debit()), notSent);
  assert.deepEqual(await operator.reverse(reversal()), notSent);
});

test('a request for which no token was to be had was not sent', async (context) => {
  const { operator, provider } = await start(context, () => ({
    AUTH: 'oauth2',
    CLIENT_ID: 'zimbo',
    TOKEN_URL: `${nobody}/oauth/token`,
  }));
  assert.deepEqual(await operator.requestDebit(debit()), notSent);
  assert.equal(provider.exchanges.length, 0);
});

test('a request that was kept back because the operator is down was not sent', async (context) => {
  const { operator, provider } = await start(context, () => ({}), { pauseMs: 60_000 });
  provider.fault = () => 'break';
  for (let calls = 0; calls < 5; calls++) await operator.queryDebit(debit());
  const before = provider.exchanges.length;
  assert.deepEqual(await operator.requestDebit(debit()), notSent);
  assert.equal(provider.exchanges.length, before);
});

test('of a request that began to leave nobody can say that it was not sent', async (context) => {
  const { operator, provider } = await start(context, () => ({}), { timeoutMs: 300 });
  const faults = ['break', 'break after', 'hang', 'hang after', { status: 503, body: '' }] as const;
  for (const fault of faults) {
    provider.fault = () => fault;
    assert.deepEqual(await operator.requestDebit(debit()), unreachable, JSON.stringify(fault));
  }
});

for (const deduplicates of ['true', 'false']) {
  test(`a request with a token that was refused is sent again only to an operator that deduplicates: ${deduplicates}`, async (context) => {
    const { operator, provider } = await start(context, ({ url }) => ({
      AUTH: 'oauth2',
      CLIENT_ID: 'zimbo',
      TOKEN_URL: `${url}/oauth/token`,
      DEDUPLICATES: deduplicates,
    }));
    provider.isAllowed = ({ authorization }) => authorization !== 'Bearer token-1';
    const answer = await operator.requestDebit(debit());
    const sent = provider.calls(/POST \/transactions/).length;
    assert.equal(sent, deduplicates === 'true' ? 2 : 1);
    if (sent === 1) assert.deepEqual(answer, unreachable);
    // A question may always be repeated, and the next request has a new token.
    assert.equal((await operator.requestDebit(debit())).kind, 'unknown');
    assert.equal(provider.entries.size, sent);
  });
}

const refusals = [
  ['businessRule', 'incorrectState'],
  ['businessRule', 'insufficientFunds'],
  ['identification', 'identifierError'],
] as const;

test('what is said of a repeated request says nothing about the first: it is asked about', async (context) => {
  const { operator, provider } = await start(context);
  for (const [category, code] of refusals) {
    provider.fault = ({ method }) => (method === 'POST' ? failure(400, category, code) : undefined);
    assert.equal((await operator.requestDebit(debit())).kind, 'failed', code);
    assert.deepEqual(await operator.requestDebit(debit({ repeated: true })), notFound, code);
    assert.deepEqual(await operator.reverse(reversal()), refused, code);
    assert.deepEqual(await operator.reverse(reversal({ repeated: true })), notFound, code);
  }
});

test('a repeated request that is refused finds what became of the first', async (context) => {
  const { operator, provider } = await start(context);
  provider.isSynchronous = true;
  const request = debit();
  const first = await operator.requestDebit(request);
  assert.equal(first.kind, 'succeeded');
  provider.fault = ({ method }) =>
    method === 'POST' ? failure(400, 'businessRule', 'incorrectState') : undefined;
  assert.deepEqual(await operator.requestDebit({ ...request, repeated: true }), first);
});
