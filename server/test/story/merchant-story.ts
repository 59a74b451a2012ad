import assert from 'node:assert/strict';
import { tooLong } from '../../src/money/settlements/statement/spool.ts';
import { eventually } from '../support/eventually.ts';
import type { Story, StoryRequest } from './story.ts';

/** What the story needs beside the API. */
export interface Shop {
  /** A server of the shop that takes webhooks. */
  receiverUrl: string;
  /** A key that may take at most 500.00 in one payment, and disburse at most 50.00. */
  smallKey: string;
  /** Makes the bank slow: all payouts are under way again. */
  holdPayouts(): Promise<void>;
  /** Makes the operator slow: no disbursement has been sent after all. */
  holdDisbursements(): Promise<void>;
}

const phone = '+2389912345';
/** Its customer waits for `confirmPayment`. */
const waitingPhone = '+2389912159';
const key = (value: string) => ({ 'idempotency-key': value });

/** A shop's day: it sells, gives money back, gets its payout and looks after its webhooks. */
export async function tellOfShop(story: Story, shop: Shop): Promise<void> {
  const endpoint = await makeEndpoint(story, shop);
  const product = await sellProducts(story);
  const payment = await takePayments(story, shop);
  await refund(story, shop, payment);
  await disburse(story, shop);
  await openCheckout(story, shop, product);
  await linkPayments(story, shop, product);
  await readEvents(story);
  await askAboutOperators(story);
  await payOut(story, shop);
  await watchDeliveries(story, shop, endpoint);
  await story.call('deleteProduct', { path: { id: product } });
  await story.refuse('deleteProduct', { path: { id: product } });
}

/** Asks until the operation's answer has this status. It is no example. */
const reach = (story: Story, operationId: string, id: string, status: string) =>
  eventually(`${id} becomes ${status}`, async () => {
    const { body } = await story.ask(operationId, { path: { id } });
    return body.status === status;
  });

const make = async (story: Story, operationId: string, request: StoryRequest) => {
  const { status, body, text } = await story.ask(operationId, request);
  assert.equal(status, 200, `${operationId}: ${text}`);
  return body;
};

const endpointRequest = (url: string) => ({
  body: {
    url,
    events: ['payment.created', 'payment.debited', 'refund.succeeded', 'checkout.expired'],
    description: 'The shop',
  },
  headers: key('endpoint-1'),
});

async function makeEndpoint(story: Story, { receiverUrl }: Shop): Promise<string> {
  const request = endpointRequest(receiverUrl);
  const { id } = await story.call('createWebhookEndpoint', request);
  const other = { ...request, body: { ...request.body, description: 'Another' } };
  await story.refuse('createWebhookEndpoint', other);
  return id;
}

async function sellProducts(story: Story): Promise<string> {
  const body = { name: 'Café do Fogo, 250 g', price: 45_000, currency: 'CVE' };
  const { id } = await story.call('createProduct', { body, headers: key('product-17') });
  const headers = key('product-17');
  await story.refuse('createProduct', { body: { ...body, price: 50_000 }, headers });
  const path = { id };
  await story.call('getProduct', { path });
  await story.call('listProducts', { query: { active: 'true', limit: '10' } });
  await story.call('updateProduct', { path, body: { price: 48_000 } });
  return id;
}

async function takePayments(story: Story, { smallKey }: Shop): Promise<string> {
  const order = { amount: 90_000, operator: 'MOCK', operatorPhone: phone };
  const body = { ...order, externalId: 'order-1042', description: 'Two bags of coffee' };
  const headers = key('order-1042');
  const { id } = await story.call('createPayment', { body, headers });
  await story.refuse('createPayment', { body: { ...body, amount: 95_000 }, headers });
  await story.refuse('createPayment', { body }, { key: smallKey });
  await reach(story, 'getPayment', id, 'DEBITED');
  await story.call('getPayment', { path: { id } });
  await story.call('listPayments', { query: { status: 'DEBITED', limit: '10' } });
  const waiting = async () => {
    const made = await make(story, 'createPayment', {
      body: { ...order, operatorPhone: waitingPhone },
    });
    await reach(story, 'getPayment', made.id, 'USER_CONFIRMING');
    return { path: { id: made.id } };
  };
  for (const operationId of ['confirmPayment', 'cancelPayment']) {
    const [one, other] = [await waiting(), await waiting()];
    await story.call(operationId, one);
    await story.refuse(operationId, { path: { id } });
    await make(story, operationId, { ...other, headers: key('act-1') });
    await story.refuse(operationId, { path: { id }, headers: key('act-1') });
  }
  return id;
}

async function refund(story: Story, { smallKey }: Shop, payment: string): Promise<void> {
  const body = { paymentIntentId: payment, amount: 45_000, reason: 'One bag was damaged' };
  const headers = key('refund-1042');
  const { id } = await story.call('createRefund', { body, headers });
  await reach(story, 'getRefund', id, 'SUCCEEDED');
  await story.call('getRefund', { path: { id } });
  await story.call('listRefunds', { query: { payment_intent_id: payment, limit: '10' } });
  await story.refuse('createRefund', { body: { ...body, amount: 40_000 }, headers });
  await story.refuse('createRefund', { body: { ...body, amount: 50_000 } });
  await story.refuse('createRefund', { body: { ...body, amount: 45_000 } }, { key: smallKey });
  const { data } = (await story.ask('listPayments', { query: { status: 'CANCELLED' } })).body;
  await story.refuse('createRefund', { body: { ...body, paymentIntentId: data[0].id } });
  await story.refuse('createRefund', { body: { ...body, paymentIntentId: unknownId(payment) } });
}

async function disburse(story: Story, shop: Shop): Promise<void> {
  const wallet = { operator: 'MOCK', operatorPhone: phone };
  const body = { amount: 10_000, ...wallet, externalId: 'salary-11', description: 'November' };
  const headers = key('salary-2026-11-042');
  const { id } = await story.call('createDisbursement', { body, headers });
  await story.refuse('createDisbursement', { body: { ...body, amount: 12_000 }, headers });
  const large = { body: { ...body, amount: 990_000 }, headers: key('salary-2026-11-043') };
  await story.refuse('createDisbursement', large);
  await story.refuse('createDisbursement', large, { key: shop.smallKey });
  const path = { id };
  await reach(story, 'getDisbursement', id, 'SUCCEEDED');
  await story.call('getDisbursement', { path });
  await story.call('listDisbursements', { query: { external_id: 'salary-11', limit: '10' } });
  const other = await make(story, 'createDisbursement', {
    body: { amount: 1_000, ...wallet },
    headers: key('salary-2026-11-044'),
  });
  await reach(story, 'getDisbursement', other.id, 'SUCCEEDED');
  await shop.holdDisbursements();
  await story.call('cancelDisbursement', { path });
  await story.refuse('cancelDisbursement', { path });
  await make(story, 'cancelDisbursement', { path: { id: other.id }, headers: key('act-1') });
  await story.refuse('cancelDisbursement', { path, headers: key('act-1') });
}

/** A well-formed id that nothing has. */
export const unknownId = (id: string) => `${id.slice(0, -12)}${'0'.repeat(12)}`;

async function openCheckout(story: Story, { smallKey }: Shop, product: string): Promise<void> {
  const item = { productId: product, name: 'Café do Fogo, 250 g', quantity: 2, unitPrice: 48_000 };
  const body = {
    externalId: 'order-1043',
    items: [item],
    currency: 'CVE',
    returnUrl: 'https://shop.example/cart',
    completionUrl: 'https://shop.example/thanks',
    metadata: { cart: 'c-77' },
  };
  const headers = key('cart-77');
  const { id } = await story.call('createCheckoutSession', { body, headers });
  await story.refuse('createCheckoutSession', { body: { ...body, metadata: null }, headers });
  const unknown = { ...item, productId: unknownId(product) };
  await story.refuse('createCheckoutSession', { body: { ...body, items: [unknown] } });
  await story.refuse('createCheckoutSession', { body }, { key: smallKey });
  const path = { id };
  await story.call('getCheckoutSession', { path });
  await story.call('listCheckoutSessions', { query: { status: 'OPEN', limit: '10' } });
  await story.call('expireCheckoutSession', { path });
  await story.refuse('expireCheckoutSession', { path });
  const other = await make(story, 'createCheckoutSession', { body: { amount: 100 } });
  await make(story, 'expireCheckoutSession', { path: { id: other.id }, headers: key('act-1') });
  await story.refuse('expireCheckoutSession', { path, headers: key('act-1') });
  const frameOrigins = ['https://shop.example', 'https://www.shop.example'];
  await story.call('updateCheckoutSettings', { body: { frameOrigins } });
  await story.call('getCheckoutSettings');
}

async function linkPayments(story: Story, { smallKey }: Shop, product: string): Promise<void> {
  const body = { description: 'Quota mensal', amount: 60_000, currency: 'CVE', maxUses: 100 };
  const headers = key('quota-2026');
  const { id } = await story.call('createPaymentLink', { body, headers });
  await story.refuse('createPaymentLink', { body: { ...body, amount: 70_000 }, headers });
  const unknown = { description: 'Quota mensal', productId: unknownId(product) };
  await story.refuse('createPaymentLink', { body: unknown });
  await story.refuse('createPaymentLink', { body }, { key: smallKey });
  const path = { id };
  await story.call('getPaymentLink', { path });
  await story.call('listPaymentLinks', { query: { active: 'true', limit: '10' } });
  await story.call('updatePaymentLink', { path, body: { active: false } });
}

async function readEvents(story: Story): Promise<void> {
  const query = { type: 'payment.debited', limit: '1' };
  const { data } = await story.call('listEvents', { query });
  await story.call('getEvent', { path: { id: data[0].id } });
}

async function askAboutOperators(story: Story): Promise<void> {
  await story.call('listOperators');
  await story.call('getOperator', { path: { name: 'MOCK' } });
  await story.refuse('getOperator', { path: { name: 'NOBODY' } });
  await story.call('predictOperator', { body: { phone: '+238 991 23 45' } });
}

async function payOut(story: Story, shop: Shop): Promise<void> {
  await story.call('getBalance');
  const body = { currency: 'CVE' };
  const headers = key('payout-2026-11-21');
  const { id } = await story.call('processSettlement', { body, headers });
  await story.refuse('processSettlement', { body: { currency: 'AOA' }, headers });
  await reach(story, 'getSettlement', id, 'COMPLETED');
  const path = { id };
  await story.call('getSettlement', { path });
  await story.call('listSettlements', { query: { limit: '10' } });
  await story.call('listSettlementItems', { path, query: { limit: '10' } });
  await story.call('getSettlementItemsCsv', { path });
  const query = { month: new Date().toISOString().slice(0, 7), currency: 'CVE' };
  await story.call('getStatement', { query });
  await story.call('getStatementCsv', { query });
  story.note('getStatementCsv', tooLong());
  const order = { amount: 90_000, operator: 'MOCK', operatorPhone: phone };
  const { id: more } = await make(story, 'createPayment', { body: order });
  await reach(story, 'getPayment', more, 'DEBITED');
  await shop.holdPayouts();
  await story.refuse('processSettlement', { body });
}

async function watchDeliveries(story: Story, { receiverUrl }: Shop, id: string): Promise<void> {
  const path = { id };
  await story.call('getWebhookEndpoint', { path });
  await story.call('listWebhookEndpoints', { query: { limit: '10' } });
  await eventually('all events are delivered', async () => {
    const { body } = await story.ask('listWebhookDeliveries', { path });
    return body.data.every(({ status }: { status: string }) => status === 'SUCCEEDED');
  });
  const query = { status: 'SUCCEEDED', limit: '1' };
  const { data } = await story.call('listWebhookDeliveries', { path, query });
  const delivery = { id, deliveryId: data[0].id };
  await story.call('getWebhookDelivery', { path: delivery });
  await story.call('redeliverWebhookDelivery', { path: delivery });
  await story.call('redeliverWebhookEvents', { path, body: { since: data[0].createdAt } });
  await story.call('testWebhookEndpoint', { path });
  await story.call('rotateWebhookSecret', { path, body: { overlapHours: 24 } });
  await story.refuse('rotateWebhookSecret', { path });
  await refuseActs(story, path, delivery);
  await story.call('updateWebhookEndpoint', { path, body: { status: 'DISABLED' } });
  for (const operationId of ['redeliverWebhookEvents', 'testWebhookEndpoint'])
    await story.refuse(operationId, {
      path,
      ...(operationId === 'redeliverWebhookEvents' && { body: { since: data[0].createdAt } }),
    });
  await story.refuse('redeliverWebhookDelivery', { path: delivery });
  await crowdHost(story, receiverUrl);
  await story.call('deleteWebhookEndpoint', { path });
  await story.refuse('createWebhookEndpoint', endpointRequest(receiverUrl));
}

/** The same key for something else. */
async function refuseActs(
  story: Story,
  path: { id: string },
  delivery: Record<string, string>,
): Promise<void> {
  const headers = key('act-1');
  await make(story, 'testWebhookEndpoint', { path, headers });
  const url = 'https://shop.example/other';
  const body = { url, events: ['payment.debited'] };
  const other = await make(story, 'createWebhookEndpoint', { body });
  const ofOther = { path: { id: other.id }, headers };
  await story.refuse('testWebhookEndpoint', ofOther);
  const since = { body: { since: '2026-01-01T00:00:00Z' } };
  await make(story, 'redeliverWebhookEvents', { path, headers, ...since });
  await story.refuse('redeliverWebhookEvents', { ...ofOther, ...since });
  await make(story, 'rotateWebhookSecret', { ...ofOther, body: { overlapHours: 1 } });
  await story.refuse('rotateWebhookSecret', { path, headers });
  await make(story, 'redeliverWebhookDelivery', { path: delivery, headers });
  await story.refuse('redeliverWebhookDelivery', {
    path: { ...delivery, id: other.id },
    headers,
  });
}

/** No more endpoints fit on one host. */
async function crowdHost(story: Story, url: string): Promise<void> {
  const body = { url, events: ['payment.debited'] };
  let status = 200;
  while (status === 200) ({ status } = await story.ask('createWebhookEndpoint', { body }));
  await story.refuse('createWebhookEndpoint', { body });
  const elsewhere = { ...body, url: 'https://elsewhere.example/webhooks' };
  const { id } = await make(story, 'createWebhookEndpoint', { body: elsewhere });
  await story.refuse('updateWebhookEndpoint', { path: { id }, body: { url } });
}
