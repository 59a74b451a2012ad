import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { verifyWebhook } from '../../../sdk/typescript/src/index.ts';
import { eventually, testGateway } from '../support/gateway.ts';
import { type Received, testReceiver } from '../support/receiver.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

test('delivers a signed payment.debited to the merchant, which openssl verifies', async (context) => {
  const { zimbo } = await sharedGateway();
  const receiver = await testReceiver(context);
  const endpoint = await zimbo.webhooks.create({
    url: receiver.url,
    events: ['payment.debited', 'payment.created', 'payment.debited'],
  });
  assert.match(endpoint.id, /^we_/);
  assert.match(endpoint.secret, /^whsec_[0-9A-Za-z+/]{43}=$/);
  assert.deepEqual(endpoint.events, ['payment.debited', 'payment.created']);
  assert.equal(endpoint.status, 'ACTIVE');

  const created = await zimbo.payments.create(payment);
  await eventually('two events arrive', () => receiver.received.length === 2);
  const ofType = (type: string) =>
    receiver.received.find(({ event }) => event.type === type) as Received;
  const creation = ofType('payment.created');
  const debit = ofType('payment.debited');
  assert.deepEqual(creation.event.data, created);
  assert.deepEqual(debit.event.data, await zimbo.payments.get(created.id));
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
  const verified = await verifyWebhook(debit.raw, debit.headers, endpoint.secret);
  assert.deepEqual(verified, debit.event);
});

test('retries a refused event with the same bytes and a new signature', async (context) => {
  const { zimbo } = await sharedGateway();
  const receiver = await testReceiver(context);
  receiver.answer = (index) => (index === 0 ? 500 : 204);
  // Two attempts less than a second apart may have the same timestamp.
  receiver.headers = { 'retry-after': '2' };
  const { secret } = await zimbo.webhooks.create({
    url: receiver.url,
    events: ['payment.created'],
  });
  await zimbo.payments.create(payment);
  await eventually('a second attempt arrives', () => receiver.received.length === 2);
  const [first, second] = receiver.received as [Received, Received];
  assert.deepEqual(second.raw, first.raw);
  for (const { headers, raw } of [first, second]) await verifyWebhook(raw, headers, secret);
  const timestamps = [first, second].map(({ headers }) => Number(headers['x-service-timestamp']));
  assert.ok(timestamps[1]! > timestamps[0]!, 'the second attempt has a timestamp of its own');
});

test('sends only subscribed events to an endpoint, and nothing once it is deleted', async (context) => {
  const { zimbo } = await sharedGateway();
  const receiver = await testReceiver(context);
  const other = await testReceiver(context);
  const { id } = await zimbo.webhooks.create({ url: receiver.url, events: ['payment.failed'] });
  await zimbo.webhooks.create({ url: other.url, events: ['payment.debited'] });
  await zimbo.payments.create(payment);
  await eventually('the other endpoint hears of the debit', () => other.received.length === 1);
  await zimbo.webhooks.delete(id);
  await assert.rejects(zimbo.webhooks.get(id), { code: 'NOT_FOUND', status: 404 });
  await zimbo.payments.create({ ...payment, operatorPhone: '+2389912049' });
  await zimbo.payments.create(payment);
  await eventually('the other endpoint hears of the next debit', () => other.received.length === 2);
  assert.equal(receiver.received.length, 0);
});

test('shows the secret only in the answer to the creation', async () => {
  const { zimbo } = await sharedGateway();
  const created = await zimbo.webhooks.create({
    url: 'http://localhost:9/x',
    events: ['payment.debited'],
    description: null,
  });
  const { secret, ...shown } = created;
  assert.ok(secret);
  assert.deepEqual(await zimbo.webhooks.get(created.id), shown);
  assert.deepEqual(await zimbo.webhooks.list().page(), { data: [shown], hasMore: false });
});

test('rejects a private target unless those are allowed', async (context) => {
  const { zimbo, database } = await testGateway(context, {
    environment: { WEBHOOK_ALLOW_PRIVATE: 'false' },
  });
  const receiver = await testReceiver(context);
  const { url } = receiver;
  const events = ['payment.created' as const];
  const refused = { code: 'VALIDATION_ERROR', message: /^url must lead to a public address/ };
  await assert.rejects(zimbo.webhooks.create({ url, events }), refused);
  const { id } = await zimbo.webhooks.create({ url: 'https://shop.example/', events });
  await assert.rejects(zimbo.webhooks.update(id, { url }), refused);
  // As for a name with a private address, or an address that is no longer allowed.
  await database.query({ text: 'UPDATE webhook_endpoints SET url = $1' }, [url]);
  await zimbo.payments.create(payment);
  const error = await eventually('the attempt is recorded', async () => {
    const text = 'SELECT last_error AS error FROM deliveries WHERE attempt_count > 0';
    return (await database.query<{ error: string }>({ text }))[0]?.error;
  });
  assert.match(error, /not public/);
  assert.equal(receiver.received.length, 0);
});
