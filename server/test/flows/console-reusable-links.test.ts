import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf } from '../support/checkout.ts';
import { testConsole } from '../support/console.ts';
import { sharedConsole } from '../support/shared-gateway.ts';
import { hiddenValue } from '../support/stranger.ts';

test('creates a reusable link once on the console, and disables it', async (context) => {
  const site = await testConsole(context);
  const owner = await site.signIn('OWNER');
  const path = 'links/reusable';
  const key = hiddenValue((await owner.get(path)).text, 'key');
  const asked = { action: 'create', key, description: 'Donativo <b>', currency: 'CVE' };
  for (const wrong of [
    {},
    { amount: '0' },
    { amount: '5', least: '1', most: '2' },
    { least: '5', most: '2' },
    { amount: '5', uses: '1.5' },
  ]) {
    assert.equal(
      (await owner.send(path, { ...asked, ...wrong })).status,
      400,
      JSON.stringify(wrong),
    );
  }
  const right = { ...asked, least: '10,00', most: '5.000', uses: '3' };
  for (let times = 0; times < 2; times++) assert.equal((await owner.send(path, right)).status, 303);
  assert.equal(await countOf(site.gateway, 'payment_links'), 1);
  const { text } = await owner.get(path);
  assert.ok(text.includes('<bdi>Donativo &lt;b&gt;</bdi>'), text);
  assert.match(text, /0 \/ 3/);
  const link = /name="link" value="(pl_\w+)"/.exec(text)![1]!;
  assert.match(text, /\/l\/[0-9a-z]{26}"/);
  await owner.send(path, { action: 'turn-off', link });
  assert.equal(await countOf(site.gateway, 'payment_links WHERE NOT active'), 1);
  const viewer = await site.signIn('VIEWER');
  assert.equal((await viewer.send(path, { action: 'turn-on', link })).status, 403);
  assert.doesNotMatch((await viewer.get(path)).text, /name="action"/);
});

test('creates a link for a product until the end of a local day', async () => {
  const site = await sharedConsole();
  const { zimbo, api } = site.gateway;
  const owner = await site.signIn('OWNER');
  const path = 'links/reusable';
  assert.doesNotMatch((await owner.get(path)).text, /name="product"/, 'there is none to choose');
  const product = await zimbo.products.create({ name: 'Café <do Fogo>', price: 65_000 });
  const gone = await zimbo.products.create({ name: 'Esgotado', price: 1_000 });
  await zimbo.products.update(gone.id, { active: false });
  const kwanzas = await zimbo.products.create({ name: 'Ginguba', price: 90_000, currency: 'AOA' });
  const form = (await owner.get(path)).text;
  assert.ok(
    form.includes(`<option value="${product.id}">Café &lt;do Fogo&gt;, 650.00 CVE</option>`),
  );
  assert.ok(!form.includes(gone.id), 'what is off sale is not offered');
  const key = hiddenValue(form, 'key');
  const asked = {
    action: 'create',
    key,
    description: 'Café',
    currency: 'CVE',
    product: product.id,
  };
  for (const wrong of [
    { amount: '5' },
    { least: '1', most: '2' },
    { until: '2020-01-31' },
    { until: 'amanhã' },
    { product: gone.id },
    { product: 'pr_nothing' },
  ]) {
    const answer = await owner.send(path, { ...asked, ...wrong });
    assert.equal(answer.status, 400, JSON.stringify(wrong));
  }
  const until = '2099-12-31';
  assert.equal((await owner.send(path, { ...asked, until })).status, 303);
  const second = hiddenValue((await owner.get(path)).text, 'key');
  const other = { ...asked, key: second, product: kwanzas.id };
  assert.equal((await owner.send(path, other)).status, 303);
  const { data } = (await api('GET', '/v1/payment-links')).body;
  const [inKwanzas, made] = data;
  assert.equal(made.productId, product.id);
  assert.equal(made.amount, null);
  assert.equal(made.expiresAt, '2100-01-01T00:59:59.999Z', 'the end of the day in Praia');
  assert.deepEqual([inKwanzas.currency, inKwanzas.expiresAt], ['AOA', null]);
  const list = (await owner.get(path)).text;
  assert.match(list, /Price of <bdi>Café &lt;do Fogo&gt;<\/bdi>/);
  assert.match(list, />31 Dec 2099</);
});
