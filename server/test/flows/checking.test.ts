/**
 * The operator reports a payment that differs from our request: the customer and the session wait, and nobody pays
 * twice.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  confirmPhone,
  countOf,
  okPhone,
  openSession,
  pageOf,
  reachPayment,
} from '../support/checkout.ts';
import { testGateway } from '../support/gateway.ts';

test('says on the page that the payment is being checked, and offers no other attempt', async (context) => {
  const gateway = await testGateway(context);
  const { database, api, zimbo } = gateway;
  const session = await openSession(gateway, { returnUrl: 'https://shop.cv/back' });
  const page = pageOf(gateway, session);
  const { headers } = await page.pay(confirmPhone);
  const mine = new URL(headers.get('location')!, page.address);
  const payment = await reachPayment(gateway, session, 'USER_CONFIRMING');
  const before = /data-version="([^"]*)"/.exec(await (await fetch(mine)).text())![1];
  const mark = 'UPDATE payments SET mismatched = true, version = version + 1';
  await database.query({ text: mark });
  const text = await (await fetch(mine)).text();
  assert.match(text, /Estamos a verificar com o operador/);
  assert.match(text, /Não pague outra vez/);
  assert.doesNotMatch(text, /<form|Enganou-se|data-left-seconds|Tentar de novo/);
  assert.notEqual(/data-version="([^"]*)"/.exec(text)![1], before, 'open pages hear of it');
  const form = new URLSearchParams({ change: 'yes', attempt: '1' });
  const headersOfForm = { 'sec-fetch-site': 'same-origin' };
  await fetch(mine, { method: 'POST', body: form, headers: headersOfForm, redirect: 'manual' });
  await page.pay(okPhone);
  assert.equal(await countOf(gateway, 'payments'), 1, 'no second attempt');
  assert.equal((await api('POST', `/v1/payments/${payment.id}/cancel`)).status, 409);
  assert.equal((await api('POST', `/v1/checkout/sessions/${session.id}/expire`)).status, 409);
  assert.equal((await zimbo.payments.get(payment.id)).status, 'USER_CONFIRMING');
  assert.equal((await zimbo.payments.confirm(payment.id)).status, 'DEBITED');
  assert.match((await page.look()).text, /Pagamento concluído/);
});
