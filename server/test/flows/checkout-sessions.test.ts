import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListCheckoutSessionsQuery } from '../../../sdk/typescript/src/index.ts';
import { countOf, openSession, reachStatus, reload } from '../support/checkout.ts';
import { testGateway, testKey, zimboOf } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const path = '/v1/checkout/sessions';
const item = { name: 'Cachupa', quantity: 2, unitPrice: 50_000 };

test('returns a session of an amount with every field and its defaults', async (context) => {
  const gateway = await testGateway(context, {
    environment: { PUBLIC_URL: 'https://pay.example.cv/gateway' },
  });
  const session = await openSession(gateway);
  const { id, url, expiresAt, createdAt, updatedAt, ...rest } = session;
  assert.match(id, /^cs_[0-9a-z]{26}$/);
  assert.match(url, /^https:\/\/pay\.example\.cv\/gateway\/pay\/[\w-]{64}$/);
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 1440 * 60_000);
  assert.equal(updatedAt, createdAt);
  assert.deepEqual(rest, {
    amount: '100000',
    currency: 'CVE',
    status: 'OPEN',
    returnUrl: null,
    completionUrl: null,
    customerId: null,
    paymentIntentId: null,
    items: [],
    metadata: null,
  });
  assert.deepEqual(await reload(gateway, session), session);
});

test('adds up the items of a session exactly, beyond the limit of an amount', async () => {
  const gateway = await sharedGateway();
  const most = { name: 'Casa', quantity: 9_999, unitPrice: 100_000_000, description: null };
  const given = { items: [{ ...item, description: 'Rica' }, most], amount: null };
  const metadata = { order: 'A 1' };
  const optional = {
    currency: 'AOA',
    customerId: 'cliente 1',
    metadata,
    expiresInMinutes: 5,
  } as const;
  const session = await openSession(gateway, { ...given, ...optional });
  assert.equal(session.amount, String(2n * 50_000n + 9_999n * 100_000_000n));
  assert.deepEqual(session.metadata, metadata);
  assert.equal(session.customerId, 'cliente 1');
  const shown = session.items.map(({ id, ...rest }) => {
    assert.match(id, /^ci_[0-9a-z]{26}$/);
    return rest;
  });
  const common = { productId: null, currency: 'AOA' };
  assert.deepEqual(shown, [
    { ...common, name: 'Cachupa', description: 'Rica', quantity: 2, unitPrice: '50000' },
    { ...common, name: 'Casa', description: null, quantity: 9_999, unitPrice: '100000000' },
  ]);
});

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 'v']));
const ofItem = (change: object) => ({ items: [{ ...item, ...change }] });

const fine = [
  { amount: 1 },
  { amount: 100_000_000 },
  { amount: 1, items: null },
  { amount: 1, expiresInMinutes: 5 },
  { amount: 1, expiresInMinutes: 1440 },
  { amount: 1, metadata: keys(50) },
  { amount: 1, customerId: 'c' },
  { amount: 1, customerId: 'é'.repeat(255), description: 'd'.repeat(255) },
  { items: Array.from({ length: 200 }, () => item) },
  ofItem({ name: 'a' }),
  ofItem({ name: 'é'.repeat(255) }),
  ofItem({ quantity: 1 }),
  ofItem({ quantity: 9_999 }),
  ofItem({ unitPrice: 1 }),
  ofItem({ unitPrice: 100_000_000 }),
  ofItem({ productId: null }),
  { amount: 1, returnUrl: 'minhaloja://fim', completionUrl: 'https://shop.cv' },
];

const bad = [
  {},
  { amount: 1, customerId: '' },
  { amount: 1, customerId: 'c'.repeat(256) },
  { amount: 1, description: 'd'.repeat(256) },
  { amount: null, items: null },
  { amount: 1, items: [item] },
  { items: [] },
  { amount: 1, items: [] },
  { amount: 0 },
  { amount: 100_000_001 },
  { amount: '1' },
  { amount: 1, currency: 'USD' },
  { amount: 1, expiresInMinutes: 4 },
  { amount: 1, expiresInMinutes: 1441 },
  { amount: 1, metadata: keys(51) },
  { amount: 1, unknown: 1 },
  ofItem({ name: '' }),
  ofItem({ name: 'a'.repeat(256) }),
  ofItem({ name: undefined }),
  ofItem({ quantity: 0 }),
  ofItem({ quantity: 10_000 }),
  ofItem({ quantity: undefined }),
  ofItem({ unitPrice: 0 }),
  ofItem({ unitPrice: 100_000_001 }),
  ofItem({ unitPrice: undefined }),
  ofItem({ colour: 'red' }),
  ...['/thanks', 'javascript:alert(1)', ' JaVa\nscript:alert(1)', 'data:text/html,x', 'vbscript:x']
    .concat([
      'file:///etc/passwd',
      'blob:https://a/b',
      'https://user@shop.cv',
      'https://:p@shop.cv',
    ])
    .flatMap((url) => [
      { amount: 1, returnUrl: url },
      { amount: 1, completionUrl: url },
    ]),
];

test('holds each limit of a session on both sides', async () => {
  const { api } = await sharedGateway();
  for (const body of fine) {
    assert.equal((await api('POST', path, body)).status, 200, JSON.stringify(body).slice(0, 99));
  }
  for (const body of bad) {
    const { status, body: answer } = await api('POST', path, body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(answer.error.code, 'VALIDATION_ERROR');
  }
});

test('allows an item to name only an active product of the tenant', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const product = await zimbo.products.create({ name: 'Café', price: 1 });
  const items = (productId: string) => ({ items: [item, { ...item, productId }] });
  const notFound = { code: 'NOT_FOUND', status: 404 };
  const session = await openSession(gateway, items(product.id));
  assert.equal(session.items[1]?.productId, product.id);
  assert.equal(session.items[1]?.name, item.name, 'name and price are those of the body');
  const stranger = zimboOf(gateway.url, await testKey(gateway.database));
  await assert.rejects(stranger.checkout.sessions.create(items(product.id)), notFound);
  for (const id of ['nothing', '', product.id.replace('pr_', 'pi_'), `pr_${'0'.repeat(26)}`]) {
    await assert.rejects(zimbo.checkout.sessions.create(items(id)), notFound, id);
  }
  const kwanza = await zimbo.products.create({ name: 'Café', price: 1, currency: 'AOA' });
  const otherCurrency = await openSession(gateway, items(kwanza.id));
  const [, named] = otherCurrency.items;
  const sold = [named?.productId, named?.name, named?.unitPrice, named?.currency];
  assert.deepEqual(sold, [kwanza.id, item.name, String(item.unitPrice), 'CVE']);
  await zimbo.products.update(product.id, { active: false });
  const inactive = zimbo.checkout.sessions.create(items(product.id));
  const message = /^items\[1\]\.productId /;
  await assert.rejects(inactive, { code: 'VALIDATION_ERROR', status: 400, message });
  await zimbo.products.delete(product.id);
  await assert.rejects(zimbo.checkout.sessions.create(items(product.id)), notFound);
  assert.deepEqual(await reload(gateway, session), session, 'sessions keep their copies');
});

test('repeats the original bytes to a repeated request, whatever became of the session', async (context) => {
  const gateway = await testGateway(context);
  const key = { 'idempotency-key': 'carrinho 1' };
  const product = await gateway.zimbo.products.create({ name: 'Café', price: 1 });
  const body = { items: [{ ...item, productId: product.id }] };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => gateway.api('POST', path, body, key)),
  );
  const [first] = answers;
  for (const { text } of answers) assert.equal(text, first!.text);
  assert.equal(await countOf(gateway, 'checkout_sessions'), 1);
  await gateway.zimbo.checkout.sessions.expire(first!.body.id);
  await gateway.zimbo.products.delete(product.id);
  const again = await gateway.api('POST', path, body, key);
  assert.equal(again.text, first!.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await gateway.api('POST', path, { amount: 1 }, key)).status, 409);
});

test('ends an open session once by expire, and filters the list by status', async (context) => {
  const gateway = await testGateway(context);
  const [older, newer] = [await openSession(gateway), await openSession(gateway)];
  const { sessions } = gateway.zimbo.checkout;
  const expired = await sessions.expire(older.id);
  assert.equal(expired.status, 'EXPIRED');
  await assert.rejects(sessions.expire(older.id), { code: 'INVALID_STATE', status: 409 });
  const list = async (query: ListCheckoutSessionsQuery) =>
    (await sessions.list(query).page()).data.map(({ id }) => id);
  assert.deepEqual(await list({}), [newer.id, older.id]);
  assert.deepEqual(await list({ status: 'EXPIRED' }), [older.id]);
  assert.deepEqual(await list({ status: 'OPEN' }), [newer.id]);
  assert.deepEqual(await list({ status: 'COMPLETED' }), []);
  assert.deepEqual(await list({ startingAfter: newer.id }), [older.id]);
  assert.equal((await gateway.api('GET', `${path}?status=PAID`)).status, 400);
  const text = `SELECT body FROM events WHERE type = 'checkout.expired'`;
  const events = await gateway.database.query<{ body: string }>({ text });
  assert.deepEqual(
    events.map(({ body }) => JSON.parse(body).data),
    [expired],
  );
});

test('expires a session automatically when it is due', async (context) => {
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const text = `UPDATE checkout_sessions SET expires_at = $1, due_at = $1`;
  await gateway.database.query({ text }, [new Date().toISOString()]);
  await reachStatus(gateway, session, 'EXPIRED');
  assert.equal(await countOf(gateway, `events WHERE type = 'checkout.expired'`), 1);
});
