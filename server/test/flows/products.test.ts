import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListProductsQuery } from '../../../sdk/typescript/src/index.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

test('creates a product with its defaults, and finds, changes and deletes it', async () => {
  const { zimbo, api } = await sharedGateway();
  const { products } = zimbo;
  const created = await products.create({ name: 'Café', price: 45_000 });
  const { id, createdAt, updatedAt, ...rest } = created;
  assert.match(id, /^pr_[0-9a-z]{26}$/);
  assert.equal(createdAt, updatedAt);
  const defaults = { description: null, currency: 'CVE', active: true, metadata: null };
  assert.deepEqual(rest, { name: 'Café', price: '45000', ...defaults });
  assert.deepEqual(await products.get(id), created);

  const change = { description: 'Do Fogo', metadata: { a: 1 }, active: false };
  const changed = await products.update(id, change);
  assert.deepEqual({ ...changed, updatedAt }, { ...created, ...change });
  const cleared = await products.update(id, { description: null });
  assert.equal(cleared.description, null);
  assert.deepEqual(cleared.metadata, { a: 1 });

  assert.deepEqual(await products.update(id, {}), cleared);
  for (const field of ['name', 'price', 'currency', 'active']) {
    const refused = await api('PATCH', `/v1/products/${id}`, { [field]: null });
    assert.deepEqual([refused.status, refused.body.error?.code], [400, 'VALIDATION_ERROR'], field);
  }
  assert.deepEqual(await products.get(id), cleared);

  const deleted = await api('DELETE', `/v1/products/${id}`);
  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, '');
  const notFound = { code: 'NOT_FOUND', status: 404 };
  await assert.rejects(products.get(id), notFound);
  await assert.rejects(products.delete(id), notFound);
  await assert.rejects(products.update(id, {}), notFound);
  assert.deepEqual(await products.list().page(), { data: [], hasMore: false });
});

test('holds each limit of a product on both sides', async () => {
  const { api } = await sharedGateway();
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

test('lists products newest first, and filters by active', async () => {
  const { zimbo, api } = await sharedGateway();
  const create = async (active: boolean) =>
    (await zimbo.products.create({ name: 'a', price: 1, active })).id;
  const ids = [await create(true), await create(false), await create(true)];
  const list = async (query: ListProductsQuery) =>
    (await zimbo.products.list(query).page()).data.map(({ id }) => id);
  assert.deepEqual(await list({}), ids.toReversed());
  assert.deepEqual(await list({ active: true }), [ids[2], ids[0]]);
  assert.deepEqual(await list({ active: false }), [ids[1]]);
  assert.deepEqual(await list({ limit: 1, startingAfter: ids[2] }), [ids[1]]);
  assert.equal((await api('GET', '/v1/products?active=1')).status, 400);
});

test('repeats the original bytes to a repeated request, whatever became of the product', async () => {
  const { zimbo, api } = await sharedGateway();
  const key = { 'idempotency-key': 'produto 1' };
  const body = { name: 'Café', price: 1 };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api('POST', '/v1/products', body, key)),
  );
  const [first] = answers;
  for (const { text } of answers) assert.equal(text, first!.text);
  assert.equal(answers.filter(({ headers }) => !headers.has('idempotent-replayed')).length, 1);
  await zimbo.products.update(first!.body.id, { name: 'Chá' });
  await zimbo.products.delete(first!.body.id);
  const again = await api('POST', '/v1/products', { price: 1, name: 'Café' }, key);
  assert.equal(again.text, first!.text);
  const other = await api('POST', '/v1/products', { ...body, price: 2 }, key);
  assert.equal(other.status, 409);
  assert.equal(other.body.error.code, 'IDEMPOTENCY_KEY_REUSED');
});
