/** How customers contact the shop, and the preview of a shared link. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { type BrandChange, changeBrand } from '../../src/tenants/merchants/brand.ts';
import { okPhone, openSession, pageOf, reachStatus, reload } from '../support/checkout.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { receiptTokenOf } from '../support/receipts.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

async function brand({ database }: TestGateway, change: BrandChange) {
  const [merchant] = await database.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  return changeBrand({ database, clock: systemClock, ids: randomIds() }, merchant!.id, change);
}

const contact = {
  contactPhone: '+238 991 23 45',
  contactEmail: 'loja@praia.cv',
  website: 'https://www.praia.cv/<loja>',
};

test("shows the shop's contact on page and receipt, and on an expired link", async (context) => {
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  assert.doesNotMatch((await page.look()).text, /Falar com a loja/);
  await brand(gateway, contact);
  await page.pay(okPhone);
  await reachStatus(gateway, session, 'COMPLETED');
  const token = await receiptTokenOf(gateway, {
    id: (await reload(gateway, session)).paymentIntentId!,
  });
  const receipt = await (await fetch(`${gateway.url}/receipt/${token}`)).text();
  for (const text of [(await page.look()).text, receipt]) {
    assert.ok(text.includes('href="tel:+2389912345">+238 991 23 45</a>'), text);
    assert.ok(text.includes('href="mailto:loja@praia.cv"'));
    assert.ok(text.includes('href="https://www.praia.cv/%3Cloja%3E"'));
  }
  const idle = await openSession(gateway);
  await gateway.api('POST', `/v1/checkout/sessions/${idle.id}/expire`);
  const { text } = await pageOf(gateway, idle).look();
  assert.match(text, /Este link expirou/);
  assert.match(text, /href="https:\/\/www\.praia\.cv\/%3Cloja%3E">Voltar à loja/);
  assert.doesNotMatch(text, /Total a pagar|class="total"/);
});

test('rejects an unusable contact, and one that would run code', async (context) => {
  const gateway = await testGateway(context);
  for (const wrong of [
    { contactPhone: '991 23 45' },
    { contactPhone: '+238 112' },
    { contactEmail: 'loja' },
    { contactEmail: 'a@b.cv?bcc=x@y.cv' },
    { contactEmail: `${'a'.repeat(250)}@b.cv` },
    { website: 'praia.cv' },
    { website: 'javascript:alert(1)' },
    { website: 'https://user:secret@praia.cv' },
    { website: `https://praia.cv/${'a'.repeat(255)}` },
  ]) {
    await assert.rejects(
      brand(gateway, wrong),
      { code: 'VALIDATION_ERROR' },
      JSON.stringify(wrong),
    );
  }
  await brand(gateway, contact);
  const { contactPhone, website } = await brand(gateway, { contactPhone: null });
  assert.deepEqual(
    { contactPhone, website },
    { contactPhone: null, website: 'https://www.praia.cv/%3Cloja%3E' },
  );
});

test("shows shop, amount and order in a shared link's preview, and nothing secret", async (context) => {
  const gateway = await testGateway(context, {
    environment: { PUBLIC_URL: 'https://pay.example.cv' },
  });
  const session = await openSession(gateway, {
    items: [{ name: 'Cachupa "rica"', quantity: 2, unitPrice: 50_000 }],
  });
  await brand(gateway, { name: 'Loja da Praia', logo: png });
  const page = pageOf(gateway, session);
  await page.pay(okPhone);
  await reachStatus(gateway, session, 'COMPLETED');
  const open = await openSession(gateway, { description: 'Almoço' });
  const { text } = await pageOf(gateway, open).look();
  const tags = [...text.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g)];
  const told = Object.fromEntries(tags.map(([, name, content]) => [name, content]));
  assert.equal(told.title, 'Pagar a Loja da Praia · 1.000$00 CVE');
  assert.equal(told.description, 'Almoço');
  assert.match(
    told.image!,
    /^https:\/\/pay\.example\.cv\/pay\/picture\/[\w./-]+\.png\?v=[\da-f]{16}$/,
  );
  assert.match(text, /<meta name="robots" content="noindex">/);
  const secret = Buffer.from(open.url.split('/').at(-1)!, 'base64url').subarray(32);
  for (const encoding of ['base64url', 'hex', 'base64'] as const) {
    assert.ok(!tags.join().includes(secret.toString(encoding)), encoding);
  }
  const { pathname } = new URL(told.image!);
  const picture = await fetch(`${gateway.url}${pathname}`);
  assert.equal(picture.headers.get('content-type'), 'image/png');
  assert.deepEqual(Buffer.from(await picture.arrayBuffer()), png);
  const forged = pathname.replace(/[\w-]{22}\.png$/, `${'A'.repeat(22)}.png`);
  assert.equal((await fetch(`${gateway.url}${forged}`)).status, 404);
  assert.doesNotMatch(
    (await page.look()).text,
    /og:title" content="[^"]*CVE/,
    'nothing is to be paid',
  );
});
