import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { confirmPhone, okPhone, openSession, pageOf, poorPhone } from '../support/checkout.ts';
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts';
import { type Received, testReceiver } from '../support/receiver.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const silentPhone = '+2389912109';
const unrefundablePhone = '+2389912119';

const types = [
  'checkout.completed',
  'checkout.expired',
  'payment.cancelled',
  'payment.created',
  'payment.debited',
  'payment.expired',
  'payment.failed',
  'payment.settled',
  'refund.created',
  'refund.failed',
  'refund.succeeded',
  'settlement.completed',
];

async function pay({ api }: TestGateway, operatorPhone: string): Promise<string> {
  const body = { amount: 10_000, operator: 'MOCK', operatorPhone };
  return (await api('POST', '/v1/payments', body)).body.id;
}

async function reach({ api }: TestGateway, id: string, status: string): Promise<void> {
  await eventually(`${id} becomes ${status}`, async () => {
    return (await api('GET', `/v1/payments/${id}`)).body.status === status;
  });
}

async function refund(gateway: TestGateway, operatorPhone: string): Promise<void> {
  const paymentIntentId = await pay(gateway, operatorPhone);
  await reach(gateway, paymentIntentId, 'DEBITED');
  const { status } = await gateway.api('POST', '/v1/refunds', { paymentIntentId, amount: 100 });
  assert.equal(status, 200);
}

/** Triggers every event. */
async function liveThroughAll(gateway: TestGateway): Promise<void> {
  const { api } = gateway;
  await pay(gateway, poorPhone);
  await pay(gateway, silentPhone);
  const cancelled = await pay(gateway, confirmPhone);
  assert.equal((await api('POST', `/v1/payments/${cancelled}/cancel`)).status, 200);
  await refund(gateway, okPhone);
  await refund(gateway, unrefundablePhone);
  const [left, paid] = [await openSession(gateway), await openSession(gateway)];
  await api('POST', `/v1/checkout/sessions/${left.id}/expire`);
  await pageOf(gateway, paid).pay(okPhone);
  assert.equal((await api('POST', '/v1/settlements/process', {})).status, 200);
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const prefixOf = { payment: 'pi', refund: 're', checkout: 'cs', settlement: 'se' };

function assertEvent({ event, headers, raw }: Received, secret: string): void {
  assert.deepEqual(Object.keys(event).sort(), ['createdAt', 'data', 'id', 'type']);
  assert.match(event.id, /^evt_[0-9a-z]{26}$/);
  assert.match(event.createdAt, instant);
  const kind = event.type.split('.')[0] as keyof typeof prefixOf;
  assert.match(event.data.id, new RegExp(`^${prefixOf[kind]}_`), event.type);
  if (kind === 'payment') {
    for (const field of ['amount', 'currency', 'status', 'operator', 'operatorPhone']) {
      assert.equal(typeof event.data[field], 'string', field);
    }
  }
  const timestamp = headers['x-service-timestamp'] as string;
  assert.match(timestamp, /^\d{10}$/);
  const signed = createHmac('sha256', secret).update(`${timestamp}.`).update(raw);
  assert.equal(headers['x-service-signature'], signed.digest('hex'));
}

test('sends each of the twelve types to its subscriber, signed and in the format of the contract', async (context) => {
  const environment = { PAYMENT_EXPIRY_SECONDS: '5' };
  const gateway = await testGateway(context, { environment });
  const receiver = await testReceiver(context);
  const endpoint = { url: receiver.url, events: types };
  const created = await gateway.api('POST', '/v1/webhooks', endpoint);
  assert.equal(created.status, 200, created.text);
  assert.deepEqual(created.body.events, types);
  await liveThroughAll(gateway);
  const told = await eventually(
    'each type arrives',
    () => {
      const seen = [...new Set(receiver.received.map(({ event }) => event.type as string))];
      return seen.length === types.length && seen.sort((one, other) => one.localeCompare(other));
    },
    30_000,
  );
  assert.deepEqual(told, types);
  for (const received of receiver.received) assertEvent(received, created.body.secret);
});

test('repeats an event without a 2xx, with the same id and body', async (context) => {
  const gateway = await sharedGateway();
  for (const refusal of [302, 404, 500]) {
    const receiver = await testReceiver(context);
    receiver.answer = (index) => (index === 0 ? refusal : 200);
    const endpoint = { url: receiver.url, events: ['payment.created'] };
    const { body } = await gateway.api('POST', '/v1/webhooks', endpoint);
    await pay(gateway, okPhone);
    await eventually('it comes again', () => receiver.received.length === 2);
    const [first, second] = receiver.received as [Received, Received];
    assert.equal(second.event.id, first.event.id);
    assert.deepEqual(second.raw, first.raw);
    for (const received of receiver.received) assertEvent(received, body.secret);
    await gateway.api('DELETE', `/v1/webhooks/${body.id}`);
  }
});
