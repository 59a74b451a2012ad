/** The search box finds everything that has an id or a number, besides payments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId, parseId } from '../../src/platform/values/ids.ts';
import { testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';

test('finds a payout, a link, a product, an endpoint and an event by id, in any case', async (context) => {
  const site = await testConsole(context);
  const { zimbo, api, database } = site.gateway;
  const phone = '+2389912345';
  const paid = await zimbo.payments.create({
    amount: 1_000,
    operator: 'MOCK',
    operatorPhone: phone,
  });
  await reach(zimbo.payments, paid.id, 'DEBITED');
  const of = async (path: string, body: object) =>
    (await api('POST', path, body)).body.id as string;
  const ids = {
    'settlements/': await of('/v1/settlements/process', {}),
    'links/reusable/': await of('/v1/payment-links', { description: 'Quota', amount: 500 }),
    'products/': await of('/v1/products', { name: 'Café', price: 100 }),
    'endpoints/': await of('/v1/webhooks', {
      url: 'https://shop.cv/hook',
      events: ['payment.created'],
    }),
    'events/': (await api('GET', '/v1/events?limit=1')).body.data[0].id as string,
  };
  const owner = await site.signIn();
  const search = async (text: string) =>
    (await owner.get(`payments?q=${encodeURIComponent(text)}`)).text;
  for (const [folder, id] of Object.entries(ids)) {
    for (const typed of [id, id.toUpperCase(), ` ${id} `])
      assert.match(await search(typed), new RegExp(`href="[^"]*/${folder}${id}"`), typed);
  }
  const unknown = ids['products/'].replace(/.{4}$/, '0000');
  assert.doesNotMatch(await search(unknown), /href="[^"]*\/products\//);

  const settlement = parseId('se', ids['settlements/'])!;
  const text = "UPDATE settlements SET bank_reference = 'BCA-77/Z' WHERE id = $1";
  await database.query({ text }, [settlement]);
  for (const typed of ['BCA-77/Z', 'bca-77/z'])
    assert.match(await search(typed), new RegExp(`/settlements/${ids['settlements/']}"`), typed);

  const month = new Date().toISOString().slice(0, 7);
  const [merchant] = await database.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  const number = `TEST-FEES-${month}-CVE-${formatId('me', merchant!.id).slice(-10).toUpperCase()}`;
  assert.match(await search(number.toLowerCase()), /href="[^"]*fee-statement\?[^"]*currency=CVE/);
  assert.doesNotMatch(await search(`${number.slice(0, -1)}?`), /fee-statement\?/);

  const developer = await site.signIn('DEVELOPER');
  const hidden = await developer.get(`payments?q=${ids['settlements/']}`);
  assert.doesNotMatch(hidden.text, /\/settlements\/se_/);
});
