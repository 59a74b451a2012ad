/** What merchants see of operators: their details, their state, and whose phone it may be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeStatus } from '../../src/integrations/operators/statuses/store.ts';
import {
  countMeasurements,
  liveOperators,
  type OperatorsWorld,
} from '../support/operator-statuses.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const stateOf = async ({ live }: OperatorsWorld, name = 'CVMOVEL') => {
  const { body } = await live('GET', `/v1/operators/${name}`);
  return [body.status, body.statusSince];
};

test('shows the operators that a live key can use, with their settings', async (context) => {
  const { live } = await liveOperators(context, {
    OPERATOR_CVMOVEL_MIN_AMOUNT: '1000',
    OPERATOR_CVMOVEL_MAX_AMOUNT: '5000000',
    OPERATOR_CVMOVEL_CONFIRMATION_SECONDS: '90',
    OPERATOR_CVMOVEL_PROMPT_PT: 'Marque *123#.',
  });
  const { status, body } = await live('GET', '/v1/operators');
  assert.equal(status, 200);
  assert.deepEqual(body, {
    data: [
      {
        name: 'CVMOVEL',
        label: 'CVMóvel',
        country: 'CV',
        currencies: ['CVE'],
        prefixes: ['+23836', '+23858', '+23859', '+23895', '+23897', '+23898', '+23899'],
        status: 'UP',
        statusSince: null,
        minAmount: '1000',
        maxAmount: '5000000',
        confirmationSeconds: 90,
        prompt: {
          pt: 'Marque *123#.',
          en: 'Confirm the payment with your PIN, in the request that appears on your phone.',
        },
      },
    ],
    hasMore: false,
  });
  assert.deepEqual((await live('GET', '/v1/operators/CVMOVEL')).body, body.data[0]);
  for (const name of ['UNITEL_TMAIS', 'MOCK', 'cvmovel', 'MPESA']) {
    assert.equal((await live('GET', `/v1/operators/${name}`)).status, 404, name);
  }
});

test('shows a test key all operators, and confirmation as long as a payment waits', async () => {
  const { zimbo } = await sharedGateway();
  const operators = await zimbo.operators.list();
  assert.deepEqual(
    operators.map(({ name, country, status }) => [name, country, status]),
    [
      ['CVMOVEL', 'CV', 'UP'],
      ['UNITEL_TMAIS', 'CV', 'UP'],
      ['MOCK', null, 'UP'],
    ],
  );
  assert.ok(operators.every(({ confirmationSeconds }) => confirmationSeconds === 300));
  assert.deepEqual(await zimbo.operators.get('MOCK'), operators[2]);
});

test('predicts the operator of a phone in any spelling', async () => {
  const { zimbo, api } = await sharedGateway();
  assert.deepEqual(await zimbo.operators.predict({ phone: 'tel:+238 991 23-45' }), {
    phone: '+2389912345',
    country: 'CV',
    currency: 'CVE',
    operator: 'CVMOVEL',
    candidates: ['CVMOVEL', 'UNITEL_TMAIS', 'MOCK'],
  });
  const angola = await zimbo.operators.predict({ phone: '00244923456789' });
  assert.deepEqual(
    [angola.country, angola.currency, angola.operator],
    ['AO', 'AOA', 'UNITEL_TMAIS'],
  );
  const nobody = await zimbo.operators.predict({ phone: '+2382612345' });
  assert.deepEqual([nobody.country, nobody.operator], ['CV', null]);
  const abroad = await zimbo.operators.predict({ phone: '+351912345678' });
  assert.deepEqual([abroad.country, abroad.currency, abroad.operator], [null, null, null]);
  const wrong = await api('POST', '/v1/operators/predict', { phone: '12' });
  assert.deepEqual([wrong.status, wrong.body.error.code], [400, 'VALIDATION_ERROR']);
});

test('predicts for a live key only operators that can be paid with', async (context) => {
  const { live } = await liveOperators(context);
  const predict = async (phone: string) =>
    (await live('POST', '/v1/operators/predict', { phone })).body;
  assert.deepEqual((await predict('+2389912345')).candidates, ['CVMOVEL']);
  const other = await predict('+2385112345');
  assert.deepEqual([other.operator, other.candidates], [null, ['CVMOVEL']]);
  assert.deepEqual((await predict('+244923456789')).candidates, []);
  assert.deepEqual((await predict('+351912345678')).candidates, []);
});

test('ignores an idempotency key where it predicts', async () => {
  const { api } = await sharedGateway();
  const headers = { 'idempotency-key': 'order 17' };
  const predict = (phone: string) => api('POST', '/v1/operators/predict', { phone }, headers);
  assert.equal((await predict('+2389912345')).body.operator, 'CVMOVEL');
  const second = await predict('+2385112345');
  assert.equal(second.body.operator, 'UNITEL_TMAIS');
  assert.equal(second.headers.get('idempotent-replayed'), null);
});

test('shows live keys the state that staff see, in every process, and test keys always UP', async (context) => {
  const world = await liveOperators(context);
  await countMeasurements(world, { unanswered: 20 });
  await world.judge();
  const [status, since] = await stateOf(world);
  assert.equal(status, 'DOWN');
  assert.ok(Date.now() - Date.parse(since) < 3_600_000, since);
  const second = await world.anotherProcess();
  assert.deepEqual((await second('GET', '/v1/operators/CVMOVEL')).body.status, 'DOWN');
  const tested = await world.gateway.api('GET', '/v1/operators/CVMOVEL');
  assert.deepEqual([tested.body.status, tested.body.statusSince], ['UP', null]);
  await countMeasurements(world, { answered: 20, unanswered: 0 });
  await world.judge();
  assert.equal((await stateOf(world))[0], 'UP');
});

test('stores a change of which another process knows only once', async (context) => {
  const world = await liveOperators(context);
  const { database } = world.gateway;
  await countMeasurements(world, { unanswered: 20 });
  await Promise.all(Array.from({ length: 8 }, () => world.judge()));
  const text = 'SELECT version FROM operator_statuses';
  assert.deepEqual(await database.query({ text }), [{ version: 1 }]);
  // Judged before the change above.
  const operator = 'CVMOVEL';
  const late = { operator, status: 'DEGRADED', sinceMs: 0, seenVersion: 0 } as const;
  await changeStatus(database, late);
  assert.equal((await stateOf(world))[0], 'DOWN');
});
