import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { eventually, testGateway } from '../gateway.ts';
import { type Received, testReceiver } from '../receiver.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };

test('a signed payment.debited reaches the merchant, and openssl verifies it', async (context) => {
  const { api } = await testGateway(context);
  const receiver = await testReceiver(context);
  const events = ['payment.debited', 'payment.created', 'payment.debited'];
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  assert.match(endpoint.id, /^we_/);
  assert.match(endpoint.secret, /^whsec_[0-9A-Za-z+/]{43}=$/);
  assert.deepEqual(endpoint.events, ['payment.debited', 'payment.created']);
  assert.equal(endpoint.status, 'ACTIVE');

  const { body: created } = await api('POST', '/v1/payments', payment);
  await eventually('two events arrive', () => receiver.received.length === 2);
  const ofType = (type: string) =>
    receiver.received.find(({ event }) => event.type === type) as Received;
  const creation = ofType('payment.created');
  const debit = ofType('payment.debited');
  assert.deepEqual(creation.event.data, created);
  assert.deepEqual(debit.event.data, (await api('GET', `/v1/payments/${created.id}`)).body);
  assert.deepEqual(Object.keys(debit.event), ['id', 'type', 'data', 'createdAt']);
  assert.match(debit.event.id, /^evt_/);
  assert.match(debit.event.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(debit.headers['content-type'], 'application/json');

  const timestamp = debit.headers['x-service-timestamp'] as string;
  assert.match(timestamp, /^\d+$/);
  const message = Buffer.concat([Buffer.from(`${timestamp}.`), debit.raw]);
  const openssl = ['dgst', '-sha256', '-hmac', endpoint.secret];
  const printed = execFileSync('openssl', openssl, { input: message, encoding: 'utf8' });
  assert.equal(debit.headers['x-service-signature'], printed.trim().split(' ').pop());
});

test('a refused event is tried again: the same bytes, signed afresh', async (context) => {
  const { api } = await testGateway(context);
  const receiver = await testReceiver(context);
  receiver.answer = (index) => (index === 0 ? 500 : 204);
  const { body: endpoint } = await api('POST', '/v1/webhooks', {
    url: receiver.url,
    events: ['payment.created'],
  });
  await api('POST', '/v1/payments', payment);
  await eventually('a second attempt arrives', () => receiver.received.length === 2);
  const [first, second] = receiver.received as [Received, Received];
  assert.deepEqual(second.raw, first.raw);
  for (const { headers, raw } of [first, second]) {
    const timestamp = headers['x-service-timestamp'] as string;
    const signature = createHmac('sha256', endpoint.secret)
      .update(`${timestamp}.`)
      .update(raw)
      .digest('hex');
    assert.equal(headers['x-service-signature'], signature);
  }
  const timestamps = [first, second].map(({ headers }) => Number(headers['x-service-timestamp']));
  assert.ok(timestamps[1]! > timestamps[0]!, 'the second attempt has a timestamp of its own');
});

test('only what an endpoint subscribed to is sent, and nothing once it is deleted', async (context) => {
  const { api } = await testGateway(context);
  const receiver = await testReceiver(context);
  const other = await testReceiver(context);
  const create = (url: string, events: string[]) => api('POST', '/v1/webhooks', { url, events });
  const { body: failedOnly } = await create(receiver.url, ['payment.failed']);
  await create(other.url, ['payment.debited']);
  await api('POST', '/v1/payments', payment);
  await eventually('the other endpoint hears of the debit', () => other.received.length === 1);
  assert.equal((await api('DELETE', `/v1/webhooks/${failedOnly.id}`)).status, 204);
  assert.equal((await api('GET', `/v1/webhooks/${failedOnly.id}`)).status, 404);
  await api('POST', '/v1/payments', { ...payment, operatorPhone: '+2389912049' });
  await api('POST', '/v1/payments', payment);
  await eventually('the other endpoint hears of the next debit', () => other.received.length === 2);
  assert.equal(receiver.received.length, 0);
});

test('the secret is in the answer to the creation only', async (context) => {
  const { api } = await testGateway(context);
  const endpoint = { url: 'http://localhost:9/x', events: ['payment.debited'], description: null };
  const { body: created } = await api('POST', '/v1/webhooks', endpoint);
  const { secret, ...shown } = created;
  assert.ok(secret);
  assert.deepEqual((await api('GET', `/v1/webhooks/${created.id}`)).body, shown);
  assert.deepEqual((await api('GET', '/v1/webhooks')).body, { data: [shown], hasMore: false });
});

test('a target that is not public is refused unless private ones are allowed', async (context) => {
  const { api, database } = await testGateway(context, {
    environment: { WEBHOOK_ALLOW_PRIVATE: 'false' },
  });
  const receiver = await testReceiver(context);
  await api('POST', '/v1/webhooks', { url: receiver.url, events: ['payment.created'] });
  await api('POST', '/v1/payments', payment);
  const error = await eventually('the attempt is recorded', async () => {
    const text = 'SELECT last_error AS error FROM deliveries WHERE attempt_count > 0';
    return (await database.query<{ error: string }>({ text }))[0]?.error;
  });
  assert.match(error, /not public/);
  assert.equal(receiver.received.length, 0);
});
