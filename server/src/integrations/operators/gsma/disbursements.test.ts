import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { disbursementRequest, startGsma } from '../../../../test/operators/adapter.ts';
import { type Fault, failure } from '../../../../test/operators/provider.ts';
import type { OperatorAnswer } from '../operator.ts';
import { lookUpTransaction } from './check-transaction.ts';

const account = { key: 'organisationid', value: '1234' };
const body = (change: object = {}) => ({
  transactionReference: 'TX-1',
  transactionStatus: 'completed',
  type: 'disbursement',
  amount: '15.2',
  currency: 'CVE',
  ...change,
});
const requestOf = () => disbursementRequest({ amountMinor: 1_520n });
const isPost = ({ method }: { method: string }) => method === 'POST';

test('pays from our account to the phone, under our reference, with a callback of its kind', async (context) => {
  const options = {
    callbackUrl: (reference: string, kind: string) => `http://us/${kind}/${reference}`,
  };
  const { provider, operator } = await startGsma(context, {}, options);
  const request = { ...requestOf(), statementDescriptor: 'Salário de\nnovembro' };
  const { reference } = request;
  await operator.disburse(request);
  const [sent, ...more] = provider.exchanges;
  assert.deepEqual(more, []);
  assert.equal(`${sent!.method} ${sent!.path}`, 'POST /transactions/type/disbursement');
  assert.equal(sent!.requestHeaders['x-correlationid'], reference);
  assert.equal(sent!.requestHeaders['x-callback-url'], `http://us/DISBURSEMENT/${reference}`);
  const { requestDate, ...asked } = sent!.requestBody;
  assert.ok(Date.parse(requestDate) > 0);
  assert.deepEqual(asked, {
    amount: '15.2',
    currency: 'CVE',
    requestingOrganisationTransactionReference: reference,
    descriptionText: 'Salário de novembro',
    debitParty: [account],
    creditParty: [{ key: 'msisdn', value: '+2389910345' }],
  });
});

const mismatches: object[] = [
  { amount: '15.3' },
  { amount: '1520' },
  { amount: undefined },
  { amount: '15,2' },
  { currency: 'AOA' },
  { requestingOrganisationTransactionReference: randomUUID() },
  { transactionReference: '' },
  { type: 'merchantpay' },
  // It had left our account: a person must find out what came back.
  { transactionStatus: 'reversed' },
];

test('reports a success that is not exactly what was asked for, and one that was reversed', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const change of mismatches) {
    provider.fault = ({ method, path }) => {
      const isLink = method === 'GET' && path.startsWith('/responses');
      if (isLink) return { status: 200, body: { link: '/transactions/TX-1' } };
      return { status: 201, body: body(change) };
    };
    const request = requestOf();
    for (const answer of [
      await operator.disburse(request),
      await operator.queryDisbursement(request),
    ]) {
      const isReported = answer.kind === 'unknown' && answer.progress === 'MISMATCH';
      assert.ok(isReported && answer.reported, inspect([change, answer]));
    }
  }
});

test('says of a repeated request only what became of the first', async (context) => {
  const { provider, operator } = await startGsma(context);
  const request = requestOf();
  provider.fault = (call): Fault | undefined =>
    isPost(call) ? failure(404, 'identification', 'identifierError') : undefined;
  const refused: OperatorAnswer = { kind: 'failed', failureCode: 'PAYEE_NOT_FOUND' };
  assert.deepEqual(await operator.disburse(request), refused);
  const again = await operator.disburse({ ...request, repeated: true });
  assert.deepEqual(again, { kind: 'unknown', progress: 'NOT_FOUND' });
});

test('blames the operator, not the merchant, if our account holds too little', async (context) => {
  const { provider, operator } = await startGsma(context);
  provider.fault = (call) =>
    isPost(call) ? failure(400, 'businessRule', 'insufficientFunds') : undefined;
  const answer = await operator.disburse(requestOf());
  assert.deepEqual(answer, { kind: 'failed', failureCode: 'OPERATOR_UNAVAILABLE' });
});

test('checks a number that a person typed against the disbursement', async () => {
  const { reference, phone } = requestOf();
  const expected = {
    kind: 'DISBURSEMENT',
    reference,
    currency: 'CVE',
    amountMinor: 1_520n,
    account: 'organisationid@1234',
    phone,
  } as const;
  const check = (change: object) =>
    lookUpTransaction(
      {
        call: async () => ({ kind: 'answered', status: 200, body: body(change), retryAfterMs: 0 }),
      },
      { expected, operatorTxId: 'TX-1', timeoutMs: 1_000 },
    );
  assert.deepEqual(await check({}), { kind: 'CONFIRMED', amountMinor: 1_520n });
  assert.deepEqual(await check({ amount: '16' }), { kind: 'CONFIRMED', amountMinor: 1_600n });
  assert.equal((await check({ creditParty: [account] })).kind, 'OTHER');
  assert.equal((await check({ type: 'merchantpay' })).kind, 'OTHER');
  for (const transactionStatus of ['failed', 'pending', 'reversed']) {
    assert.equal((await check({ transactionStatus })).kind, 'NOT_DONE', transactionStatus);
  }
});
