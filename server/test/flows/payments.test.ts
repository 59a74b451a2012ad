import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import { apiOf, eventually, type TestGateway, testGateway, testKey } from '../gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+238 991 23-45' };

async function reach(gateway: TestGateway, id: string, status: string) {
  return eventually(`${id} becomes ${status}`, async () => {
    const { body } = await gateway.api('GET', `/v1/payments/${id}`);
    return body.status === status && body;
  });
}

test('a payment goes from CREATED to DEBITED, and the ledger balances', async (context) => {
  const gateway = await testGateway(context);
  const created = await gateway.api('POST', '/v1/payments', payment);
  assert.equal(created.status, 200);
  assert.match(created.body.id, /^pi_[0-9a-z]{26}$/);
  const { id, createdAt, updatedAt, expiresAt, ...rest } = created.body;
  assert.deepEqual(rest, {
    externalId: null,
    amount: '10000',
    currency: 'CVE',
    feeAmount: '200',
    netAmount: '9800',
    operator: 'MOCK',
    operatorPhone: '+2389912345',
    operatorTxId: null,
    status: 'CREATED',
    failureCode: null,
    failureMessage: null,
    description: null,
    statementDescriptor: null,
    customerId: null,
    metadata: null,
  });
  assert.equal(createdAt, updatedAt);
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 300_000);
  const debited = await reach(gateway, id, 'DEBITED');
  assert.match(debited.operatorTxId, /./);
  assert.deepEqual(await checkLedger(gateway.database), []);
});

test('an Angolan phone pays in AOA, and every optional field comes back', async (context) => {
  const { api } = await testGateway(context);
  const optional = {
    externalId: 'encomenda-1',
    customerId: 'cliente-1',
    description: 'Almoço',
    statementDescriptor: 'LOJA',
    metadata: { 2: 'b', 1: ['a', { deep: null }], '😀': 'x' },
  };
  const { body } = await api('POST', '/v1/payments', {
    ...payment,
    operatorPhone: '+244923456789',
    ...optional,
  });
  assert.equal(body.currency, 'AOA');
  for (const [field, value] of Object.entries(optional)) assert.deepEqual(body[field], value);
  const { body: empty } = await api('POST', '/v1/payments', { ...payment, metadata: {} });
  assert.deepEqual(empty.metadata, {});
});

const failures = {
  '019': 'PAYER_LIMIT_REACHED',
  '029': 'PAYER_NOT_FOUND',
  '039': 'PAYER_DECLINED',
  '049': 'INSUFFICIENT_FUNDS',
  '059': 'PAYER_UNREACHABLE',
  '069': 'OPERATOR_ERROR',
  '079': 'OPERATOR_UNAVAILABLE',
  '099': 'PAYER_AUTH_FAILED',
};

test('each failing suffix makes the payment FAILED with its code', async (context) => {
  const gateway = await testGateway(context);
  await Promise.all(
    Object.entries(failures).map(async ([suffix, failureCode]) => {
      const operatorPhone = `+2389912${suffix}`;
      const { body } = await gateway.api('POST', '/v1/payments', { ...payment, operatorPhone });
      const failed = await reach(gateway, body.id, 'FAILED');
      assert.equal(failed.failureCode, failureCode);
      assert.match(failed.failureMessage, /\.$/);
    }),
  );
  assert.deepEqual(await checkLedger(gateway.database), []);
});

test('create, then cancel at once: twenty times CANCELLED', async (context) => {
  const { api } = await testGateway(context, { environment: { SIMULATOR_DELAY_MS: '2000' } });
  for (let round = 0; round < 20; round++) {
    const { body } = await api('POST', '/v1/payments', payment);
    const cancelled = await api('POST', `/v1/payments/${body.id}/cancel`);
    assert.equal(cancelled.status, 200);
    assert.equal(cancelled.body.status, 'CANCELLED');
    const again = await api('POST', `/v1/payments/${body.id}/cancel`);
    assert.equal(again.status, 409);
    assert.equal(again.body.error.code, 'INVALID_STATE');
  }
});

test('a debited payment cannot be cancelled', async (context) => {
  const gateway = await testGateway(context);
  const { body } = await gateway.api('POST', '/v1/payments', payment);
  await reach(gateway, body.id, 'DEBITED');
  const refused = await gateway.api('POST', `/v1/payments/${body.id}/cancel`);
  assert.equal(refused.status, 409);
  assert.equal(refused.body.error.code, 'INVALID_STATE');
});

test('a customer who never answers lets the payment expire', async (context) => {
  const environment = { PAYMENT_EXPIRY_SECONDS: '1' };
  const gateway = await testGateway(context, { environment });
  const operatorPhone = '+2389912109';
  const { body } = await gateway.api('POST', '/v1/payments', { ...payment, operatorPhone });
  await reach(gateway, body.id, 'USER_CONFIRMING');
  const expired = await reach(gateway, body.id, 'EXPIRED');
  assert.equal(expired.failureCode, 'CONFIRMATION_TIMEOUT');
});

test('a debit without a callback is found by asking', async (context) => {
  const gateway = await testGateway(context);
  const operatorPhone = '+2389912129';
  const { body } = await gateway.api('POST', '/v1/payments', { ...payment, operatorPhone });
  await reach(gateway, body.id, 'DEBITED');
});

test('a success callback that comes twice debits once', async (context) => {
  const gateway = await testGateway(context);
  const operatorPhone = '+2389912149';
  const { body } = await gateway.api('POST', '/v1/payments', { ...payment, operatorPhone });
  await reach(gateway, body.id, 'DEBITED');
  assert.deepEqual(await checkLedger(gateway.database), []);
});

test('confirm plays the customer, only while the payment waits for him', async (context) => {
  const gateway = await testGateway(context);
  const operatorPhone = '+2389912159';
  const { body } = await gateway.api('POST', '/v1/payments', { ...payment, operatorPhone });
  await reach(gateway, body.id, 'USER_CONFIRMING');
  const confirmed = await gateway.api('POST', `/v1/payments/${body.id}/confirm`);
  assert.equal(confirmed.status, 200);
  assert.equal(confirmed.body.status, 'DEBITED');
  const again = await gateway.api('POST', `/v1/payments/${body.id}/confirm`);
  assert.equal(again.status, 409);
  const live = apiOf(gateway.url, await testKey(gateway.database, 'live'));
  const refused = await live('POST', `/v1/payments/${body.id}/confirm`);
  assert.equal(refused.status, 403);
});

for (const ending of ['CANCELLED', 'EXPIRED'] as const) {
  test(`a debit that comes to light after ${ending} goes to suspense and back to the customer`, async (context) => {
    const environment = { PAYMENT_EXPIRY_SECONDS: '1' };
    const gateway = await testGateway(context, { environment });
    const operatorPhone = '+2389912139';
    const { body } = await gateway.api('POST', '/v1/payments', { ...payment, operatorPhone });
    await reach(gateway, body.id, 'USER_CONFIRMING');
    if (ending === 'CANCELLED') await gateway.api('POST', `/v1/payments/${body.id}/cancel`);
    await reach(gateway, body.id, ending);
    await eventually('the reversal succeeds', async () => {
      const text = `SELECT amount_minor FROM reversals WHERE status = 'SUCCEEDED'`;
      return (await gateway.database.query({ text })).length === 1;
    });
    const text = `SELECT account, balance_minor AS balance FROM balances ORDER BY account`;
    assert.deepEqual(await gateway.database.query({ text }), [
      { account: 'operator:MOCK', balance: 0n },
      { account: 'suspense', balance: 0n },
    ]);
    assert.equal((await gateway.api('GET', `/v1/payments/${body.id}`)).body.status, ending);
    assert.deepEqual(await checkLedger(gateway.database), []);
  });
}

test('with a live key MOCK and operators that are not configured are refused', async (context) => {
  const gateway = await testGateway(context);
  const live = apiOf(gateway.url, await testKey(gateway.database, 'live'));
  for (const operator of ['MOCK', 'CVMOVEL', 'UNITEL_TMAIS']) {
    const { status, body } = await live('POST', '/v1/payments', { ...payment, operator });
    assert.equal(status, 400);
    assert.match(body.error.message, /^operator /);
  }
});
