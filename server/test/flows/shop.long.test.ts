/** The shop of examples/shop, against a gateway: people copy it, so it must be right. */
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Zimbo } from '../../../sdk/typescript/src/index.ts';
import { deliveryHeaders } from '../../src/integrations/webhooks/signature.ts';
import { okPhone, pageOf, poorPhone, reachPayment, reachStatus } from '../support/checkout.ts';
import { cleanUp } from '../support/cleanup.ts';
import { freePort } from '../support/free-port.ts';
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';

interface Product {
  id: string;
  name: string;
  about: string;
  price: number;
  drawing: string;
}

interface ShopDependencies {
  zimbo: Zimbo;
  webhookSecret: string;
  url: string;
  gatewayUrl: string;
  products: Product[];
}

const folder = join(import.meta.dirname, '..', '..', '..', 'examples', 'shop');
const { createShop } = (await import(join(folder, 'shop.js'))) as {
  createShop: (dependencies: ShopDependencies) => Server;
};
const { products } = (await import(join(folder, 'products.js'))) as { products: Product[] };

const undo: (() => unknown)[] = [];
let gateway: TestGateway;

before(async () => {
  gateway = await testGateway({ after: (step) => undo.unshift(step as () => unknown) });
});
after(async () => {
  for (const step of undo) await step();
});

/** A shop that receives webhooks. */
async function openShop(context: TestContext, sold = products) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { secret: webhookSecret } = await gateway.zimbo.webhooks.create({
    url: `${url}/webhooks`,
    events: ['checkout.completed'],
  });
  const { zimbo, url: gatewayUrl } = gateway;
  const server = createShop({ zimbo, webhookSecret, url, gatewayUrl, products: sold });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url, webhookSecret };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** Presses "Comprar": the checkout session, and the page of the order. */
async function buy({ url }: Shop, product = 'cafe') {
  const answer = await fetch(`${url}/orders`, {
    method: 'POST',
    body: new URLSearchParams({ product }),
    redirect: 'manual',
  });
  assert.equal(answer.status, 303);
  const [session] = (await gateway.zimbo.checkout.sessions.list({ limit: 1 }).page()).data;
  assert.equal(answer.headers.get('location'), session!.url);
  return { session: session!, order: session!.completionUrl! };
}

/** Presses "Pagar" on the page of the order. @returns where it leads */
async function payOrder(order: string): Promise<string | null> {
  const [, action] = /<form method="post" action="([^"]+)">/.exec(await look(order))!;
  const address = new URL(action!, order);
  const answer = await fetch(address, { method: 'POST', redirect: 'manual' });
  assert.equal(answer.status, 303);
  return answer.headers.get('location');
}

const look = async (url: string) => (await fetch(url)).text();

test('sells to a customer, and marks the order paid by the webhook', async (context) => {
  const shop = await openShop(context);
  const { session, order } = await buy(shop);
  assert.equal(session.amount, '85000');
  const page = pageOf(gateway, session);
  assert.match((await page.look()).text, /Café do Fogo/);
  assert.match(await look(order), /A aguardar o pagamento.*http-equiv|http-equiv.*A aguardar/s);
  assert.equal((await page.pay(okPhone)).status, 303);
  const paid = await eventually('the order is paid', async () => {
    const text = await look(order);
    return text.includes('Encomenda paga') && text;
  });
  assert.doesNotMatch(paid, /http-equiv|A aguardar/);
  assert.match(await look(shop.url), /1 vendido</);
});

test('takes a return without payment for no proof, and accepts another try', async (context) => {
  const shop = await openShop(context);
  const { session, order } = await buy(shop);
  const page = pageOf(gateway, session);
  await page.pay(poorPhone);
  await reachPayment(gateway, session, 'FAILED');
  const open = await look(`${order}?session_id=${session.id}&status=COMPLETED`);
  assert.match(open, /A aguardar o pagamento/);
  assert.equal(await payOrder(order), session.url);
  await page.pay(okPhone);
  await eventually('the order is paid', async () => (await look(order)).includes('Encomenda paga'));
});

test('opens a new session for an order whose session has expired, and keeps an open one', async (context) => {
  const shop = await openShop(context);
  const { session, order } = await buy(shop);
  assert.equal(await payOrder(order), session.url);
  await gateway.zimbo.checkout.sessions.expire(session.id);
  const again = await payOrder(order);
  assert.notEqual(again, session.url);
  assert.equal(await payOrder(order), again);
  const [second] = (await gateway.zimbo.checkout.sessions.list({ limit: 1 }).page()).data;
  assert.deepEqual([second!.url, second!.status], [again, 'OPEN']);
  await pageOf(gateway, second!).pay(okPhone);
  await eventually('the order is paid', async () => (await look(order)).includes('Encomenda paga'));
});

test('rejects a forged webhook, and counts a repeated one once', async (context) => {
  const shop = await openShop(context);
  const receiver = await testReceiver(context);
  await gateway.zimbo.webhooks.create({ url: receiver.url, events: ['checkout.completed'] });
  const { session, order } = await buy(shop);
  const send = (secret: string, body: string, headers: Record<string, string> = {}) => {
    const eventId = '019aa5d4-e0fb-7000-8000-000000000001';
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const signed = deliveryHeaders({ eventId, sequence: 1, secret, timestampSeconds, body });
    const init = { method: 'POST', headers: { ...signed, ...headers }, body };
    return fetch(`${shop.url}/webhooks`, init);
  };
  const completed = { ...session, status: 'COMPLETED' };
  const event = { id: 'evt_1', type: 'checkout.completed', data: completed, createdAt: '' };
  const forged = JSON.stringify(event);
  assert.equal((await send('whsec_another', forged)).status, 400);
  assert.equal(
    (await send(shop.webhookSecret, forged, { 'x-service-timestamp': '1' })).status,
    400,
  );
  assert.match(await look(order), /A aguardar o pagamento/);

  await pageOf(gateway, session).pay(okPhone);
  await reachStatus(gateway, session, 'COMPLETED');
  await eventually('the order is paid', async () => (await look(order)).includes('Encomenda paga'));
  const { raw } = await eventually('the event is here too', () => receiver.received[0]);
  assert.equal((await send(shop.webhookSecret, raw.toString())).status, 200);
  assert.match(await look(shop.url), /1 vendido</);
});

test('rejects a session that only names the order, and another sum or currency', async (context) => {
  const shop = await openShop(context);
  const { session, order } = await buy(shop);
  const send = (change: object) => {
    const data = { ...session, status: 'COMPLETED', ...change };
    const body = JSON.stringify({
      id: 'evt_1',
      type: 'checkout.completed',
      data,
      createdAt: 'now',
    });
    const eventId = '019aa5d4-e0fb-7000-8000-000000000001';
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const { webhookSecret: secret } = shop;
    const headers = deliveryHeaders({ eventId, sequence: 1, secret, timestampSeconds, body });
    return fetch(`${shop.url}/webhooks`, { method: 'POST', headers, body });
  };
  for (const change of [{ id: 'cs_another' }, { amount: '1' }, { currency: 'AOA' }]) {
    assert.equal((await send(change)).status, 200);
    assert.match(await look(order), /A aguardar o pagamento/);
  }
  await send({});
  assert.match(await look(order), /Encomenda paga/);
});

test('shows names as text, and neither runs nor loads anything foreign', async (context) => {
  const hostile = `<script>alert('1')</script>"&`;
  const product = { id: '"><b>', name: hostile, about: hostile, price: 100, drawing: '"><b>' };
  const shop = await openShop(context, [product]);
  const { order } = await buy(shop, product.id);
  for (const address of [shop.url, order, `${shop.url}/orders/nothing`, `${shop.url}/%3Cb%3E`]) {
    const answer = await fetch(address);
    const own =
      /<script src="(?:http:\/\/127\.0\.0\.1:\d+\/pay\/checkout|\/dialog)\.js" defer><\/script>/g;
    assert.doesNotMatch((await answer.text()).replaceAll(own, ''), /<script|<b>"|"><b>/);
    const policy = answer.headers.get('content-security-policy')!;
    assert.match(
      policy,
      /^default-src 'none'; style-src 'self'; script-src 'self' http:\S+; connect-src 'self'; frame-src http:\S+; img-src data:; form-action 'self' /,
    );
    assert.match(policy, /frame-ancestors 'none'$/);
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  }
  assert.ok((await look(order)).includes('<bdi>&lt;script&gt;alert(&#39;1&#39;)'));
});

test("sells only products on sale, at the shop's price", async (context) => {
  const shop = await openShop(context);
  const body = new URLSearchParams({ product: 'doce', price: '1', unitPrice: '1' });
  await fetch(`${shop.url}/orders`, { method: 'POST', body, redirect: 'manual' });
  const [session] = (await gateway.zimbo.checkout.sessions.list({ limit: 1 }).page()).data;
  assert.equal(session!.amount, '42000');
  for (const wrong of ['', 'constructor', 'ouro']) {
    const init = { method: 'POST', body: new URLSearchParams({ product: wrong }) };
    assert.equal((await fetch(`${shop.url}/orders`, init)).status, 404);
  }
});
