import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { eventually } from '../support/gateway.ts';
import { liveGateway } from './gateway.ts';

const phone = (suffix: string) => `+2389910${suffix}`;
const payment = (suffix: string) => ({
  amount: 1_520,
  operator: 'CVMOVEL',
  operatorPhone: phone(suffix),
});

for (const mode of ['callback', 'polling']) {
  test(`${mode}: debits a live payment at the operator, books it, and refunds it in parts`, async (context) => {
    const { live, provider, database } = await liveGateway(context, { MODE: mode });
    const { body: created } = await live('POST', '/v1/payments', payment('345'));
    const debited = await eventually('the debit', async () => {
      const { body } = await live('GET', `/v1/payments/${created.id}`);
      return body.status === 'DEBITED' && body;
    });
    const [debit] = provider.completed('merchantpay');
    assert.equal(debit?.amount, '15.2');
    assert.equal(debited.operatorTxId, debit?.transactionReference);
    for (const amount of [1_000, 520]) {
      const refund = { paymentIntentId: created.id, amount };
      const { body } = await live('POST', '/v1/refunds', refund);
      await eventually('the refund', async () => {
        const { body: now } = await live('GET', `/v1/refunds/${body.id}`);
        return now.status === 'SUCCEEDED';
      });
    }
    assert.deepEqual(
      provider.completed('reversal').map(({ amount }) => amount),
      ['10', '5.2'],
    );
    const { body: refunded } = await live('GET', `/v1/payments/${created.id}`);
    assert.equal(refunded.status, 'REFUNDED');
    assert.deepEqual(await checkLedger(database), []);
    assert.equal(provider.callbacks.length > 0, mode === 'callback');
    assert.ok(provider.callbacks.every(({ status }) => status === 204));
  });
}

test('requires an operator that is configured for the currency of a live payment', async (context) => {
  const { live, api } = await liveGateway(context);
  const refused = async (change: object) => {
    const { status, body } = await live('POST', '/v1/payments', { ...payment('345'), ...change });
    assert.equal(status, 400);
    return body.error.message;
  };
  assert.match(await refused({ operator: 'UNITEL_TMAIS' }), /UNITEL_TMAIS is not/);
  assert.match(await refused({ operator: 'MOCK' }), /MOCK/);
  assert.match(await refused({ currency: 'AOA' }), /must be CVE for CVMOVEL/);
  const test = await api('POST', '/v1/payments', { ...payment('345'), currency: 'AOA' });
  assert.equal(test.status, 200, 'with a test key everything is simulated');
});

test('requires the currency of the phone’s country for a live payment', async (context) => {
  const { live, api, provider } = await liveGateway(context, { CURRENCIES: 'CVE,AOA' });
  const pairs = [
    ['+2389910345', 'AOA', /^currency must be CVE/],
    ['+244923456345', 'CVE', /^currency must be AOA/],
    ['+2389910345', 'CVE', undefined],
    ['+244923456345', 'AOA', undefined],
    ['+244923456345', undefined, undefined],
    ['+351912345345', 'CVE', undefined],
    ['+351912345345', 'AOA', undefined],
  ] as const;
  for (const [operatorPhone, currency, refusal] of pairs) {
    const body = { ...payment('345'), operatorPhone, currency };
    const answer = await live('POST', '/v1/payments', body);
    assert.equal(answer.status, refusal ? 400 : 200, `${operatorPhone} ${currency}`);
    if (refusal) assert.match(answer.body.error.message, refusal);
    assert.equal((await api('POST', '/v1/payments', body)).status, 200, 'with a test key');
  }
  await eventually('the debits', () => provider.completed('merchantpay').length === 5);
});

test('returns nothing for an amount with a point before thousands, and waits for a person', async (context) => {
  const { live, provider, database } = await liveGateway(context);
  const body = {
    transactionReference: 'TX-1',
    transactionStatus: 'completed',
    amount: '1.520',
    currency: 'CVE',
  };
  provider.fault = ({ method, path }) =>
    method === 'POST' && path.includes('merchantpay') ? { status: 201, body } : undefined;
  const { body: created } = await live('POST', '/v1/payments', {
    ...payment('345'),
    amount: 152_000,
  });
  const text = 'SELECT kind FROM review_items UNION ALL SELECT reason FROM reversals';
  const found = await eventually('what became of it', async () => {
    const rows = await database.query<{ kind: string }>({ text });
    return rows.length > 0 && rows.map(({ kind }) => kind);
  });
  assert.deepEqual(found, ['MISMATCH']);
  assert.equal((await live('GET', `/v1/payments/${created.id}`)).body.failureCode, null);
});

test('sends nothing beyond this machine for a test key', async (context) => {
  const { api, provider } = await liveGateway(context);
  const { body: created } = await api('POST', '/v1/payments', payment('345'));
  await eventually('the debit', async () => {
    const { body } = await api('GET', `/v1/payments/${created.id}`);
    return body.status === 'DEBITED';
  });
  assert.deepEqual(provider.exchanges, []);
});

test('debits once if an answer is lost, and finds it by a query', async (context) => {
  const { live, provider, database } = await liveGateway(context, { MODE: 'polling' });
  provider.fault = ({ method }) => (method === 'POST' ? 'break after' : undefined);
  const { body: created } = await live('POST', '/v1/payments', payment('345'));
  await eventually('the debit', async () => {
    const { body } = await live('GET', `/v1/payments/${created.id}`);
    return body.status === 'DEBITED';
  });
  assert.equal(provider.completed('merchantpay').length, 1);
  assert.ok(provider.calls(/GET \/responses\//).length > 0);
  assert.deepEqual(await checkLedger(database), []);
});

test('returns a debit that comes after the cancel at the operator', async (context) => {
  const { live, provider, database } = await liveGateway(context);
  const { body: created } = await live('POST', '/v1/payments', payment('109'));
  const reference = await eventually('the request', () => [...provider.entries.keys()][0]);
  const cancelled = await live('POST', `/v1/payments/${created.id}/cancel`);
  assert.equal(cancelled.body.status, 'CANCELLED');
  provider.decide(reference);
  await eventually('the reversal', () => provider.completed('reversal').length === 1);
  await eventually('the ledger', async () => {
    const text = `SELECT status FROM reversals WHERE status = 'SUCCEEDED'`;
    return (await database.query({ text })).length === 1;
  });
  assert.deepEqual(await checkLedger(database), []);
});

test('sends no more queries than the pollLimit of an operator', async (context) => {
  const { live, provider } = await liveGateway(context, { MODE: 'polling' });
  provider.pollLimit = 2;
  const { body: created } = await live('POST', '/v1/payments', payment('109'));
  await eventually(
    'it is asked in another way',
    () => provider.calls(/GET \/responses\//).length >= 1,
  );
  const [reference] = provider.entries.keys();
  provider.decide(reference!);
  await eventually('the debit', async () => {
    const { body } = await live('GET', `/v1/payments/${created.id}`);
    return body.status === 'DEBITED';
  });
  assert.equal(provider.calls(/GET \/requeststates\//).length, 2);
});
