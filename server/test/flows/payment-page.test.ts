import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { test } from 'node:test';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { expire } from '../../src/storefront/checkout/expire.ts';
import { findSession } from '../../src/storefront/checkout/store.ts';
import {
  confirmPhone,
  countOf,
  okPhone,
  openSession,
  pageOf,
  poorPhone,
  reachPayment,
  reachStatus,
  reload,
} from '../support/checkout.ts';
import { eventually, reach, testGateway, testKey, zimboOf } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

test('lets a customer pay without JavaScript, and sends the shop its events', async (context) => {
  const gateway = await sharedGateway();
  const receiver = await testReceiver(context);
  const events = ['payment.debited', 'checkout.completed'];
  await gateway.api('POST', '/v1/webhooks', { url: receiver.url, events });
  const session = await openSession(gateway, {
    items: [{ name: 'Cachupa', quantity: 2, unitPrice: 50_000 }],
    returnUrl: 'https://shop.cv/cart?a=%20b#top',
    completionUrl: 'loja://thanks?order=1',
    customerId: 'cliente 1',
  });
  const page = pageOf(gateway, session);
  const form = await page.look();
  assert.equal(form.status, 200);
  for (const words of [
    '<html lang="pt-PT">',
    'Loja de teste',
    'Modo de teste',
    '2 × <bdi>Cachupa</bdi>',
    'Pagar 1.000$00 CVE',
    `href="https://shop.cv/cart?a=%20b&amp;session_id=${session.id}#top">Voltar à loja`,
  ]) {
    assert.ok(form.text.includes(words), words);
  }
  const answer = await page.pay(okPhone);
  assert.equal(answer.status, 303);
  assert.equal(
    new URL(answer.headers.get('location')!, page.address).href.split('?')[0],
    page.address,
  );
  const completed = await reachStatus(gateway, session, 'COMPLETED');
  const payment = (await gateway.api('GET', `/v1/payments/${completed.paymentIntentId}`)).body;
  assert.equal(payment.status, 'DEBITED');
  assert.equal(payment.amount, '100000');
  assert.equal(payment.customerId, 'cliente 1');
  const done = await page.look();
  assert.match(done.text, /Pagamento concluído/);
  assert.doesNotMatch(done.text, /<form/);
  const onward = `loja://thanks?order=1&amp;session_id=${session.id}`;
  assert.ok(done.text.includes(`<meta http-equiv="refresh" content="5; url=${onward}">`));
  assert.ok(done.text.includes(`href="${onward}"`));
  await eventually('both events arrive', () => receiver.received.length === 2);
  const told = receiver.received.find(({ event }) => event.type === 'checkout.completed');
  assert.deepEqual(told?.event.data, completed);
  assert.equal(completed.updatedAt, payment.updatedAt, 'one transaction, one instant');
});

test('pays and books a sum that no double can hold to the last centavo', async () => {
  const gateway = await sharedGateway();
  const most = { name: 'Casa', quantity: 9_999, unitPrice: 100_000_000 };
  const items = [...Array.from({ length: 10_000 }, () => most), { ...most, unitPrice: 99_999_999 }];
  const sum = 10_000n * 9_999n * 100_000_000n + 9_999n * 99_999_999n;
  assert.notEqual(BigInt(Number(sum)), sum);
  const session = await openSession(gateway, { items });
  assert.equal(session.amount, String(sum));
  const page = pageOf(gateway, session);
  assert.match((await page.look()).text, /<p class="total">99\.999\.998\.999\.900\$01 CVE</);
  await page.pay(okPhone);
  const { paymentIntentId } = await reachStatus(gateway, session, 'COMPLETED');
  const payment = (await gateway.api('GET', `/v1/payments/${paymentIntentId}`)).body;
  const fee = (sum * 200n + 5_000n) / 10_000n;
  const amounts = [payment.amount, payment.feeAmount, payment.netAmount];
  assert.deepEqual(amounts.map(BigInt), [sum, fee, sum - fee]);
  const [balance] = (await gateway.api('GET', '/v1/balance')).body.data;
  assert.equal(balance.available, String(sum - fee));
});

test('never shows COMPLETED and DEBITED apart', async (context) => {
  const gateway = await testGateway(context);
  const sessions = await Promise.all(Array.from({ length: 20 }, () => openSession(gateway)));
  await Promise.all(sessions.map((session) => pageOf(gateway, session).pay(okPhone)));
  const text = `
    SELECT count(*) FILTER (WHERE (s.status = 'COMPLETED') <> (p.status = 'DEBITED'))::integer AS apart,
      count(*) FILTER (WHERE s.status = 'COMPLETED')::integer AS completed
    FROM checkout_sessions s JOIN payments p ON p.tenant_id = s.tenant_id AND p.id = s.latest_payment_id`;
  await eventually('all are completed', async () => {
    const [row] = await gateway.database.query<{ apart: number; completed: number }>({ text });
    assert.equal(row!.apart, 0);
    return row!.completed === 20;
  });
  assert.equal(await countOf(gateway, `events WHERE type = 'checkout.completed'`), 20);
});

test('waits while an attempt is in flight, and allows nothing else', async (context) => {
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  await page.pay(confirmPhone);
  const payment = await reachPayment(gateway, session, 'USER_CONFIRMING');
  const waiting = await page.look();
  assert.match(waiting.text, /Confirme o pagamento no seu telemóvel/);
  assert.match(waiting.text, /<meta http-equiv="refresh" content="2">/);
  assert.doesNotMatch(waiting.text, /<form/);
  const expire = await gateway.api('POST', `/v1/checkout/sessions/${session.id}/expire`);
  assert.equal(expire.status, 409);
  // Like a form that knows of the first; the page shows none.
  const second = await page.pay(okPhone, 'MOCK', '1');
  assert.equal(second.status, 303, 'a second try shows the first');
  assert.equal((await reload(gateway, session)).paymentIntentId, payment.id);
  await gateway.api('POST', `/v1/payments/${payment.id}/confirm`);
  assert.equal((await reload(gateway, session)).status, 'COMPLETED');
  assert.equal((await page.pay(okPhone)).status, 303, 'a third finds it paid');
  assert.equal(await countOf(gateway, 'payments'), 1);
});

test('says why an attempt failed, and allows another', async () => {
  const gateway = await sharedGateway();
  const session = await openSession(gateway, { returnUrl: 'https://shop.cv/' });
  const page = pageOf(gateway, session);
  await page.pay(poorPhone);
  const failed = await reachPayment(gateway, session, 'FAILED');
  assert.equal((await reload(gateway, session)).status, 'OPEN');
  const again = await page.look();
  assert.match(again.text, /Saldo insuficiente/);
  assert.match(again.text, /<button[^>]*>Tentar de novo</);
  assert.match(again.text, /Voltar à loja/);
  assert.ok(!again.text.includes(poorPhone.slice(-7)), 'the link may be shared: no phone is shown');
  await page.pay(okPhone);
  const completed = await reachStatus(gateway, session, 'COMPLETED');
  assert.notEqual(completed.paymentIntentId, failed.id);
});

test('gives one of 50 attempts at once the slot, and makes one debit', async (context) => {
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => page.pay(okPhone, 'MOCK', '0')),
  );
  for (const { status } of answers) assert.equal(status, 303);
  await reachStatus(gateway, session, 'COMPLETED');
  assert.equal(await countOf(gateway, 'payments'), 1);
  assert.equal(await countOf(gateway, 'simulator_transactions'), 1);
  assert.equal(await countOf(gateway, `events WHERE type = 'checkout.completed'`), 1);
});

test('makes one of two attempts at once, again and again', async (context) => {
  const gateway = await testGateway(context);
  for (let round = 1; round <= 10; round++) {
    const page = pageOf(gateway, await openSession(gateway));
    await Promise.all([
      page.pay(confirmPhone, 'MOCK', '0'),
      page.pay(confirmPhone, 'CVMOVEL', '0'),
    ]);
    assert.equal(await countOf(gateway, 'payments'), round);
  }
});

test('frees the slot when the payment is cancelled', async () => {
  const gateway = await sharedGateway();
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  await page.pay(confirmPhone);
  const payment = await reachPayment(gateway, session, 'USER_CONFIRMING');
  await gateway.api('POST', `/v1/payments/${payment.id}/cancel`);
  assert.match((await page.look()).text, /Pedido anterior cancelado/);
  await page.pay(okPhone);
  await reachStatus(gateway, session, 'COMPLETED');
});

test('does not complete the session by a debit after its attempt has expired', async (context) => {
  const gateway = await testGateway(context, { environment: { PAYMENT_EXPIRY_SECONDS: '1' } });
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  await page.pay('+2389912139');
  await reachPayment(gateway, session, 'EXPIRED');
  assert.match((await page.look()).text, /Ninguém confirmou a tempo/);
  await eventually(
    'the late debit is reversed',
    async () => (await countOf(gateway, `reversals WHERE status = 'SUCCEEDED'`)) === 1,
  );
  const now = await reload(gateway, session);
  assert.equal(now.status, 'OPEN');
  assert.equal(await countOf(gateway, `events WHERE type LIKE 'checkout.%'`), 0);
});

test('does nothing by an expiry that was decided before an attempt began', async (context) => {
  const gateway = await testGateway(context);
  const { database } = gateway;
  const session = await openSession(gateway);
  const text = 'SELECT tenant_id AS "tenantId", id FROM checkout_sessions';
  const [row] = await database.query<{ tenantId: string; id: string }>({ text });
  const seen = (await findSession(database, row!.tenantId, row!.id))!;
  await pageOf(gateway, session).pay(confirmPhone);
  const base = { database, clock: systemClock, ids: randomIds(), dispatcher: noDispatcher };
  assert.deepEqual(await expire({ ...base, publicUrl: gateway.url }, [seen]), []);
  assert.equal((await reload(gateway, session)).status, 'OPEN');
});

test('postpones the expiry while an attempt is in flight', async (context) => {
  const gateway = await testGateway(context);
  const overdue = async () => {
    const session = await openSession(gateway);
    await pageOf(gateway, session).pay(confirmPhone);
    return { session, payment: await reachPayment(gateway, session, 'USER_CONFIRMING') };
  };
  const [paid, given] = [await overdue(), await overdue()];
  const idle = await openSession(gateway);
  const text = `UPDATE checkout_sessions SET expires_at = $1, due_at = CASE WHEN due_at IS NULL THEN NULL ELSE $1::timestamptz END`;
  await gateway.database.query({ text }, [new Date().toISOString()]);
  assert.match((await pageOf(gateway, idle).look()).text, /Este link expirou/);
  await pageOf(gateway, idle).pay(okPhone);
  await reachStatus(gateway, idle, 'EXPIRED');
  assert.equal((await reload(gateway, idle)).paymentIntentId, null);
  for (const { session } of [paid, given]) {
    assert.equal((await reload(gateway, session)).status, 'OPEN');
  }
  await gateway.api('POST', `/v1/payments/${paid.payment.id}/confirm`);
  assert.equal((await reload(gateway, paid.session)).status, 'COMPLETED');
  await gateway.api('POST', `/v1/payments/${given.payment.id}/cancel`);
  await reachStatus(gateway, given.session, 'EXPIRED');
});

test('expires the session after the tenth failed payment with one event, and accepts no more', async (context) => {
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  for (let attempt = 1; attempt <= 10; attempt++) {
    await page.pay(poorPhone);
    assert.equal(await countOf(gateway, 'payments'), attempt);
    await reachPayment(gateway, session, 'FAILED');
  }
  const ended = await reload(gateway, session);
  assert.equal(ended.status, 'EXPIRED');
  const { data } = await gateway.zimbo.events.list({ type: 'checkout.expired' }).page();
  assert.deepEqual(
    data.map((event) => event.data),
    [ended],
  );
  const { text } = await page.look();
  assert.doesNotMatch(text, /<form/);
  assert.match(text, /Saldo insuficiente[\s\S]*Já não há tentativas/);
  assert.equal((await page.pay(okPhone)).status, 303);
  assert.equal(await countOf(gateway, 'payments'), 10);
});

test('shows all text of merchants and customers as text', async (context) => {
  const gateway = await testGateway(context);
  const hostile = `<script>alert('1')</script>"&'`;
  const escaped = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;&#39;';
  const sql = 'UPDATE merchants SET name = $1';
  await gateway.database.query({ text: sql }, [hostile]);
  const session = await openSession(gateway, {
    items: [{ name: hostile, quantity: 1, unitPrice: 1 }],
    returnUrl: `app://x?q="><script>alert(2)</script>'`,
  });
  const page = pageOf(gateway, session);
  const refused = await page.pay(`"><script>${hostile}`, `"><script>`);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /aria-describedby="phone-code phone-hint phone-error"/);
  assert.match(refused.text, /Escolha um operador/);
  for (const { text } of [await page.look(), refused]) {
    assert.ok(text.includes(`1 × <bdi>${escaped}</bdi>`));
    assert.ok(text.includes(`<h1><bdi>${escaped}</bdi></h1>`));
    assert.doesNotMatch(text, /<script(?! type="module" src="assets\/live-\w+\.js"><\/script>)/i);
  }
});

test('runs no foreign code, and is neither framed nor cached', async () => {
  const gateway = await sharedGateway();
  const page = pageOf(gateway, await openSession(gateway));
  const unknown = await fetch(`${gateway.url}/pay/nothing`);
  for (const { headers } of [await page.look(), await page.pay('x'), unknown]) {
    const policy = headers.get('content-security-policy')!;
    assert.match(
      policy,
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'/,
    );
    assert.match(policy, /frame-ancestors 'none'$/);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  }
});

test('shows a page that says that a link is wrong in any part', async () => {
  const gateway = await sharedGateway();
  const session = await openSession(gateway);
  const token = new URL(session.url).pathname.split('/').at(-1)!;
  const bytes = Buffer.from(token, 'base64url');
  const wrong = [0, 16, 32, 47].map((index) => {
    const other = Buffer.from(bytes);
    other[index]! ^= 1;
    return other.toString('base64url');
  });
  for (const bad of [
    ...wrong,
    token.slice(1),
    `${token}A`,
    token.repeat(5),
    `${token}/x`,
    randomIds().next(0),
    '%00',
    '%3Cb%3E',
  ]) {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? new URLSearchParams({ phone: okPhone }) : null;
      const answer = await fetch(`${gateway.url}/pay/${bad}`, { method, body });
      assert.equal(answer.status, 404, bad);
      assert.match(await answer.text(), /Página de pagamento não encontrada/);
    }
  }
});

test('shows a page for an unreadable form too', async () => {
  const gateway = await sharedGateway();
  const { address } = pageOf(gateway, await openSession(gateway));
  const bodies = [
    { headers: { 'content-type': 'application/json' }, body: '{}' },
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a'.repeat(5_000) },
  ];
  for (const init of bodies) {
    const answer = await fetch(address, { method: 'POST', ...init });
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /Não foi possível ler o pedido/);
  }
  const [unexpected] = await once(get(address, { headers: { expect: 'cake' } }), 'response');
  assert.equal(unexpected.statusCode, 400, 'what is refused before the page is no fault of ours');
  unexpected.resume();
  const empty = await fetch(address, { method: 'POST' });
  assert.equal(empty.status, 400);
  assert.match(await empty.text(), /Escreva o número/);
});

test('offers only configured operators in live mode', async (context) => {
  const gateway = await testGateway(context);
  const zimbo = zimboOf(gateway.url, await testKey(gateway.database, 'live'));
  const page = pageOf(gateway, await openSession({ ...gateway, zimbo }));
  const { text } = await page.look();
  assert.doesNotMatch(text, /Modo de teste|Simulador|<form/);
  assert.match(text, /Nenhum operador está disponível/);
  assert.equal((await page.pay(okPhone)).status, 400);
  assert.equal(await countOf(gateway, 'payments'), 0);
});

test('shows the first of thousands of items, and describes their payment', async () => {
  const gateway = await sharedGateway();
  const items = Array.from({ length: 5_000 }, (_, at) => ({
    name: `Bilhete ${at + 1}`,
    quantity: 1,
    unitPrice: 1,
  }));
  const session = await openSession(gateway, { items });
  assert.equal(session.items.length, 5_000);
  const page = pageOf(gateway, session);
  const { text } = await page.look();
  assert.ok(text.includes('1 × <bdi>Bilhete 30</bdi>'));
  assert.ok(!text.includes('Bilhete 31<'));
  assert.ok(text.includes('e muitos outros artigos'));
  await page.pay(okPhone);
  const { paymentIntentId } = await reachStatus(gateway, session, 'COMPLETED');
  const { body } = await gateway.api('GET', `/v1/payments/${paymentIntentId}`);
  assert.match(body.description, /^1 × Bilhete 1, 1 × Bilhete 2, .*…$/);
});

test('says that the payment of a link was refunded, and not that it is paid', async () => {
  const gateway = await sharedGateway();
  const { refunds } = gateway.zimbo;
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  await page.pay(okPhone);
  const { paymentIntentId } = await reachStatus(gateway, session, 'COMPLETED');
  for (const [amount, words] of [
    [40_000, 'Pagamento reembolsado em parte'],
    [60_000, 'Pagamento reembolsado<'],
  ] as const) {
    const { id } = await refunds.create({ paymentIntentId: paymentIntentId!, amount });
    await reach(refunds, id, 'SUCCEEDED');
    const { text } = await page.look();
    assert.ok(text.includes(words), words);
    assert.doesNotMatch(text, /Pagamento concluído/);
  }
});
