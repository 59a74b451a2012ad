/** The search box finds everything that has an id or a number, besides payments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId, parseId } from '../../src/platform/values/ids.ts';
import { openSession, pageOf, reachPayment } from '../support/checkout.ts';
import { skipOnCitus } from '../support/citus.ts';
import { testConsole } from '../support/console.ts';
import { reach, testMerchant } from '../support/gateway.ts';

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
  // As the payout's page and the bank's statement show it.
  const inTransfer = ids['settlements/'].replace('_', '-');
  for (const typed of [inTransfer, inTransfer.toUpperCase()])
    assert.match(await search(typed), new RegExp(`/${ids['settlements/']}"`), typed);
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
  for (const typed of [number.toLowerCase(), number.replaceAll('-', '‑')])
    assert.match(await search(typed), /href="[^"]*fee-statement\?[^"]*currency=CVE/);
  assert.doesNotMatch(await search(`${number.slice(0, -1)}?`), /fee-statement\?/);

  const developer = await site.signIn('DEVELOPER');
  const hidden = await developer.get(`payments?q=${ids['settlements/']}`);
  assert.doesNotMatch(hidden.text, /\/settlements\/se_/);
});

test('finds the newest payment links of an order, which its payments name too', async (context) => {
  const site = await testConsole(context);
  const { gateway } = site;
  const externalId = 'Enc. 17/ç';
  const open = () => openSession(gateway, { externalId });
  const [oldest, session] = [await open(), await open()];
  const newer = [await open(), await open(), await open(), await open()];
  await openSession(gateway, { externalId: `${externalId}0` });
  const viewer = await site.signIn('VIEWER');
  const search = async (text: string) => {
    const answer = await viewer.get(`payments?q=${encodeURIComponent(text)}`);
    assert.equal(answer.status, 200, text);
    return answer.text;
  };
  const linksIn = (text: string) => [...text.matchAll(/\/links\/(cs_\w+)"/g)].map(([, id]) => id);
  const found = await search(` ${externalId} `);
  assert.deepEqual(linksIn(found), [...newer.map(({ id }) => id).reverse(), session.id]);
  assert.deepEqual(linksIn(await search(oldest.id)), [], 'an id is that of a payment');
  for (const text of ['Enc. 1', '\0', `${externalId}\0`, 'x'.repeat(300)])
    assert.deepEqual(linksIn(await search(text)), [], text);

  await pageOf(gateway, session).pay('+2389912345');
  const { id: paymentIntentId } = await reachPayment(gateway, session, 'DEBITED');
  assert.match(await search(externalId), new RegExp(`/payments/${paymentIntentId}`));
  await gateway.zimbo.refunds.create({ paymentIntentId, amount: 100 });
  for (const page of [`links/${session.id}`, 'links', `payments/${paymentIntentId}`, 'refunds'])
    assert.ok((await viewer.get(page)).text.includes(`<bdi>${externalId}</bdi>`), page);
  const { merchantId } = await testMerchant(gateway.database);
  const stranger = await site.signIn('OWNER', merchantId);
  const theirs = (await stranger.get(`payments?q=${encodeURIComponent(externalId)}`)).text;
  assert.deepEqual(linksIn(theirs), []);
});

test('looks through the newest 10,000 payments, and further if nothing is found there', {
  skip: skipOnCitus('the nodes refuse its INSERT … SELECT'),
}, async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  const text = `
INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator, operator_phone,
  ask_count, expires_at, created_at, updated_at)
SELECT t.id, (lpad(to_hex(ms >> 16), 8, '0') || '-' || lpad(to_hex(ms & 65535), 4, '0') || '-7000-8000-000000000000')::uuid,
  3, 'DEBITED', CASE WHEN n IN (7, 30000) THEN 424200 WHEN n = 29999 THEN 434300 ELSE 500 END, 0, 'CVE', 'MOCK', '+2389912345', 0, now(), now(), now()
FROM tenants t CROSS JOIN generate_series(1, 30000) AS n CROSS JOIN LATERAL (SELECT $1::bigint - 1000 * n AS ms) AS made
WHERE t.mode = 'test'`;
  await database.query({ text }, [Date.now()]);
  const viewer = await site.signIn('VIEWER');
  const search = async (address: string) => (await viewer.get(address)).text;
  const first = await search('payments?q=4.242,00');
  assert.match(first, /looked through the newest 10,000 payments/);
  assert.match(first, /1 paid: <b>.*4,242\.00/);
  const further = await search('payments?q=4.343,00');
  assert.match(further, /1 paid: <b>.*4,343\.00/);
  const older = /href="([^"]*starting_after[^"]*)" rel="next"/.exec(first)![1]!;
  const rest = await search(older.replaceAll('&amp;', '&'));
  assert.match(rest, /4,242\.00/);
  const dated = await search('payments?q=4.242,00&from=2026-01-01');
  assert.match(dated, /2 paid: <b>.*8,484\.00/);
});
