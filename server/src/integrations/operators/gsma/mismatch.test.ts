import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { debitRequest, reversalRequest, startGsma } from '../../../../test/operators/adapter.ts';

/** 15.20, as written in `body`. */
const amountMinor = 1_520n;
const body = (change: object = {}) => ({
  transactionReference: 'TX-1',
  transactionStatus: 'completed',
  type: 'merchantpay',
  amount: '15.2',
  currency: 'CVE',
  ...change,
});

test('reads unambiguous answers in any notation', async (context) => {
  const { provider, operator } = await startGsma(context);
  const success = { kind: 'succeeded', operatorTxId: 'TX-1', amountMinor };
  const request = debitRequest({ amountMinor });
  for (const change of [
    { amount: 15.2 },
    { amount: '15.20' },
    { amount: '15.2000000' },
    { currency: 'cve' },
    { currency: undefined },
    { type: 'MerchantPay' },
    { transactionStatus: 'Completed' },
    { requestingOrganisationTransactionReference: request.reference.toUpperCase() },
  ]) {
    provider.fault = () => ({ status: 201, body: body(change) });
    assert.deepEqual(await operator.requestDebit(request), success, JSON.stringify(change));
  }
});

const mismatches: object[] = [
  { amount: '15,2' },
  { amount: '1.52e1' },
  { amount: '15 200' },
  { amount: '15.200' },
  { amount: ' 15.2' },
  { amount: 15.201 },
  { amount: { value: '15.2' } },
  { amount: null },
  { currency: 'USD' },
  { currency: 132 },
  { type: 'reversal' },
  { requestingOrganisationTransactionReference: randomUUID() },
  { originalTransactionReference: 'TX-0' },
  { transactionReference: 'TX\u0000-1' },
  { transactionReference: '' },
  { transactionReference: null },
  { transactionReference: undefined },
  { transactionReference: { id: 'TX-1' } },
];

test('reports a success without a transaction when it is queried, too', async (context) => {
  const { provider, operator } = await startGsma(context);
  provider.fault = ({ path }) => {
    if (path.startsWith('/responses/'))
      return { status: 200, body: { link: '/transactions/TX-1' } };
    return { status: 200, body: body({ transactionReference: null }) };
  };
  const answer = await operator.queryDebit(debitRequest({ amountMinor }));
  assert.ok(answer.kind === 'unknown');
  assert.equal(answer.reported?.operatorTxId, 'TX-1');
});

test('reports a mismatched success, with text that a database can store', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const change of mismatches) {
    const reported = body(change);
    provider.fault = () => ({ status: 201, body: reported });
    const answer = await operator.requestDebit(debitRequest({ amountMinor }));
    assert.ok(answer.kind === 'unknown' && answer.reported, JSON.stringify(change));
    assert.equal(answer.progress, 'MISMATCH');
    const isStorable = Object.values(answer.reported).every(
      (text) => text === null || (text.length <= 300 && !text.includes('\u0000')),
    );
    assert.ok(isStorable, JSON.stringify(answer.reported));
  }
  for (const change of [{ amount: '15,2' }, { currency: 'USD' }, { type: 'merchantpay' }]) {
    const reported = body({ type: 'reversal', ...change });
    provider.fault = () => ({ status: 201, body: reported });
    const answer = await operator.reverse(reversalRequest({ amountMinor }));
    assert.equal(answer.kind === 'unknown' && answer.progress, 'MISMATCH', JSON.stringify(change));
  }
});

test('reports only successes as mismatched successes', async (context) => {
  const { provider, operator } = await startGsma(context);
  for (const transactionStatus of ['pending', 'failed', 'initiated']) {
    const reported = body({ transactionStatus, currency: 'USD', type: 'reversal' });
    provider.fault = () => ({ status: 201, body: reported });
    const answer = await operator.requestDebit(debitRequest({ amountMinor }));
    assert.ok(answer.kind === 'unknown' && answer.progress !== 'MISMATCH', transactionStatus);
  }
});
