/** Which sites may show the payment page in a frame, and what the page is there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckoutSession } from '../../../sdk/typescript/src/index.ts';
import { openSession, pageOf, reachStatus } from '../support/checkout.ts';
import { apiOf, type TestGateway, testKey } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const settings = '/v1/checkout/settings';
const shop = 'https://shop.cv';

test('names no site until the merchant does, and keeps the list in the form of browsers', async () => {
  const { api } = await sharedGateway();
  assert.deepEqual((await api('GET', settings)).body, { frameOrigins: [] });
  const local = 'http://localhost:8080';
  const given = ['https://Shop.CV:443/', local, shop];
  const { body } = await api('PATCH', settings, { frameOrigins: given });
  assert.deepEqual(body, { frameOrigins: [shop, local] });
  for (const nothing of [{}, { frameOrigins: null }]) {
    assert.deepEqual((await api('PATCH', settings, nothing)).body, body);
  }
  assert.deepEqual((await api('GET', settings)).body, body);
  const none = await api('PATCH', settings, { frameOrigins: [] });
  assert.deepEqual(none.body, { frameOrigins: [] });
});

test('records who changed the list, once for each change', async () => {
  const { api, database, key } = await sharedGateway();
  await api('PATCH', settings, { frameOrigins: [shop] });
  await api('PATCH', settings, { frameOrigins: [shop] });
  const text = `
SELECT actor, before, after FROM audit_records WHERE action = 'checkout.settings_changed'
  AND tenant_id = (SELECT tenant_id FROM api_keys WHERE last4 = right($1, 4) ORDER BY id DESC LIMIT 1)`;
  const records = await database.query<{ actor: string; before: string; after: string }>({ text }, [
    key,
  ]);
  assert.equal(records.length, 1);
  assert.match(records[0]!.actor, /^key:ak_/);
  const values = (part: unknown) => (typeof part === 'string' ? JSON.parse(part) : part);
  assert.deepEqual(values(records[0]!.before), { frameOrigins: [] });
  assert.deepEqual(values(records[0]!.after), { frameOrigins: [shop] });
});

test('refuses what is no site, names it, and keeps the list', async () => {
  const { api } = await sharedGateway();
  await api('PATCH', settings, { frameOrigins: [shop] });
  const wrong: [body: object, param: string][] = [
    [{ frameOrigins: [shop, 'http://shop.cv'] }, 'frameOrigins[1]'],
    [{ frameOrigins: ['https://*.shop.cv'] }, 'frameOrigins[0]'],
    [{ frameOrigins: [`${shop}/cart`] }, 'frameOrigins[0]'],
    [{ frameOrigins: [1] }, 'frameOrigins[0]'],
    [{ frameOrigins: shop }, 'frameOrigins'],
    [{ frameOrigins: Array.from({ length: 21 }, (_, n) => `https://${n}.cv`) }, 'frameOrigins'],
    [{ frames: [] }, 'frames'],
  ];
  for (const [body, param] of wrong) {
    const { status, body: answer } = await api('PATCH', settings, body);
    assert.deepEqual([status, answer.error.param], [400, param], JSON.stringify(body));
  }
  assert.deepEqual((await api('GET', settings)).body, { frameOrigins: [shop] });
});

test('keeps a list for live and one for test, and lets http frame test pages only', async () => {
  const { url, database } = await sharedGateway();
  const live = apiOf(url, await testKey(database, 'live'));
  const { status, body } = await live('PATCH', settings, { frameOrigins: ['http://localhost:80'] });
  assert.deepEqual([status, body.error.param], [400, 'frameOrigins[0]']);
  const { body: kept } = await live('PATCH', settings, { frameOrigins: [shop] });
  assert.deepEqual(kept, { frameOrigins: [shop] });
});

/** A session's page whose shop may frame it. */
async function framed(change: object = {}) {
  const gateway = await sharedGateway();
  await gateway.api('PATCH', settings, { frameOrigins: [shop, 'https://www.shop.cv'] });
  const session = await openSession(gateway, change);
  return { gateway, session, page: pageOf(gateway, session) };
}

async function framePolicyOf(answer: Promise<{ headers: Headers }>): Promise<unknown[]> {
  const { headers } = await answer;
  const policy = /frame-ancestors (.*)$/.exec(headers.get('content-security-policy') ?? '');
  return [policy?.[1], headers.get('x-frame-options')];
}

test('lets only the listed sites frame the page, its errors, and nothing else of the gateway', async () => {
  const { gateway, session, page } = await framed();
  const allowed = [`${shop} https://www.shop.cv`, null];
  assert.deepEqual(await framePolicyOf(page.look()), allowed);
  assert.deepEqual(await framePolicyOf(page.pay('x')), allowed, 'what the customer mistyped');
  const foreign = { 'sec-fetch-site': 'cross-site' };
  const refused = fetch(page.address, { method: 'POST', headers: foreign });
  assert.deepEqual(await framePolicyOf(refused), allowed, 'an error page');
  const nobody = ["'none'", 'DENY'];
  assert.deepEqual(await framePolicyOf(fetch(`${gateway.url}/pay/nothing`)), nobody);
  assert.deepEqual(await framePolicyOf(fetch(`${gateway.url}/receipt/nothing`)), nobody);
  const { paymentLinks } = gateway.zimbo;
  const link = await paymentLinks.create({ description: 'Quota', amount: 1_000 });
  for (const { url } of [session, link]) {
    const address = gateway.url + new URL(url).pathname;
    const headers = { 'sec-fetch-dest': 'iframe' };
    const redirect = fetch(address, { headers, redirect: 'manual' });
    assert.equal((await redirect).status, 303);
    assert.deepEqual(await framePolicyOf(redirect), allowed, 'the way into the frame');
  }
  const other = await sharedGateway();
  assert.deepEqual(await framePolicyOf(pageOf(other, await openSession(other)).look()), nobody);
});

test('sends no cookie, because a browser would keep it from a frame of another site', async () => {
  const { page } = await framed();
  for (const { headers } of [await page.look(), await page.pay('9912345'), await page.look()]) {
    assert.equal(headers.get('set-cookie'), null);
  }
});

test('says who gets how much beside the button in a frame, however it was framed', async () => {
  const { page } = await framed();
  const payee =
    /<div class="payee"><p><span><bdi>Loja de teste<\/bdi><\/span> <b>[^<]+<\/b><\/p><button/;
  const inFrame = (query: string, element: string) =>
    fetch(`${page.address}${query}`, { headers: { 'sec-fetch-dest': element } });
  for (const [query, element] of [
    ['', 'iframe'],
    ['?lang=en', 'iframe'],
    ['?frame=1', 'iframe'],
    ['', 'embed'],
    ['', 'object'],
    ['', 'frame'],
  ] as const) {
    const answer = await inFrame(query, element);
    assert.equal(new URL(answer.url).searchParams.get('frame'), '1', query);
    assert.match(await answer.text(), payee, query);
  }
  assert.doesNotMatch((await page.look()).text, payee);
});

test('keeps a customer in the frame after a mistake, a payment and another language', async () => {
  const { gateway, session, page } = await framed({ returnUrl: 'https://shop.cv/cart' });
  const send = (fields: Record<string, string>) =>
    fetch(`${page.address}?frame=1`, { method: 'POST', body: new URLSearchParams(fields) });
  const mistaken = await (await send({ attempt: '0', phone: 'x' })).text();
  assert.match(mistaken, /class="payee"/);
  assert.match(mistaken, /href="\?lang=en&amp;frame=1"/);
  const paying = await send({ attempt: '0', phone: '9912345', operator: 'MOCK' });
  assert.equal(new URL(paying.url).searchParams.get('frame'), '1');
  await reachStatus(gateway, session, 'COMPLETED');
  const paid = await (await fetch(paying.url)).text();
  assert.match(paid, new RegExp(`data-session="${session.id}" data-status="COMPLETED"`));
  assert.match(
    paid,
    /<a href="https:\/\/shop\.cv\/cart\?session_id=\w+" target="_top" data-close>/,
  );
  assert.match(paid, /<a href="\.\.\/receipt\/[^"]+" target="_blank">/);
});

async function whereTo(gateway: TestGateway, session: CheckoutSession): Promise<string | null> {
  const address = `${pageOf(gateway, session).address}?onward=1`;
  const answer = await fetch(address, { redirect: 'manual' });
  return answer.headers.get('location');
}

test('leads on to the shop only from a paid session', async () => {
  const { gateway, session, page } = await framed({ completionUrl: 'https://shop.cv/thanks' });
  assert.equal(await whereTo(gateway, session), null);
  await page.pay('9912345');
  await reachStatus(gateway, session, 'COMPLETED');
  const thanks = `https://shop.cv/thanks?session_id=${session.id}`;
  assert.equal(await whereTo(gateway, session), thanks);
});

test('lets the listed sites frame the page of a reusable link, and leads to a session in the frame', async () => {
  const { gateway } = await framed();
  const { body: link } = await gateway.api('POST', '/v1/payment-links', {
    description: 'Quota',
    amount: 5_000,
  });
  const address = `${gateway.url}${new URL(link.url).pathname}`;
  const answer = await fetch(address, { headers: { 'sec-fetch-dest': 'iframe' } });
  assert.deepEqual(await framePolicyOf(Promise.resolve(answer)), [
    `${shop} https://www.shop.cv`,
    null,
  ]);
  const used = await fetch(answer.url, { method: 'POST', body: new URLSearchParams() });
  assert.match(await used.text(), /class="payee"/);
});

test('serves checkout.js to every site in at most 8 KB', async () => {
  const { url } = await sharedGateway();
  const answer = await fetch(`${url}/pay/checkout.js`);
  const text = await answer.text();
  assert.ok(Buffer.byteLength(text) <= 8_000, `${Buffer.byteLength(text)} bytes`);
  const { headers } = answer;
  assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('content-encoding'), 'gzip');
  assert.match(headers.get('cache-control')!, /^public, max-age=\d+$/);
});
