import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { changeBrand } from '../../src/tenants/merchants/brand.ts';
import { confirmPhone, countOf, okPhone, pageOf, reachPayment } from '../support/checkout.ts';
import { testConsole } from '../support/console.ts';
import { sharedConsole } from '../support/shared-gateway.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e"&';
const link = (change: Record<string, string> = {}) => ({
  action: 'create',
  key: randomUUID(),
  currency: 'CVE',
  amount: '2 500',
  description: `Renda ${hostile}`,
  expires: '60',
  ...change,
});
const product = (change: Record<string, string> = {}) => ({
  action: 'create',
  key: randomUUID(),
  name: `Café ${hostile}`,
  price: '1.250,50',
  currency: 'CVE',
  description: 'x'.repeat(2_000),
  ...change,
});

const linkIn = (location: string | null) => /links\/(cs_\w+)/.exec(location ?? '')![1]!;

test('creates a payment link once, to share, print and pay, and shows the payer', async (context) => {
  const site = await testConsole(context);
  const { zimbo } = site.gateway;
  const member = await site.signIn('SUPPORT');
  const form = link({ order: 'ENC-7', customer: 'ana' });
  const [one, two] = await Promise.all([
    member.send('links/new', form),
    member.send('links/new', form),
  ]);
  assert.equal(one.location, two.location);
  const changed = await member.send('links/new', { ...form, amount: '9' });
  const id = linkIn(one.location);
  assert.equal(linkIn(changed.location), id);
  assert.match(changed.location!, /done=earlier$/);
  assert.equal(await countOf(site.gateway, 'checkout_sessions'), 1);
  const session = await zimbo.checkout.sessions.get(id);
  assert.equal(session.amount, '250000');
  assert.deepEqual([session.externalId, session.metadata], ['ENC-7', { order: 'ENC-7' }]);
  const lifetimeMs = Date.parse(session.expiresAt) - Date.parse(session.createdAt);
  assert.equal(lifetimeMs, 3_600_000);

  const page = (await member.get(`links/${id}`)).text;
  assert.ok(page.includes(`https://wa.me/?text=`) && page.includes('sms:?body='));
  assert.ok(page.includes(encodeURIComponent(session.url)));
  assert.ok(!page.includes('<img src=x') && !page.includes('\u202e'));
  const code = await member.get(`links/${id}/qr.svg`);
  assert.equal(code.headers.get('content-type'), 'image/svg+xml');
  assert.match(code.text, /^<svg/);

  await pageOf(site.gateway, session).pay(okPhone);
  await reachPayment(site.gateway, session, 'DEBITED');
  const paid = (await member.get(`links/${id}`)).text;
  assert.match(paid, /data-state="paid"/);
  assert.match(paid, /\+238 991 23 45/);
  assert.match(paid, /payments\/pi_/);
  const viewer = await site.signIn('VIEWER');
  assert.ok(!(await viewer.get(`links/${id}`)).text.includes('2345'), 'phones are masked');
  assert.match((await viewer.get('links?status=COMPLETED')).text, new RegExp(id));
  assert.ok(!(await viewer.get('links?status=OPEN')).text.includes(id));
});

test('shows the order of a link that an older program made', async () => {
  const site = await sharedConsole();
  const { zimbo } = site.gateway;
  const older = await zimbo.checkout.sessions.create({ amount: 1, metadata: { order: 'ENC-6' } });
  const member = await site.signIn('VIEWER');
  assert.match((await member.get(`links/${older.id}`)).text, /<bdi>ENC-6<\/bdi>/);
  const other = await zimbo.checkout.sessions.create({ amount: 1, metadata: { order: { id: 6 } } });
  assert.equal((await member.get(`links/${other.id}`)).status, 200);
});

test("turns the till's input into a link", async () => {
  const site = await sharedConsole();
  const { zimbo } = site.gateway;
  const tea = await zimbo.products.create({ name: 'Chá', price: 7_500 });
  const member = await site.signIn('OWNER');
  const fields = { action: 'link', key: randomUUID(), currency: 'CVE', amount: '' };
  const sent = await member.send('charge', { ...fields, [`quantity.${tea.id}`]: '2' });
  const session = await zimbo.checkout.sessions.get(linkIn(sent.location));
  assert.equal(session.amount, '15000');
  assert.equal(session.items[0]!.productId, tea.id);
  const wrong = await member.send('charge', { ...fields, key: randomUUID() });
  assert.equal(wrong.status, 400);
});

test("shows only a link's own payments", async () => {
  const site = await sharedConsole();
  const order = { amount: 100, operator: 'MOCK', operatorPhone: okPhone } as const;
  const other = await site.gateway.zimbo.payments.create(order);
  const member = await site.signIn('OWNER');
  const { location } = await member.send('links/new', link());
  assert.ok(!(await member.get(location!)).text.includes(other.id));
});

test('cancels a link, but not while its customer is paying', async () => {
  const site = await sharedConsole();
  const member = await site.signIn('OWNER');
  const id = linkIn((await member.send('links/new', link())).location);
  const expired = await member.send(`links/${id}`, { action: 'expire' });
  assert.match(expired.location!, /done=expired$/);
  assert.match((await member.get(expired.location!)).text, /nobody can pay with it any more/);

  const busy = linkIn((await member.send('links/new', link())).location);
  const session = await site.gateway.zimbo.checkout.sessions.get(busy);
  await pageOf(site.gateway, session).pay(confirmPhone);
  const refused = await member.send(`links/${busy}`, { action: 'expire' });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /no longer possible/);
});

test('shows mistakes in the link form, and creates nothing', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('OWNER');
  for (const change of [{ amount: 'dez' }, { amount: '' }, { description: 'x'.repeat(256) }]) {
    assert.equal((await member.send('links/new', link(change))).status, 400);
  }
  assert.equal(await countOf(site.gateway, 'checkout_sessions'), 0);
  const finance = await site.signIn('FINANCE');
  assert.equal((await finance.get('links/new')).status, 403);
  assert.ok(!(await finance.get('links')).text.includes('links/new'));
});

test('shows the shop’s name, colour and logo on the poster, with the amount and the code', async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>');
  const brand = { name: 'Padaria <b>Bela</b>', colour: '#aa3300', logo };
  await changeBrand({ database, clock: systemClock, ids: randomIds() }, site.merchantId, brand);
  const member = await site.signIn('OWNER');
  const id = linkIn((await member.send('links/new', link())).location);
  const { text } = await member.get(`links/${id}/poster`);
  assert.match(text, /class="bare"/);
  assert.match(text, /Padaria &lt;b&gt;Bela/);
  assert.match(text, /fill="#aa3300"/);
  assert.match(text, /2,500\.00 CVE/);
  const inPortuguese = await member.get(`links/${id}/poster?lang=pt`);
  assert.match(inPortuguese.text, /2\.500\$00 CVE/, 'as the page that the customer opens');
  assert.match(text, /src="qr\.svg"/);
  const picture = await member.get(`links/${id}/logo`);
  assert.match(picture.headers.get('content-security-policy')!, /sandbox/);
});

test('creates a product once, changes it, and takes it off sale and back', async (context) => {
  const site = await testConsole(context);
  const { zimbo } = site.gateway;
  const member = await site.signIn('DEVELOPER');
  const form = product();
  await Promise.all([member.send('products/new', form), member.send('products/new', form)]);
  await member.send('products/new', { ...form, price: '1' });
  assert.equal(await countOf(site.gateway, 'products'), 1);
  const [made] = await Array.fromAsync(zimbo.products.list());
  assert.equal(made!.price, '125050');
  const list = (await member.get('products')).text;
  assert.ok(list.includes('&lt;img src=x') && !list.includes('<img src=x'));
  const page = `products/${made!.id}`;
  assert.match((await member.get(page)).text, /name="price"[^>]*value="1,250\.50"/);
  const change = { action: 'change', name: 'Café', price: '0,50', currency: 'AOA' };
  assert.match((await member.send(page, change)).location!, /done=changed$/);
  const changed = await zimbo.products.get(made!.id);
  assert.deepEqual([changed.name, changed.price, changed.currency], ['Café', '50', 'AOA']);
  await member.send(page, { action: 'deactivate' });
  await member.send(page, { action: 'deactivate' });
  assert.equal((await zimbo.products.get(made!.id)).active, false);
  assert.ok(!(await member.get('charge?currency=AOA')).text.includes(made!.id));
  await member.send(page, { action: 'activate' });
  assert.ok((await member.get('charge?currency=AOA')).text.includes(made!.id));
  for (const wrong of [{ name: '' }, { price: '1.5000' }, { name: 'x'.repeat(256) }]) {
    assert.equal((await member.send('products/new', product(wrong))).status, 400);
    assert.equal((await member.send(page, { ...change, ...wrong })).status, 400);
  }
  const viewer = await site.signIn('VIEWER');
  assert.ok(!(await viewer.get(page)).text.includes('name="action"'));
});
