import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenderingChange } from '../../src/platform/idempotency/rendering-change.ts';
import { timestamp } from '../../src/platform/postgres/database.ts';
import { okPhone, openSession, pageOf, poorPhone, reachPayment } from '../support/checkout.ts';
import {
  apiOf,
  eventually,
  reach,
  type TestGateway,
  testGateway,
  testKey,
} from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const path = '/v1/checkout/sessions';
const orderFields = ['externalId', 'checkoutSessionId'];

/** How an object names its order and session; a field that is not there stays out. */
const named = (object: object) =>
  Object.fromEntries(Object.entries(object).filter(([field]) => orderFields.includes(field)));

const subscribed = [
  'checkout.completed',
  'checkout.expired',
  'payment.created',
  'payment.failed',
  'payment.debited',
  'refund.created',
  'refund.failed',
  'refund.succeeded',
] as const;

/** The events of the types, by type, once all have come. */
async function eventsOf(
  { received }: Awaited<ReturnType<typeof testReceiver>>,
  ...types: (typeof subscribed)[number][]
) {
  const events = await eventually(`${types.join(', ')} come`, () => {
    const found = types.map((type) => received.find(({ event }) => event.type === type)?.event);
    return found.every(Boolean) && found;
  });
  return Object.fromEntries(events.map((event) => [event!.type, named(event!.data)]));
}

async function payAgain(gateway: TestGateway, externalId?: string) {
  const session = await openSession(gateway, externalId === undefined ? {} : { externalId });
  const page = pageOf(gateway, session);
  await page.pay(poorPhone);
  await reachPayment(gateway, session, 'FAILED');
  await page.pay(okPhone);
  return { session, payment: await reachPayment(gateway, session, 'DEBITED') };
}

test('names the order in a session, its payments, their refunds and all events', async (context) => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const receiver = await testReceiver(context);
  await zimbo.webhooks.create({ url: receiver.url, events: [...subscribed] });
  const externalId = 'ENC-2026/17 «é»';
  const { session, payment } = await payAgain(gateway, externalId);
  const order = { externalId, checkoutSessionId: session.id };
  assert.deepEqual(named(session), { externalId });
  assert.deepEqual(named(payment), order);
  const { id } = await zimbo.refunds.create({ paymentIntentId: payment.id, amount: 100 });
  const refund = await reach(zimbo.refunds, id, 'SUCCEEDED');
  assert.deepEqual(named(refund), order);
  const { data: refunds } = await zimbo.refunds.list({ paymentIntentId: payment.id }).page();
  assert.deepEqual(refunds, [refund]);
  assert.deepEqual(
    await eventsOf(
      receiver,
      'payment.created',
      'payment.failed',
      'payment.debited',
      'checkout.completed',
      'refund.created',
      'refund.succeeded',
    ),
    {
      'payment.created': order,
      'payment.failed': order,
      'payment.debited': order,
      'checkout.completed': { externalId },
      'refund.created': order,
      'refund.succeeded': order,
    },
  );
});

test('names the order in the events of what fails and expires', async (context) => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const receiver = await testReceiver(context);
  await zimbo.webhooks.create({ url: receiver.url, events: [...subscribed] });
  const session = await openSession(gateway, { externalId: 'A 1' });
  const expired = await zimbo.checkout.sessions.expire(session.id);
  assert.deepEqual(named(expired), { externalId: 'A 1' });
  const { id: paymentIntentId } = await zimbo.payments.create({
    amount: 100,
    operator: 'MOCK',
    operatorPhone: '+2389912119',
    externalId: 'A 2',
  });
  await reach(zimbo.payments, paymentIntentId, 'DEBITED');
  const { id } = await zimbo.refunds.create({ paymentIntentId });
  assert.deepEqual(named(await reach(zimbo.refunds, id, 'FAILED')), { externalId: 'A 2' });
  assert.deepEqual(await eventsOf(receiver, 'checkout.expired', 'refund.failed'), {
    'checkout.expired': { externalId: 'A 1' },
    'refund.failed': { externalId: 'A 2' },
  });
});

test('shows no order where none was given', async (context) => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const receiver = await testReceiver(context);
  await zimbo.webhooks.create({ url: receiver.url, events: [...subscribed] });
  const { session, payment } = await payAgain(gateway);
  assert.deepEqual(named(session), {});
  assert.deepEqual(named(payment), { externalId: null, checkoutSessionId: session.id });
  const refund = async (paymentIntentId: string) => {
    const { id } = await zimbo.refunds.create({ paymentIntentId });
    return named(await zimbo.refunds.get(id));
  };
  assert.deepEqual(await refund(payment.id), { checkoutSessionId: session.id });
  const direct = await zimbo.payments.create({
    amount: 100,
    operator: 'MOCK',
    operatorPhone: okPhone,
  });
  await reach(zimbo.payments, direct.id, 'DEBITED');
  assert.deepEqual(await refund(direct.id), {});
  const events = await eventsOf(receiver, 'checkout.completed', 'refund.created');
  assert.deepEqual(events['checkout.completed'], {});
});

test('finds sessions and payments by their order, each tenant its own', async () => {
  const gateway = await sharedGateway();
  const stranger = apiOf(gateway.url, await testKey(gateway.database));
  const externalId = 'encomenda & 17';
  const { session, payment } = await payAgain(gateway, externalId);
  const second = await openSession(gateway, { externalId });
  await openSession(gateway, { externalId: 'encomenda & 18' });
  const { body: theirs } = await stranger('POST', path, { amount: 1, externalId });
  const query = `external_id=${encodeURIComponent(externalId)}`;
  const found = async (list: string, api = gateway.api) =>
    (await api('GET', `${list}?${query}`)).body.data.map(({ id }: { id: string }) => id);
  assert.deepEqual(await found(path), [second.id, session.id]);
  assert.deepEqual(await found(path, stranger), [theirs.id]);
  assert.equal((await found('/v1/payments')).length, 2, 'both attempts');
  assert.equal((await found('/v1/payments'))[0], payment.id);
  assert.deepEqual(await found('/v1/payments', stranger), []);
  const open = await gateway.zimbo.checkout.sessions.list({ externalId, status: 'OPEN' }).page();
  assert.deepEqual(open.data, [second]);
  for (const wrong of ['', 'x'.repeat(256)]) {
    const { status } = await gateway.api('GET', `${path}?external_id=${wrong}`);
    assert.equal(status, 400, 'the limits of the field');
  }
});

test('keeps any text of 1 to 255 characters as the name of an order', async () => {
  const gateway = await sharedGateway();
  const texts = [
    '1',
    '€'.repeat(255),
    '😀'.repeat(255),
    ' a\t"\\b\n',
    '\u001f\u202e<b>',
    "%_'); --",
  ];
  for (const externalId of texts) {
    const session = await openSession(gateway, { externalId });
    assert.equal(session.externalId, externalId);
    await pageOf(gateway, session).pay(poorPhone);
    const payment = await reachPayment(gateway, session, 'FAILED');
    assert.equal(payment.externalId, externalId);
    const { data } = await gateway.zimbo.checkout.sessions.list({ externalId }).page();
    assert.deepEqual(
      data.map(({ id }) => id),
      [session.id],
    );
  }
  for (const externalId of ['', 'x'.repeat(256), 1, {}, 'a\u0000b', '\ud800']) {
    const { status, body } = await gateway.api('POST', path, { amount: 1, externalId });
    assert.equal(status, 400, JSON.stringify(externalId));
    assert.equal(body.error.param, 'externalId', JSON.stringify(externalId));
  }
});

test('names no order in the answer to a refund, which older programs repeat to the byte', async (context) => {
  const { api, zimbo, database } = await testGateway(context);
  const payment = {
    amount: 100,
    operator: 'MOCK',
    operatorPhone: okPhone,
    externalId: 'A 1',
  } as const;
  const { id: paymentIntentId } = await zimbo.payments.create(payment);
  await reach(zimbo.payments, paymentIntentId, 'DEBITED');
  const ask = () => api('POST', '/v1/refunds', { paymentIntentId }, { 'idempotency-key': 'a 1' });
  const first = await ask();
  assert.deepEqual(named(first.body), { externalId: 'A 1' });
  assert.equal((await ask()).text, first.text);
  // As the version before made them.
  await database.query({ text: 'UPDATE refunds SET rendering = 1' });
  const before = first.text.replace(',"externalId":"A 1"', '');
  assert.equal((await ask()).text, before);
  const { body } = await api('GET', `/v1/refunds/${first.body.id}`);
  assert.deepEqual(named(body), { externalId: 'A 1' });
});

test('keeps to the earlier answer for a day after an upgrade', async (context) => {
  const { database } = await testGateway(context);
  const rendering = new RenderingChange(60);
  const from = async (upgradedMs: number) => {
    const text = 'UPDATE schema_migrations SET applied_at = $1 WHERE number = 60';
    await database.query({ text }, [timestamp(upgradedMs)]);
    await rendering.load(database);
  };
  const nowMs = Date.now();
  assert.equal(rendering.at(nowMs), 1, 'before it has read the database');
  await from(nowMs - 3_600_000);
  assert.equal(rendering.at(nowMs), 2, 'nobody was served before');
  await database.query({ text: `UPDATE tenants SET created_at = now() - interval '1 year'` });
  await rendering.load(database);
  assert.deepEqual([rendering.at(nowMs), rendering.at(nowMs + 24 * 3_600_000)], [1, 2]);
});

test('refuses the same key with another order', async () => {
  const { api } = await sharedGateway();
  const create = (body: object) =>
    api('POST', path, { amount: 1, ...body }, { 'idempotency-key': 'of one order' });
  const first = await create({ externalId: 'A 1' });
  const again = await create({ externalId: 'A 1', description: null });
  assert.equal(again.text, first.text);
  for (const other of [{ externalId: 'A 2' }, {}]) assert.equal((await create(other)).status, 409);
  const without = (body: object) =>
    api('POST', path, { amount: 1, ...body }, { 'idempotency-key': 'of no order' });
  assert.equal((await without({})).text, (await without({ externalId: null })).text);
});
