/** The shops of examples/shops, as processes, at a real gateway: people copy them, so they must be right. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { okPhone, pageOf, poorPhone, reachPayment, reachStatus } from './support/checkout.ts';
import { signed } from './support/deliveries.ts';
import { gateTo } from './support/gate.ts';
import { eventually, type TestGateway } from './support/gateway.ts';
import { lacks } from './support/pages.ts';
import { sharedGateway } from './support/shared-gateway.ts';
import { prepareShop, type Shop, shops, startShop } from './support/shops.ts';

const events = ['checkout.completed', 'checkout.expired', 'refund.succeeded', 'refund.failed'];
const nowhere = 'http://127.0.0.1:9/webhooks';
/** Its refunds fail. */
const keptPhone = '+2389912119';

type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld(context: TestContext, shop: Shop, folder: string, gateway: TestGateway) {
  const { api, key } = gateway;
  // The secret comes with the endpoint, but the shop needs it to start.
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: nowhere, events });
  const gate = await gateTo(context, gateway.url);
  const { url, restart, output } = await startShop(context, shop, folder, () => ({
    ZIMBO_URL: gate.url,
    ZIMBO_API_KEY: key,
    ZIMBO_WEBHOOK_SECRET: endpoint.secret,
  }));
  /** Lets webhooks through, or not. */
  const deliver = (isOn: boolean) =>
    api('PATCH', `/v1/webhooks/${endpoint.id}`, { url: isOn ? `${url}/webhooks` : nowhere });
  return { ...gateway, endpoint, gate, shop: url, restart, output, deliver };
}

const look = async (url: string) => (await fetch(url)).text();
const press = (url: string, fields: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

/** The card of a product: what its form sends, and how many were sold. */
async function cardOf({ shop }: World, product: string) {
  const cards = (await look(shop)).split('<li');
  const card = cards.find((each) => each.includes(`value="${product}"`))!;
  const order = /name="order" value="([^"]+)"/.exec(card)![1]!;
  return { fields: { order, product }, sold: Number(/class="sold">(\d+)/.exec(card)?.[1] ?? 0) };
}

/** Presses "Comprar", as often as said: the session, and the page of the order. */
async function buy(world: World, product: string, clicks = 1) {
  const { fields } = await cardOf(world, product);
  const press1 = () => press(`${world.shop}/orders`, fields);
  const answers = await Promise.all(Array.from({ length: clicks }, press1));
  for (const { status } of answers) assert.equal(status, 303, world.output());
  const { data } = await world.zimbo.checkout.sessions.list({ externalId: fields.order }).page();
  assert.equal(data.length, 1, 'one session');
  const led = answers.map(({ headers }) => headers.get('location'));
  assert.deepEqual([...new Set(led)], [data[0]!.url]);
  return { session: data[0]!, order: `${world.shop}/orders/${fields.order}` };
}

const shows = (order: string, text: string) =>
  eventually(`the page says ${text}`, async () => (await look(order)).includes(text));

const sells = (world: World, product: string, count: number) =>
  eventually(`${count} of ${product} are sold`, async () => {
    return (await cardOf(world, product)).sold === count;
  });

/** By the webhook alone: nobody looks at the order, so the shop does not ask. */
async function hearsOfAPayment(world: World) {
  await world.deliver(true);
  const { session, order } = await buy(world, 'cafe');
  assert.match(await look(order), /A aguardar o pagamento/);
  await pageOf(world, session).pay(okPhone);
  await sells(world, 'cafe', 1);
  world.gate.isShut = true;
  assert.match(await look(order), /Encomenda paga/, 'also while the gateway is out of service');
  world.gate.isShut = false;
  const again = await press(`${order}/pay`);
  assert.equal(new URL(again.headers.get('location')!, order).href, order, 'paid, it stays paid');
  return order;
}

async function hearsTwice(world: World) {
  const { api, endpoint } = world;
  const deliveries = `/v1/webhooks/${endpoint.id}/deliveries`;
  const delivered = await eventually('the delivery is recorded', async () => {
    return (await api('GET', `${deliveries}?status=SUCCEEDED`)).body.data[0];
  });
  const path = `${deliveries}/${delivered.id}`;
  assert.ok((await api('POST', `${path}/redeliver`)).status < 300);
  await eventually('it arrives again', async () => {
    const { body } = await api('GET', path);
    return body.status === 'SUCCEEDED' && body.attempts.length > delivered.attempts.length;
  });
  await sells(world, 'cafe', 1);
}

async function asksOnReturn(world: World) {
  await world.deliver(false);
  const { session, order } = await buy(world, 'doce');
  const page = pageOf(world, session);
  await page.pay(poorPhone);
  await reachPayment(world, session, 'FAILED');
  assert.match(await look(`${order}?session_id=${session.id}`), /A aguardar o pagamento/);
  await page.pay(okPhone);
  await reachStatus(world, session, 'COMPLETED');
  assert.match(await look(order), /Encomenda paga/);
  await world.deliver(true);
  const path = `/v1/webhooks/${world.endpoint.id}/deliveries?status=SUCCEEDED`;
  const deliveries = async () => (await world.api('GET', path)).body.data.length;
  const before = await deliveries();
  const since = new Date(Date.now() - 600_000).toISOString();
  await world.api('POST', `/v1/webhooks/${world.endpoint.id}/redeliver`, { since });
  await eventually('the webhook arrives late', async () => (await deliveries()) > before);
  await sells(world, 'doce', 1);
}

async function opensAnotherSession(world: World) {
  await world.deliver(false);
  const { session, order } = await buy(world, 'pano', 2);
  const pay = async () => (await press(`${order}/pay`)).headers.get('location');
  assert.equal(await pay(), session.url);
  await world.zimbo.checkout.sessions.expire(session.id);
  const second = await pay();
  assert.ok(second?.includes('/pay/') && second !== session.url);
  assert.equal(await pay(), second);
}

/** dialog.js asks for addresses instead of redirects. */
async function leadsTheDialog(world: World, paidOrder: string) {
  const ask = async (url: string, fields: Record<string, string> = {}) => {
    const headers = { accept: 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) });
    return answer.json();
  };
  const { fields } = await cardOf(world, 'pano');
  const order = `/orders/${fields.order}`;
  const led = await ask(`${world.shop}/orders`, fields);
  const { data } = await world.zimbo.checkout.sessions.list({ externalId: fields.order }).page();
  assert.deepEqual(led, { url: data[0]!.url, order });
  assert.deepEqual(await ask(`${world.shop}${order}/pay`), led);
  const paid = new URL(paidOrder).pathname;
  assert.deepEqual(await ask(`${paidOrder}/pay`), { url: paid, order: paid });
}

/** Events that the gateway did not send, signed by somebody who has the secret, or not. */
async function believesOnlyTheGateway(world: World) {
  await world.deliver(false);
  const [first, second] = [await buy(world, 'pano'), await buy(world, 'pano')];
  const send = async (id: string, data: object, secret = world.endpoint.secret) => {
    const body = JSON.stringify({
      id,
      type: 'checkout.completed',
      data,
      createdAt: '2026-11-29T12:00:00Z',
    });
    const headers = { ...signed(secret, body), 'content-type': 'application/json' };
    return (await fetch(`${world.shop}/webhooks`, { method: 'POST', headers, body })).status;
  };
  const paid = ({ session }: typeof first) => ({
    ...session,
    status: 'COMPLETED',
    paymentIntentId: 'pi_1',
  });
  assert.equal(await send('evt_1', paid(first), 'whsec_another'), 400);
  for (const [id, change] of Object.entries({
    evt_session: { id: 'cs_another' },
    evt_amount: { amount: '1' },
    evt_currency: { currency: 'AOA' },
  }))
    assert.equal(await send(id, { ...paid(first), ...change }), 200);
  assert.match(await look(first.order), /A aguardar o pagamento/);
  const statuses = await Promise.all([1, 2, 3].map(() => send('evt_1', paid(first))));
  assert.deepEqual(statuses, [200, 200, 200]);
  assert.match(await look(first.order), /Encomenda paga/);
  await send('evt_1', paid(second));
  assert.match(await look(second.order), /A aguardar/, 'an event that was here does nothing');
  await send('evt_2', paid(second));
  assert.match(await look(second.order), /Encomenda paga/);
}

async function refundsOf({ zimbo }: World, order: string) {
  const externalId = order.split('/').at(-1)!;
  const { id: paymentIntentId } = (await zimbo.payments.list({ externalId }).page()).data[0]!;
  return (await zimbo.refunds.list({ paymentIntentId }).page()).data;
}

async function refunds(world: World, paidOrder: string) {
  await world.deliver(true);
  await Promise.all([press(`${paidOrder}/refund`), press(`${paidOrder}/refund`)]);
  world.gate.isShut = true;
  await shows(paidOrder, 'Dinheiro devolvido');
  world.gate.isShut = false;
  assert.equal((await refundsOf(world, paidOrder)).length, 1, 'a double click refunds once');
}

async function asksForRefunds(world: World) {
  await world.deliver(false);
  for (const [phone, text] of [
    [okPhone, 'Dinheiro devolvido'],
    [keptPhone, 'A devolução falhou'],
  ] as const) {
    const { session, order } = await buy(world, 'doce');
    await pageOf(world, session).pay(phone);
    await reachStatus(world, session, 'COMPLETED');
    await shows(order, 'Encomenda paga');
    world.gate.isShut = true;
    await press(`${order}/refund`);
    assert.match(await look(order), /A devolver o dinheiro/, 'it knows what it has to do');
    world.gate.isShut = false;
    world.gate.losesAnswers = true;
    assert.match(await look(order), /A devolver o dinheiro/);
    world.gate.losesAnswers = false;
    await shows(order, text);
    assert.equal((await refundsOf(world, order)).length, 1);
  }
}

/** Somebody else has given the money back, so the gateway refuses the shop's own refund for good. */
async function takesNoOthersRefund(world: World) {
  await world.deliver(true);
  const { session, order } = await buy(world, 'doce');
  await pageOf(world, session).pay(okPhone);
  await shows(order, 'Encomenda paga');
  const externalId = order.split('/').at(-1)!;
  const { id: paymentIntentId } = (await world.zimbo.payments.list({ externalId }).page()).data[0]!;
  const { id } = await world.zimbo.refunds.create({ paymentIntentId });
  await press(`${order}/refund`);
  await eventually('the other refund ends', async () => {
    return (await world.zimbo.refunds.get(id)).status === 'SUCCEEDED';
  });
  await shows(order, 'A devolução falhou');
}

async function isCareful(world: World, order: string) {
  for (const fields of [{ product: 'ouro' }, { product: '' }, { product: 'constructor' }]) {
    const { fields: genuine } = await cardOf(world, 'cafe');
    assert.equal((await press(`${world.shop}/orders`, { ...genuine, ...fields })).status, 404);
  }
  for (const path of ['/', new URL(order).pathname, '/orders/nothing', '/%3Cb%3E']) {
    const { headers } = await fetch(world.shop + path);
    const policy = headers.get('content-security-policy')!;
    assert.match(
      policy,
      /^default-src 'none'; style-src 'self'; script-src 'self' http:\S+; connect-src 'self'; frame-src http:\S+; img-src data:; form-action 'self' /,
    );
    assert.match(policy, /frame-ancestors 'none'$/);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  }
  assert.equal((await fetch(`${world.shop}/orders/nothing`)).status, 404);
  const typeOf = async (path: string) =>
    (await fetch(world.shop + path)).headers.get('content-type')!;
  assert.match(await typeOf('/style.css'), /^text\/css/);
  assert.match(await typeOf('/dialog.js'), /^(text|application)\/javascript/);
}

for (const shop of shops) {
  test(`the shop in ${shop.name}`, {
    skip: lacks(shop.needs),
    timeout: 560_000,
  }, async (context) => {
    const prepared = await prepareShop(context, shop);
    if ('missing' in prepared) {
      context.skip(prepared.missing);
      return;
    }
    const world = await openWorld(context, shop, prepared.folder, await sharedGateway());
    let order = '';
    const part = (name: string, run: () => Promise<void>) => context.test(name, run);
    await part('is paid by a webhook', async () => {
      order = await hearsOfAPayment(world);
    });
    await part('counts a webhook once', () => hearsTwice(world));
    await part('asks when the customer returns, without the webhook', () => asksOnReturn(world));
    await part('opens one session for a double click, and a new one for an expired one', () =>
      opensAnotherSession(world),
    );
    await part('leads the dialog where it leads customers without it', () =>
      leadsTheDialog(world, order),
    );
    await part('believes only the gateway, and each event once', () =>
      believesOnlyTheGateway(world),
    );
    await part('keeps its orders when it stops', async () => {
      await world.restart();
      assert.match(await look(order), /Encomenda paga/);
    });
    await part('refunds once, and hears of it by a webhook', () => refunds(world, order));
    await part('asks for refunds without webhooks', () => asksForRefunds(world));
    await part('says that a refund needs a person, once the gateway refuses it for good', () =>
      takesNoOthersRefund(world),
    );
    await part('sells only what it has, and runs nothing foreign', () => isCareful(world, order));
  });
}
