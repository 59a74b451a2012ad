import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testGateway } from '../gateway.ts';

test('a product is created with its defaults, found, changed and deleted', async (context) => {
  const { api } = await testGateway(context);
  const created = await api('POST', '/v1/products', { name: 'Café', price: 45_000 });
  assert.equal(created.status, 200);
  const { id, createdAt, updatedAt, ...rest } = created.body;
  assert.match(id, /^pr_[0-9a-z]{26}$/);
  assert.equal(createdAt, updatedAt);
  const defaults = { description: null, currency: 'CVE', active: true, metadata: null };
  assert.deepEqual(rest, { name: 'Café', price: '45000', ...defaults });
  assert.deepEqual((await api('GET', `/v1/products/${id}`)).body, created.body);

  const change = { description: 'Do Fogo', metadata: { a: 1 }, active: false, price: null };
  const changed = (await api('PATCH', `/v1/products/${id}`, change)).body;
  assert.deepEqual(
    { ...changed, updatedAt },
    { ...created.body, description: 'Do Fogo', metadata: { a: 1 }, active: false },
  );
  const cleared = (await api('PATCH', `/v1/products/${id}`, { description: null })).body;
  assert.equal(cleared.description, null);
  assert.deepEqual(cleared.metadata, { a: 1 });

  for (const nothing of [{}, { name: null, price: null, currency: null, active: null }]) {
    assert.deepEqual((await api('PATCH', `/v1/products/${id}`, nothing)).body, cleared);
  }

  const deleted = await api('DELETE', `/v1/products/${id}`);
  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, '');
  for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', {}]] as const) {
    assert.equal((await api(method, `/v1/products/${id}`, body)).status, 404, method);
  }
  assert.deepEqual((await api('GET', '/v1/products')).body, { data: [], hasMore: false });
});

test('each limit of a product holds on both sides', async (context) => {
  const { api } = await testGateway(context);
  const good = { name: 'a', price: 0 };
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, null]));
  const fine = [
    good,
    { ...good, name: 'é'.repeat(255) },
    { ...good, price: 999_999_999_999 },
    { ...good, metadata: keys(50) },
    { ...good, description: null, metadata: null, active: null, currency: null },
    { ...good, description: 'x'.repeat(5_000), currency: 'AOA' },
  ];
  for (const body of fine) assert.equal((await api('POST', '/v1/products', body)).status, 200);
  const bad = [
    {},
    { name: 'a' },
    { price: 1 },
    { ...good, name: '' },
    { ...good, name: 'a'.repeat(256) },
    { ...good, price: -1 },
    { ...good, price: 1_000_000_000_000 },
    { ...good, price: '100' },
    { ...good, price: 1.5 },
    { ...good, currency: 'EUR' },
    { ...good, active: 'yes' },
    { ...good, metadata: keys(51) },
    { ...good, colour: 'red' },
  ];
  const { body: product } = await api('POST', '/v1/products', good);
  for (const body of bad) {
    assert.equal((await api('POST', '/v1/products', body)).status, 400, JSON.stringify(body));
    if (Object.keys(body).length < 2) continue;
    const changed = await api('PATCH', `/v1/products/${product.id}`, body);
    assert.equal(changed.status, 400, JSON.stringify(body));
  }
});

test('products are listed newest first, and narrowed to those that are active', async (context) => {
  const { api } = await testGateway(context);
  const create = async (active: boolean) =>
    (await api('POST', '/v1/products', { name: 'a', price: 1, active })).body.id;
  const ids = [await create(true), await create(false), await create(true)];
  const list = async (query: string) =>
    (await api('GET', `/v1/products?${query}`)).body.data.map(({ id }: { id: string }) => id);
  assert.deepEqual(await list(''), ids.toReversed());
  assert.deepEqual(await list('active=true'), [ids[2], ids[0]]);
  assert.deepEqual(await list('active=false'), [ids[1]]);
  assert.deepEqual(await list(`limit=1&starting_after=${ids[2]}`), [ids[1]]);
  assert.equal((await api('GET', '/v1/products?active=1')).status, 400);
});

test('a repeated request gets the original bytes, whatever became of the product', async (context) => {
  const { api } = await testGateway(context);
  const key = { 'idempotency-key': 'produto 1' };
  const body = { name: 'Café', price: 1 };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api('POST', '/v1/products', body, key)),
  );
  const [first] = answers;
  for (const { text } of answers) assert.equal(text, first!.text);
  assert.equal(answers.filter(({ headers }) => !headers.has('idempotent-replayed')).length, 1);
  await api('PATCH', `/v1/products/${first!.body.id}`, { name: 'Chá' });
  await api('DELETE', `/v1/products/${first!.body.id}`);
  const again = await api('POST', '/v1/products', { price: 1, name: 'Café' }, key);
  assert.equal(again.text, first!.text);
  const other = await api('POST', '/v1/products', { ...body, price: 2 }, key);
  assert.equal(other.status, 409);
  assert.equal(other.body.error.code, 'IDEMPOTENCY_KEY_REUSED');
});
