import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf, openSession, reachStatus, reload } from '../checkout.ts';
import { apiOf, testGateway, testKey } from '../gateway.ts';

const path = '/v1/checkout/sessions';
const item = { name: 'Cachupa', quantity: 2, unitPrice: 50_000 };

test('a session of an amount has every field, and its defaults', async (context) => {
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

test('a session of items adds them up exactly, beyond the limit of an amount', async (context) => {
  const gateway = await testGateway(context);
  const most = { name: 'Casa', quantity: 9_999, unitPrice: 100_000_000, description: null };
  const given = { items: [{ ...item, description: 'Rica' }, most], amount: null };
  const metadata = { order: 'A 1' };
  const optional = { currency: 'AOA', customerId: '', metadata, expiresInMinutes: 5 };
  const session = await openSession(gateway, { ...given, ...optional });
  assert.equal(session.amount, String(2n * 50_000n + 9_999n * 100_000_000n));
  assert.deepEqual(session.metadata, metadata);
  assert.equal(session.customerId, '');
  const shown = session.items.map(({ id, ...rest }: { id: string }) => {
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
  { amount: 1, customerId: 'c'.repeat(3_000) },
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

test('each limit of a session holds on both sides', async (context) => {
  const { api } = await testGateway(context);
  for (const body of fine) {
    assert.equal((await api('POST', path, body)).status, 200, JSON.stringify(body).slice(0, 99));
  }
  for (const body of bad) {
    const { status, body: answer } = await api('POST', path, body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(answer.error.code, 'VALIDATION_ERROR');
  }
});

test('an item may name an active product of the tenant only', async (context) => {
  const gateway = await testGateway(context);
  const { api } = gateway;
  const product = (await api('POST', '/v1/products', { name: 'Café', price: 1 })).body;
  const items = (productId: string) => ({ items: [item, { ...item, productId }] });
  const session = await openSession(gateway, items(product.id));
  assert.equal(session.items[1].productId, product.id);
  assert.equal(session.items[1].name, item.name, 'name and price are those of the body');
  const stranger = apiOf(gateway.url, await testKey(gateway.database));
  assert.equal((await stranger('POST', path, items(product.id))).status, 404);
  for (const id of ['nothing', '', product.id.replace('pr_', 'pi_'), `pr_${'0'.repeat(26)}`]) {
    assert.equal((await api('POST', path, items(id))).status, 404, id);
  }
  await api('PATCH', `/v1/products/${product.id}`, { active: false });
  const inactive = await api('POST', path, items(product.id));
  assert.equal(inactive.status, 400);
  assert.match(inactive.body.error.message, /^items\[1\]\.productId /);
  await api('DELETE', `/v1/products/${product.id}`);
  assert.equal((await api('POST', path, items(product.id))).status, 404);
  assert.deepEqual(await reload(gateway, session), session, 'sessions keep their copies');
});

test('a repeated request gets the original bytes, whatever became of the session', async (context) => {
  const gateway = await testGateway(context);
  const key = { 'idempotency-key': 'carrinho 1' };
  const product = (await gateway.api('POST', '/v1/products', { name: 'Café', price: 1 })).body;
  const body = { items: [{ ...item, productId: product.id }] };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => gateway.api('POST', path, body, key)),
  );
  const [first] = answers;
  for (const { text } of answers) assert.equal(text, first!.text);
  assert.equal(await countOf(gateway, 'checkout_sessions'), 1);
  await gateway.api('POST', `${path}/${first!.body.id}/expire`);
  await gateway.api('DELETE', `/v1/products/${product.id}`);
  const again = await gateway.api('POST', path, body, key);
  assert.equal(again.text, first!.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await gateway.api('POST', path, { amount: 1 }, key)).status, 409);
});

test('expire ends an open session once, and the list can be narrowed to its status', async (context) => {
  const gateway = await testGateway(context);
  const [older, newer] = [await openSession(gateway), await openSession(gateway)];
  const expired = await gateway.api('POST', `${path}/${older.id}/expire`);
  assert.equal(expired.status, 200);
  assert.equal(expired.body.status, 'EXPIRED');
  const again = await gateway.api('POST', `${path}/${older.id}/expire`);
  assert.equal(again.status, 409);
  assert.equal(again.body.error.code, 'INVALID_STATE');
  const list = async (query: string) =>
    (await gateway.api('GET', `${path}?${query}`)).body.data.map(({ id }: { id: string }) => id);
  assert.deepEqual(await list(''), [newer.id, older.id]);
  assert.deepEqual(await list('status=EXPIRED'), [older.id]);
  assert.deepEqual(await list('status=OPEN'), [newer.id]);
  assert.deepEqual(await list('status=COMPLETED'), []);
  assert.deepEqual(await list(`starting_after=${newer.id}`), [older.id]);
  assert.equal((await gateway.api('GET', `${path}?status=PAID`)).status, 400);
  const text = `SELECT body FROM events WHERE type = 'checkout.expired'`;
  const events = await gateway.database.query<{ body: string }>({ text });
  assert.deepEqual(
    events.map(({ body }) => JSON.parse(body).data),
    [expired.body],
  );
});

test('a session expires by itself when its time has come', async (context) => {
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const text = `UPDATE checkout_sessions SET expires_at = $1, due_at = $1`;
  await gateway.database.query({ text }, [new Date().toISOString()]);
  await reachStatus(gateway, session, 'EXPIRED');
  assert.equal(await countOf(gateway, `events WHERE type = 'checkout.expired'`), 1);
});
