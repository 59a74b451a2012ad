import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { anotherGateway, apiOf, eventually, testGateway } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };

test('shares the work that one process accepts among others, each piece once', async (context) => {
  const api = await testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });
  const receiver = await testReceiver(context);
  const events = ['payment.created', 'payment.debited'];
  await api.api('POST', '/v1/webhooks', { url: receiver.url, events });
  const created = await Promise.all(
    Array.from({ length: 40 }, () => api.api('POST', '/v1/payments', payment)),
  );
  assert.equal(receiver.received.length, 0, 'a process of role api delivers nothing');
  const worker = { environment: { ZIMBO_ROLE: 'worker' } };
  await anotherGateway(context, api.databaseUrl, worker);
  await anotherGateway(context, api.databaseUrl, worker);
  await eventually('every payment is debited and told of', () => receiver.received.length === 80);
  const told = receiver.received.map(({ event }) => `${event.type} ${event.data.id}`);
  assert.equal(new Set(told).size, 80, 'no event came twice');
  for (const { body } of created) {
    const { body: now } = await api.api('GET', `/v1/payments/${body.id}`);
    assert.equal(now.status, 'DEBITED');
  }
  assert.deepEqual(await checkLedger(api.database), []);
});

test('answers for the health of a process of role worker, but not for the API', async (context) => {
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'worker' } });
  const api = apiOf(gateway.url, gateway.key);
  assert.equal((await api('GET', '/v1/payments')).status, 404);
  assert.equal((await fetch(`${gateway.url}/readyz`)).status, 200);
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  for (const name of ['zimbo_due_rows', 'zimbo_due_oldest_seconds', 'zimbo_database_connections']) {
    assert.match(metrics, new RegExp(`^${name}\\{`, 'm'));
  }
});

test('reads in one process what another has answered, with any number of concurrent reads', async (context) => {
  const environment = { ZIMBO_ROLE: 'api' };
  const first = await testGateway(context, { environment });
  const second = await anotherGateway(context, first.databaseUrl, { environment });
  const [here, elsewhere] = [first.url, second.url].map((url) => apiOf(url, first.key));
  const one = async () => {
    const { body: created } = await here!('POST', '/v1/payments', payment);
    const read = await elsewhere!('GET', `/v1/payments/${created.id}`);
    assert.deepEqual(read.body, created);
    await here!('POST', `/v1/payments/${created.id}/cancel`);
    const { body: now } = await elsewhere!('GET', `/v1/payments/${created.id}`);
    assert.equal(now.status, 'CANCELLED');
  };
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 20 }, one));
});

test('sends events of one process to a webhook endpoint created in another', async (context) => {
  const first = await testGateway(context);
  const second = await anotherGateway(context, first.databaseUrl);
  const receiver = await testReceiver(context);
  const elsewhere = apiOf(second.url, first.key);
  for (let round = 1; round <= 3; round++) {
    const endpoint = { url: receiver.url, events: ['payment.created'] };
    const { body } = await first.api('POST', '/v1/webhooks', endpoint);
    await elsewhere('POST', '/v1/payments', payment);
    await eventually('the event arrives', () => receiver.received.length === round);
    await first.api('DELETE', `/v1/webhooks/${body.id}`);
  }
});
