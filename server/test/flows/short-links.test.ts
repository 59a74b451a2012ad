/** The short addresses of payment links, and who paid by a link. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { shortUrlOf } from '../../src/storefront/payment-links/short-links.ts';
import { countOf } from '../support/checkout.ts';
import { testConsole } from '../support/console.ts';
import { anotherGateway, apiOf, eventually, testGateway, testKey } from '../support/gateway.ts';

const quota = { description: 'Quota mensal', amount: 50_000 };

const follow = async (origin: string, address: string, query = '') => {
  const answer = await fetch(`${origin}${new URL(address).pathname}${query}`);
  return { status: answer.status, url: answer.url, text: await answer.text() };
};

test('leads from the short address to the page of the link, as it is typed', async (context) => {
  const { url, zimbo } = await testGateway(context);
  const link = await zimbo.paymentLinks.create(quota);
  assert.match(link.shortUrl, /\/l\/[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  assert.ok(link.shortUrl.length < link.url.length - 40, 'short enough for a poster');
  const { shortUrl } = await zimbo.paymentLinks.get(link.id);
  assert.equal(shortUrl, link.shortUrl);
  const code = shortUrl.split('/').at(-1)!;
  const spellings = [code, code.toUpperCase(), code.replaceAll('0', 'O').replaceAll('1', 'I')];
  for (const spelling of spellings) {
    const { status, url: to, text } = await follow(url, shortUrl.replace(code, spelling));
    assert.equal(status, 200, spelling);
    assert.equal(new URL(to).pathname, new URL(link.url).pathname);
    assert.match(text, /<bdi>Quota mensal<\/bdi>/);
  }
  assert.match((await follow(url, shortUrl, '?lang=en')).text, /<html lang="en">/);
  const nothing = await follow(url, shortUrlOf(randomUUID(), url));
  assert.equal(nothing.status, 404);
  const style = /href="(assets\/style-[^"]+)"/.exec(nothing.text)![1]!;
  assert.equal((await fetch(`${url}/l/${style}`)).status, 200);
  assert.equal((await follow(url, `${url}/l/x`)).status, 404);
});

test('gives a link of an older program one short address, whoever asks first', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo, database, databaseUrl } = gateway;
  const { id } = await zimbo.paymentLinks.create(quota);
  await database.query({ text: 'DELETE FROM short_links' });
  const key = await testKey(database);
  assert.deepEqual((await apiOf(gateway.url, key)('GET', '/v1/payment-links')).body.data, []);
  const other = await anotherGateway(context, databaseUrl);
  const of = (url: string) => apiOf(url, gateway.key)('GET', `/v1/payment-links/${id}`);
  const answers = await Promise.all([of(gateway.url), of(other.url), of(gateway.url)]);
  const found = new Set(answers.map(({ body }) => body.shortUrl));
  assert.equal(found.size, 1);
  assert.equal(await countOf(gateway, 'short_links'), 1);
  assert.equal((await follow(other.url, [...found][0])).status, 200);
});

test('limits guesses of short addresses by the address of the client, not known ones', async (context) => {
  const environment = { RATE_LIMIT_UNAUTHORIZED: '1/20' };
  const { url, zimbo } = await testGateway(context, { environment });
  const link = await zimbo.paymentLinks.create(quota);
  assert.equal((await follow(url, link.shortUrl)).status, 200);
  const guesses = Array.from({ length: 40 }, () => follow(url, shortUrlOf(randomUUID(), url)));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  assert.ok(statuses.includes(429), statuses.join());
  assert.equal((await follow(url, link.shortUrl)).status, 200, 'a neighbour pays nevertheless');
});

test('tells customers of a paused link so, also if it was paused while they looked', async (context) => {
  const { url, zimbo } = await testGateway(context);
  const link = await zimbo.paymentLinks.create(quota);
  await zimbo.paymentLinks.update(link.id, { active: false });
  assert.match((await follow(url, link.shortUrl)).text, /De momento não se pode pagar por este/);
  const english = (await follow(url, link.shortUrl, '?lang=en')).text;
  assert.match(english, /You cannot pay by this link at the moment/);
  const used = await fetch(`${url}${new URL(link.url).pathname}`, { method: 'POST' });
  assert.equal(used.status, 409);
  assert.match(await used.text(), /De momento não se pode pagar por este link/);
  await zimbo.paymentLinks.update(link.id, { active: true });
  assert.match((await follow(url, link.shortUrl)).text, /Continuar/);
});

test('shows who paid by a link, in pages, with masked phones for people who may not see them', async (context) => {
  const site = await testConsole(context);
  const { gateway } = site;
  const link = await gateway.zimbo.paymentLinks.create(quota);
  const other = await gateway.zimbo.paymentLinks.create(quota);
  const use = async ({ url }: { url: string }) => {
    const page = `${gateway.url}${new URL(url).pathname}`;
    const to = (await fetch(page, { method: 'POST', redirect: 'manual' })).headers.get('location')!;
    return new URL(to, page).href;
  };
  await use(link);
  for (const each of [link, link, other]) {
    const body = new URLSearchParams({ phone: '9912345', operator: 'MOCK', attempt: '0' });
    await fetch(await use(each), { method: 'POST', body });
  }
  await eventually('all are paid', async () => {
    return (await countOf(gateway, `checkout_sessions WHERE status = 'COMPLETED'`)) === 3;
  });
  const owner = await site.signIn('OWNER');
  const { text } = await owner.get(`links/reusable/${link.id}`);
  assert.match(text, /2 payments · <span class="amount">1,000.00 CVE</);
  assert.match(text, /\+238 991 23 45/);
  assert.equal(text.split('href="').filter((part) => /\/payments\/pi_/.test(part)).length, 2);
  const viewer = await site.signIn('VIEWER');
  const masked = (await viewer.get(`links/reusable/${link.id}`)).text;
  assert.doesNotMatch(masked, /991 2345/);
  assert.match(masked, /2 payments/);
});
