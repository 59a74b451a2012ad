import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { CheckoutSession } from '../../../sdk/typescript/src/index.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { changeBrand } from '../../src/tenants/merchants/brand.ts';
import {
  confirmPhone,
  countOf,
  okPhone,
  openSession,
  pageOf,
  poorPhone,
  reachPayment,
  reachStatus,
} from '../support/checkout.ts';
import { cleanUp } from '../support/cleanup.ts';
import { anotherGateway, eventually, type TestGateway, testGateway } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

test('limits the prompts of one phone, also for concurrent requests', async (context) => {
  const gateway = await testGateway(context, { environment: { PAGE_ATTEMPTS_PER_PHONE: '3/15' } });
  const pages = await Promise.all(
    Array.from({ length: 12 }, async () => pageOf(gateway, await openSession(gateway))),
  );
  const answers = await Promise.all(pages.map((page) => page.pay(poorPhone, 'MOCK', '0')));
  assert.equal(await countOf(gateway, 'payments'), 3);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 9);
  for (const { text } of refused) assert.match(text, /demasiadas tentativas com este número/);
  assert.equal((await pages[0]!.pay(okPhone)).status, 303, 'another phone is free');
  // Only a finished attempt keeps the status written here: one on its way would end as FAILED later.
  const debit = {
    text: `UPDATE payments SET status = 'DEBITED' WHERE operator_phone = $1 AND status = 'FAILED' RETURNING id`,
  };
  let debited = 0;
  await eventually('all three have failed, and are debited', async () => {
    debited += (await gateway.database.query(debit, [poorPhone])).length;
    return debited === 3;
  });
  assert.equal((await pages.at(-1)!.pay(poorPhone)).status, 303, 'debits do not count');
});

test('counts the attempts on a phone across processes', async (context) => {
  const environment = { PAGE_ATTEMPTS_PER_PHONE: '1/15' };
  const gateway = await testGateway(context, { environment });
  const other = await anotherGateway(context, gateway.databaseUrl, { environment });
  const [first, second] = [await openSession(gateway), await openSession(gateway)];
  assert.equal((await pageOf(gateway, first).pay(confirmPhone)).status, 303);
  const elsewhere = pageOf({ ...gateway, url: other.url }, second);
  assert.equal((await elsewhere.pay(confirmPhone)).status, 429);
});

test('limits the attempts of one address', async (context) => {
  const gateway = await testGateway(context, {
    environment: { PAGE_ATTEMPTS_PER_ADDRESS: '2/15' },
  });
  for (const expected of [303, 303, 429]) {
    const answer = await pageOf(gateway, await openSession(gateway)).pay(okPhone);
    assert.equal(answer.status, expected);
    if (expected === 429) {
      assert.match(answer.text, /Demasiados pedidos/);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
    }
  }
  assert.equal(await countOf(gateway, 'payments'), 2);
});

test('slows down guesses of links, while an existing link still opens', async (context) => {
  const gateway = await testGateway(context, { environment: { RATE_LIMIT_UNAUTHORIZED: '1/5' } });
  const statuses = [];
  for (let tries = 0; tries < 12; tries++) {
    statuses.push((await fetch(`${gateway.url}/pay/nothing`)).status);
  }
  assert.equal(statuses[0], 404);
  assert.ok(statuses.includes(429));
  assert.equal((await pageOf(gateway, await openSession(gateway)).look()).status, 200);
});

test('makes one attempt for a form sent twice, or from before another attempt', async (context) => {
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  await page.pay(poorPhone, 'MOCK', '0');
  await reachPayment(gateway, session, 'FAILED');
  for (const stale of ['0', '', 'x', '-1', '2']) {
    assert.equal((await page.pay(okPhone, 'MOCK', stale)).status, 303);
  }
  assert.equal(await countOf(gateway, 'payments'), 1);
  await page.pay(okPhone, 'MOCK', '1');
  await reachStatus(gateway, session, 'COMPLETED');
});

test('accepts the form only from our own page', async (context) => {
  const gateway = await testGateway(context);
  const { address } = pageOf(gateway, await openSession(gateway));
  const send = (site: string) =>
    fetch(address, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': site },
      body: new URLSearchParams({ phone: okPhone, operator: 'MOCK', attempt: '0' }),
    });
  for (const site of ['cross-site', 'same-site']) assert.equal((await send(site)).status, 400);
  assert.equal(await countOf(gateway, 'payments'), 0);
  assert.equal((await send('same-origin')).status, 303);
});

test('tells an open page about each change, by any process, and about the end', async (context) => {
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });
  const session = await openSession(gateway);
  const stream = await openStream(context, gateway, session);
  await stream.hears('1.0');
  await pageOf(gateway, session).pay(confirmPhone);
  await stream.hears('2.1');
  await anotherGateway(context, gateway.databaseUrl);
  const payment = await reachPayment(gateway, session, 'USER_CONFIRMING');
  await gateway.api('POST', `/v1/payments/${payment.id}/confirm`);
  await stream.hears('3.4');
  await gateway.gateway.stop();
  await stream.ends();
});

test('limits open streams, beyond which the page polls', async (context) => {
  const gateway = await testGateway(context, { environment: { PAGE_STREAMS: '25' } });
  const [one, other] = [await openSession(gateway), await openSession(gateway)];
  const statusOf = async (session: CheckoutSession) =>
    (await openStream(context, gateway, session)).answer.statusCode;
  for (let count = 0; count < 20; count++) assert.equal(await statusOf(one), 200);
  assert.equal(await statusOf(one), 503, 'of one session');
  for (let count = 0; count < 5; count++) assert.equal(await statusOf(other), 200);
  assert.equal(await statusOf(other), 503, 'of one process');
});

test('frees the place of a closed stream', async (context) => {
  const gateway = await testGateway(context, { environment: { PAGE_STREAMS: '1' } });
  const session = await openSession(gateway);
  const first = await openStream(context, gateway, session);
  assert.equal((await openStream(context, gateway, session)).answer.statusCode, 503);
  first.answer.destroy();
  await eventually(
    'there is room',
    async () => (await openStream(context, gateway, session)).answer.statusCode === 200,
  );
});

test('serves the QR code as an image of the link that no shared cache stores', async () => {
  const gateway = await sharedGateway();
  const { address } = pageOf(gateway, await openSession(gateway));
  const answer = await fetch(`${address}/qr.svg`);
  assert.equal(answer.headers.get('content-type'), 'image/svg+xml');
  assert.match(answer.headers.get('cache-control')!, /^private/);
  assert.match(await answer.text(), /^<svg .*<\/svg>$/s);
  assert.equal((await fetch(`${address}A/qr.svg`)).status, 404);
});

test("shows the shop's name, colour and logo, and serves an SVG only as an image", async (context) => {
  const gateway = await testGateway(context);
  const { database } = gateway;
  const [merchant] = await database.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>');
  const change = { name: 'Café & Filhos', colour: '#FFEE00', logo };
  const base = { database, clock: systemClock, ids: randomIds() };
  await changeBrand(base, merchant!.id, change);
  const page = pageOf(gateway, await openSession(gateway));
  const { text } = await page.look();
  assert.match(text, /<h1><bdi>Café &amp; Filhos<\/bdi><\/h1>/);
  const [, styleUrl] = /href="(assets\/[^"]+-ffee00\.css)"/.exec(text)!;
  const style = await fetch(new URL(styleUrl!, page.address));
  assert.match(style.headers.get('cache-control')!, /immutable/);
  assert.doesNotMatch(await style.text(), /--accent:#ffee00;--on-accent:#ffffff/);
  const [, logoUrl] = /<img class="logo" src="([^"]+)"/.exec(text)!;
  const image = await fetch(new URL(logoUrl!, page.address));
  assert.equal(image.headers.get('content-type'), 'image/svg+xml');
  assert.match(image.headers.get('content-security-policy')!, /^default-src 'none';.*sandbox$/);
  assert.equal(image.headers.get('x-content-type-options'), 'nosniff');
  assert.deepEqual(Buffer.from(await image.arrayBuffer()), logo);
  await changeBrand(base, merchant!.id, { name: null, logo: null });
  assert.match((await page.look()).text, /<h1><bdi>Loja de teste<\/bdi><\/h1>/);
  assert.equal((await fetch(`${page.address}/logo`)).status, 404);
});

/** The stream of changes as an open page receives it. */
async function openStream(context: TestContext, { url }: TestGateway, session: CheckoutSession) {
  const token = new URL(session.url).pathname.split('/').at(-1);
  const request = get(`${url}/pay/live/${token}`, { agent: false });
  request.on('error', () => {});
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  cleanUp(context, () => request.destroy());
  let heard = '';
  let ended = false;
  answer.on('error', () => {});
  answer.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  answer.on('end', () => {
    ended = true;
  });
  return {
    answer,
    hears: (version: string) =>
      eventually(`version ${version} after ${heard}`, () => heard.includes(`data: ${version}\n\n`)),
    ends: () => eventually('the stream ends', () => ended),
  };
}

test('rejects a shop address that is too long, and does not let an older one bloat the page', async (context) => {
  const gateway = await testGateway(context);
  const long = `https://x/?${'&'.repeat(1_000_000)}`;
  for (const field of ['returnUrl', 'completionUrl']) {
    for (const [path, body] of [
      ['/v1/checkout/sessions', { amount: 5 }],
      ['/v1/payment-links', { description: 'Quota', amount: 100 }],
    ] as const) {
      const { status, body: answer } = await gateway.api('POST', path, { ...body, [field]: long });
      assert.deepEqual([status, answer.error?.param], [400, field], path);
    }
  }
  const session = await openSession(gateway);
  const { body: link } = await gateway.api('POST', '/v1/payment-links', {
    description: 'Quota',
    amount: 100,
  });
  for (const table of ['checkout_sessions', 'payment_links']) {
    const text = `UPDATE ${table} SET return_url = $1, completion_url = $1`;
    await gateway.database.query({ text }, [long]);
  }
  const isShort = ({ status, text }: { status: number; text: string }) => {
    assert.equal(status, 200);
    assert.ok(text.length < 32 * 1024, `${text.length} characters`);
    assert.doesNotMatch(text, /Voltar à loja/);
  };
  const page = pageOf(gateway, session);
  isShort(await page.look());
  isShort(await pageOf(gateway, link).look());
  await page.pay(okPhone);
  await reachStatus(gateway, session, 'COMPLETED');
  isShort(await page.look());
});
