import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListCheckoutSessionsQuery, Payment } from '../../../sdk/typescript/src/index.ts';
import {
  okPhone,
  openSession,
  pageOf,
  poorPhone,
  reachPayment,
  reload,
} from '../support/checkout.ts';
import { eventually } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

test('names the session of a payment, and copies its metadata, customer and description', async (context) => {
  const gateway = await sharedGateway();
  const receiver = await testReceiver(context);
  await gateway.zimbo.webhooks.create({ url: receiver.url, events: ['payment.failed'] });
  const metadata = { orderId: 'A 17', lines: [1, 2.5, null] };
  const given = { metadata, customerId: 'cliente 1', description: 'Encomenda A 17' };
  const session = await openSession(gateway, given);
  await pageOf(gateway, session).pay(poorPhone);
  const payment = await reachPayment(gateway, session, 'FAILED');
  const carried = { ...given, checkoutSessionId: session.id };
  const carriedBy = ({ metadata, customerId, description, checkoutSessionId }: Payment) => ({
    metadata,
    customerId,
    description,
    checkoutSessionId,
  });
  assert.deepEqual(carriedBy(payment), carried);
  const { event } = await eventually('payment.failed comes', () => receiver.received[0]);
  assert.deepEqual(carriedBy(event.data), carried);
  const direct = await gateway.zimbo.payments.create({
    amount: 1,
    operator: 'MOCK',
    operatorPhone: okPhone,
  });
  assert.equal('checkoutSessionId' in direct, false);
});

test('describes payments of a session without a description by its items', async () => {
  const gateway = await sharedGateway();
  const attempt = async (items: { name: string; quantity: number; unitPrice: number }[]) => {
    const session = await openSession(gateway, items.length > 0 ? { items } : {});
    await pageOf(gateway, session).pay(poorPhone);
    return (await reachPayment(gateway, session, 'FAILED')).description;
  };
  const item = (name: string, quantity: number) => ({ name, quantity, unitPrice: 100 });
  assert.equal(
    await attempt([item('Cachupa rica', 2), item('Café', 1)]),
    '2 × Cachupa rica, 1 × Café',
  );
  assert.equal(await attempt([]), null);
  const long = await attempt([item('é'.repeat(255), 1), item('Café', 1)]);
  assert.equal(long, `1 × ${'é'.repeat(250)}…`);
});

test('finds sessions by any of their payments, and by customer', async () => {
  const gateway = await sharedGateway();
  const { zimbo, api } = gateway;
  const session = await openSession(gateway, { customerId: 'cliente 1' });
  const other = await openSession(gateway, { customerId: 'cliente 2' });
  const page = pageOf(gateway, session);
  await page.pay(poorPhone);
  const first = await reachPayment(gateway, session, 'FAILED');
  await page.pay(okPhone);
  const second = await reachPayment(gateway, session, 'DEBITED');
  const found = async (query: ListCheckoutSessionsQuery) =>
    (await zimbo.checkout.sessions.list(query).page()).data.map(({ id }) => id);
  assert.deepEqual(await found({ paymentIntentId: first.id }), [session.id]);
  assert.deepEqual(await found({ paymentIntentId: second.id }), [session.id]);
  assert.deepEqual(await found({ customerId: 'cliente 2' }), [other.id]);
  assert.deepEqual(await found({ customerId: 'cliente 1', status: 'OPEN' }), []);
  assert.deepEqual(await found({ customerId: 'cliente 3' }), []);
  const nobodys = [`pi_${'0'.repeat(26)}`, 'pi_1', session.id];
  for (const id of nobodys) assert.deepEqual(await found({ paymentIntentId: id }), [], id);
  const answer = await api('GET', `/v1/checkout/sessions?payment_intent_id=${first.id}`);
  assert.deepEqual(answer.body, { data: [await reload(gateway, session)], hasMore: false });
});

test("shows the merchant's description of the purchase on the page", async () => {
  const gateway = await sharedGateway();
  const items = [{ name: 'Café', description: '<b>250 g</b>, moído', quantity: 1, unitPrice: 100 }];
  const session = await openSession(gateway, { items, description: 'Encomenda <i>17</i>' });
  const { text } = await pageOf(gateway, session).look();
  assert.ok(text.includes('<bdi>&lt;b&gt;250 g&lt;/b&gt;, moído</bdi>'), text);
  assert.ok(text.includes('<bdi>Encomenda &lt;i&gt;17&lt;/i&gt;</bdi>'));
});

test("accepts only phones of the session's own currency", async () => {
  const gateway = await sharedGateway();
  const angola = '+244 923 456 789';
  const escudos = pageOf(gateway, await openSession(gateway));
  const refused = await escudos.pay(angola);
  assert.equal(refused.status, 400);
  assert.match(
    refused.text,
    /Este pagamento é em escudos \(CVE\): só são aceites números de Cabo Verde/,
  );
  const portugal = await escudos.pay('+351 912 345 678');
  assert.equal(portugal.status, 400);
  assert.match(portugal.text, /só são aceites números de Cabo Verde/);
  const kwanzas = pageOf(gateway, await openSession(gateway, { currency: 'AOA' }));
  assert.equal((await kwanzas.pay(okPhone)).status, 400);
  assert.equal((await kwanzas.pay(angola)).status, 303);
});
