import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erasePerson } from '../../src/operations/privacy/erasures.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { reencryptDigestKey } from '../../src/platform/secrets/digest-key.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-box.ts';
import { parseId, randomIds, shortReference } from '../../src/platform/values/ids.ts';
import { changeBrand } from '../../src/tenants/merchants/brand.ts';
import {
  confirmPhone,
  okPhone,
  openSession,
  pageOf,
  poorPhone,
  reachStatus,
} from '../support/checkout.ts';
import {
  anotherGateway,
  eventually,
  reach,
  type TestGateway,
  testGateway,
} from '../support/gateway.ts';
import { privacyDependencies, testKeys } from '../support/privacy.ts';
import { receiptTokenOf } from '../support/receipts.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const secretKey = testKeys.current;

const look = async ({ url }: Pick<TestGateway, 'url'>, token: string, query = '') => {
  const answer = await fetch(`${url}/receipt/${token}${query}`);
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

const pay = ({ zimbo }: TestGateway, operatorPhone = okPhone, change: object = {}) =>
  zimbo.payments.create({ amount: 141_000, operator: 'MOCK', operatorPhone, ...change });

test('shows the receipt with the items to a customer who has paid through a link', async () => {
  const gateway = await sharedGateway();
  const session = await openSession(gateway, {
    items: [{ name: '=Cachupa <b>', quantity: 2, unitPrice: 50_000 }],
    description: 'Mesa 4',
  });
  const page = pageOf(gateway, session);
  await page.pay(okPhone);
  const { paymentIntentId } = await reachStatus(gateway, session, 'COMPLETED');
  const paid = await page.look();
  const [, token] = /href="\.\.\/receipt\/([\w-]{64})\?lang=pt">Ver recibo</.exec(paid.text)!;
  assert.equal(token, await receiptTokenOf(gateway, { id: paymentIntentId! }));
  const { status, text, headers } = await look(gateway, token!);
  assert.equal(status, 200);
  const payment = await gateway.zimbo.payments.get(paymentIntentId!);
  for (const words of [
    '<html lang="pt-PT">',
    'Loja de teste',
    'Modo de teste: recibo sem valor',
    'Valor pago',
    '1.000$00 CVE',
    '2 × <bdi>=Cachupa &lt;b&gt;</bdi>',
    '<bdi>Mesa 4</bdi>',
    'hora de Cabo Verde',
    shortReference(parseId('pi', payment.id)!),
    payment.id,
    payment.operatorTxId!,
    '••• 345',
  ]) {
    assert.ok(text.includes(words), words);
  }
  assert.doesNotMatch(text, /99\s?12/, 'the phone is masked');
  assert.match(headers.get('content-security-policy')!, /default-src 'none'.*script-src 'self'/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match((await look(gateway, token!, '?lang=en')).text, /Amount paid[\s\S]*1,000\.00 CVE/);
});

test('says on a receipt when money was returned, and how much remains paid', async () => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const payment = await pay(gateway, okPhone, { externalId: 'ENC-7' });
  await reach(zimbo.payments, payment.id, 'DEBITED');
  const token = await receiptTokenOf(gateway, payment);
  const before = (await look(gateway, token)).text;
  assert.match(before, /<bdi>ENC-7<\/bdi>/);
  assert.doesNotMatch(before, /Reembols/);
  const part = await zimbo.refunds.create({ paymentIntentId: payment.id, amount: 41_000 });
  await reach(zimbo.refunds, part.id, 'SUCCEEDED');
  const partly = (await look(gateway, token)).text;
  for (const words of ['Reembolsado em parte', 'Reembolsado em ', '−410$00 CVE', '1.000$00 CVE']) {
    assert.ok(partly.includes(words), words);
  }
  const rest = await zimbo.refunds.create({ paymentIntentId: payment.id });
  await reach(zimbo.refunds, rest.id, 'SUCCEEDED');
  const all = (await look(gateway, token)).text;
  for (const words of ['Este pagamento foi reembolsado', '−1.000$00 CVE', '>0$00 CVE<']) {
    assert.ok(all.includes(words), words);
  }
});

test('shows no receipt of an unpaid payment that could be mistaken for one', async () => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const failed = await pay(gateway, poorPhone);
  await reach(zimbo.payments, failed.id, 'FAILED');
  const open = await pay(gateway, confirmPhone);
  await reach(zimbo.payments, open.id, 'USER_CONFIRMING');
  for (const [payment, words] of [
    [failed, 'Esta página não é um comprovativo de pagamento'],
    [open, 'esta página não é um comprovativo'],
  ] as const) {
    const { text } = await look(gateway, await receiptTokenOf(gateway, payment));
    assert.ok(text.includes(words), words);
    assert.doesNotMatch(text, /Valor pago|>Pago<|>Recibo<|É um comprovativo de pagamento/);
  }
});

test('says on the receipt that a late debit went back', async () => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const late = await pay(gateway, '+2389912139');
  await reach(zimbo.payments, late.id, 'USER_CONFIRMING');
  await zimbo.payments.cancel(late.id);
  const token = await receiptTokenOf(gateway, late);
  const { text } = await eventually('it went back', async () => {
    const seen = await look(gateway, token);
    return seen.text.includes('Devolvido automaticamente') && seen;
  });
  assert.match(text, /Debitado por engano[\s\S]*−1\.410\$00 CVE/);
  assert.doesNotMatch(text, /Valor pago|>Pago<|>Recibo<|É um comprovativo de pagamento/);
});

test('keeps a link valid after a new secret key and an erasure', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo, database } = gateway;
  const payment = await pay(gateway, okPhone, { description: 'Para a Ana', customerId: 'ana' });
  await reach(zimbo.payments, payment.id, 'DEBITED');
  const token = await receiptTokenOf(gateway, payment);
  const nextKey = Buffer.alloc(32, 9);
  const keys = {
    ZIMBO_SECRET_KEY: nextKey.toString('base64'),
    ZIMBO_SECRET_KEY_PREVIOUS: secretKey.toString('base64'),
  };
  const during = await anotherGateway(context, gateway.databaseUrl, { environment: keys });
  assert.equal((await look(during, token)).status, 200);
  assert.ok(await reencryptDigestKey(database, createSecretBox(nextKey, secretKey)));
  const { ZIMBO_SECRET_KEY } = keys;
  const environment = { ZIMBO_SECRET_KEY };
  const later = await anotherGateway(context, gateway.databaseUrl, { environment });
  assert.equal((await look(later, token)).status, 200);
  await erasePerson(privacyDependencies(context, database), '+2389912345');
  const { status, text } = await look(later, token);
  assert.equal(status, 200);
  assert.match(text, /Valor pago/);
  assert.doesNotMatch(text, /Ana|telemóvel|\+0/);
});

test('prevents guessing a link, or deriving one from another', async (context) => {
  const gateway = await testGateway(context, { environment: { RATE_LIMIT_UNAUTHORIZED: '1/20' } });
  const payment = await pay(gateway);
  await reach(gateway.zimbo.payments, payment.id, 'DEBITED');
  const token = await receiptTokenOf(gateway, payment);
  const session = await openSession(gateway);
  const ofSession = new URL(session.url).pathname.split('/').at(-1)!;
  const forged = Buffer.from(token, 'base64url');
  forged[47]! ^= 1;
  for (const wrong of [forged.toString('base64url'), ofSession, 'x', `${token}/x`, '']) {
    const { status, text } = await look(gateway, wrong);
    assert.equal(status, 404, wrong);
    assert.match(text, /Recibo não encontrado/);
  }
  const tries = Array.from({ length: 60 }, () => look(gateway, forged.toString('base64url')));
  const refused = (await Promise.all(tries)).filter(({ status }) => status === 429);
  assert.ok(refused.length > 0, 'whoever tries on is slowed down');
  assert.equal((await look(gateway, token)).status, 200, 'a right link opens all the same');
});

test("shows a live receipt from Angola with the shop's name, colour and logo, in local time", async (context) => {
  const gateway = await testGateway(context);
  const { database } = gateway;
  const payment = await pay(gateway, '+244923456789');
  await reach(gateway.zimbo.payments, payment.id, 'DEBITED');
  const text = 'SELECT merchant_id AS "merchantId" FROM tenants LIMIT 1';
  const [tenant] = await database.query<{ merchantId: string }>({ text });
  const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>');
  const dependencies = { database, clock: systemClock, ids: randomIds() };
  await changeBrand({ ...dependencies, actor: 'cli:test', origin: 'test' }, tenant!.merchantId, {
    colour: '#aa3300',
    logo,
  });
  const token = await receiptTokenOf(gateway, payment);
  assert.match((await look(gateway, token)).text, /Modo de teste: recibo sem valor/);
  await database.query({ text: `DELETE FROM tenants WHERE mode = 'live'` });
  await database.query({ text: `UPDATE tenants SET mode = 'live'` });
  const { text: page } = await look(gateway, token);
  assert.doesNotMatch(page, /Modo de teste/);
  for (const words of ['1.410,00 AOA', 'hora de Angola', '-aa3300.css']) {
    assert.ok(page.includes(words), words);
  }
  const [, address] = /<img class="logo" src="([^"]+)"/.exec(page)!;
  const picture = await fetch(`${gateway.url}/receipt/${address}`);
  assert.equal(picture.headers.get('content-type'), 'image/svg+xml');
  assert.match(picture.headers.get('content-security-policy')!, /default-src 'none'/);
  assert.deepEqual(Buffer.from(await picture.arrayBuffer()), logo);
});

test('shows tax number and invoice of a sale from its metadata, and says that it is no invoice', async () => {
  const gateway = await sharedGateway();
  const metadata = { nif: 254_123_456, invoice: 'FT 2026/<1>', other: 'not shown' };
  const { id } = await pay(gateway, okPhone, { metadata });
  await reach(gateway.zimbo.payments, id, 'DEBITED');
  const token = await receiptTokenOf(gateway, { id });
  const pt = (await look(gateway, token)).text;
  for (const words of ['254123456', 'FT 2026/&lt;1&gt;', 'NIF do cliente', 'Não é uma fatura']) {
    assert.ok(pt.includes(words), words);
  }
  assert.ok(!pt.includes('not shown'));
  assert.match((await look(gateway, token, '?lang=en')).text, /It is not an invoice/);
});
