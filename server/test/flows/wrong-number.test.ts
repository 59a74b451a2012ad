/** The customer mistyped the number: another attempt uses another number, and money moves once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
import { anotherGateway, eventually, type TestGateway, testGateway } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

/** Debits a payment although no process waits for it any more. */
const latePhone = '+2389912139';

/** The operators' balance from customers, and the merchant's, net of fees. */
async function moneyOf({ database, api }: TestGateway) {
  const text = `
    SELECT count(*) FILTER (WHERE kind = 'debit_net')::integer AS kept,
      count(*) FILTER (WHERE kind = 'suspense_in')::integer AS late,
      count(*) FILTER (WHERE kind = 'suspense_out')::integer AS "givenBack"
    FROM postings`;
  const [money] = await database.query<{ kept: number; late: number; givenBack: number }>({ text });
  const [balance] = (await api('GET', '/v1/balance')).body.data;
  return { ...money!, available: balance?.available ?? '0' };
}

const reversed = (gateway: TestGateway) =>
  eventually('the late debit went back', async () => {
    return (await countOf(gateway, `reversals WHERE status = 'SUCCEEDED'`)) === 1;
  });

test('shows the number on the waiting page only to the person who typed it, and to others its end', async () => {
  const gateway = await sharedGateway();
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  const { headers } = await page.pay('991 21 59');
  await reachPayment(gateway, session, 'USER_CONFIRMING');
  const mine = new URL(headers.get('location')!, page.address);
  assert.match(mine.search, /^\?mine=[\w-]{22}$/);
  const text = await (await fetch(mine)).text();
  assert.match(text, /\+238 991 21 59/);
  assert.match(text, /Enganou-se no número\?/);
  const { text: others } = await page.look();
  assert.match(others, /••• 159/);
  const wrong = await (await fetch(`${page.address}?mine=${'A'.repeat(22)}`)).text();
  for (const seen of [others, wrong]) assert.doesNotMatch(seen, /9912159|991 21 59/);
});

test('cancels the first attempt after a wrong number, and the second is paid', async (context) => {
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  const { headers } = await page.pay(confirmPhone);
  const first = await reachPayment(gateway, session, 'USER_CONFIRMING');
  const mine = new URL(headers.get('location')!, page.address);
  const asking = await (await fetch(`${mine.href}&change=1`)).text();
  assert.match(asking, /<button[^>]*name="change"/);
  assert.doesNotMatch(asking, /http-equiv="refresh"/, 'it stays while it is read');
  const answer = await page.change('1', mine.search);
  assert.equal(answer.status, 303);
  assert.equal((await gateway.zimbo.payments.get(first.id)).status, 'CANCELLED');
  const form = await (await fetch(new URL(answer.headers.get('location')!, page.address))).text();
  assert.match(form, /value="9912159"/, 'one digit is put right, not seven typed again');
  assert.match(form, /name="attempt" value="1"/);
  await page.pay(okPhone);
  const done = await reachStatus(gateway, session, 'COMPLETED');
  assert.notEqual(done.paymentIntentId, first.id);
  assert.deepEqual(await moneyOf(gateway), { kept: 1, late: 0, givenBack: 0, available: '98000' });
});

for (const order of ['before', 'after'] as const) {
  test(`returns the first debit if both numbers are debited, the first ${order} the second`, async (context) => {
    const gateway = await testGateway(context);
    const session = await openSession(gateway);
    const page = pageOf(gateway, session);
    await page.pay(latePhone);
    const first = await reachPayment(gateway, session, 'USER_CONFIRMING');
    await page.change('1');
    if (order === 'before') await reversed(gateway);
    await page.pay(okPhone);
    const { paymentIntentId } = await reachStatus(gateway, session, 'COMPLETED');
    await reversed(gateway);
    assert.notEqual(paymentIntentId, first.id);
    assert.equal((await gateway.zimbo.payments.get(first.id)).status, 'CANCELLED');
    assert.deepEqual(await moneyOf(gateway), {
      kept: 1,
      late: 1,
      givenBack: 1,
      available: '98000',
    });
    assert.equal(await countOf(gateway, `events WHERE type = 'checkout.completed'`), 1);
  });
}

test('lets exactly one win when the customer approves during the change, again and again', async (context) => {
  const gateway = await testGateway(context);
  const outcomes = { paid: 0, changed: 0 };
  for (let round = 1; round <= 12; round++) {
    const session = await openSession(gateway);
    const page = pageOf(gateway, session);
    await page.pay(confirmPhone);
    const first = await reachPayment(gateway, session, 'USER_CONFIRMING');
    const confirm = () => gateway.api('POST', `/v1/payments/${first.id}/confirm`);
    const change = () => page.change('1');
    const [one, other] = round % 2 === 0 ? [confirm, change] : [change, confirm];
    for (const { status: answered } of await Promise.all([one(), other()]))
      assert.ok([200, 303, 409].includes(answered), 'only the API refuses in JSON');
    const { status } = await gateway.zimbo.payments.get(first.id);
    if (status === 'DEBITED') {
      outcomes.paid += 1;
      assert.match((await page.look()).text, /Pagamento concluído/);
    } else {
      assert.equal(status, 'CANCELLED');
      outcomes.changed += 1;
      await page.pay(okPhone);
    }
    await reachStatus(gateway, session, 'COMPLETED');
    assert.equal(await countOf(gateway, `postings WHERE kind = 'debit_net'`), round);
  }
  assert.equal(outcomes.paid + outcomes.changed, 12);
  assert.equal(await countOf(gateway, `events WHERE type = 'checkout.completed'`), 12);
});

test('shows the outcome of an attempt that ends while it is being cancelled', async (context) => {
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  await page.pay(confirmPhone);
  await reachPayment(gateway, session, 'USER_CONFIRMING');
  const { answer } = await gateway.database.transaction(async (transaction) => {
    // As done by another process that has just learned of it.
    const text = `UPDATE payments SET status = 'FAILED', version = version + 1`;
    await transaction.query({ text });
    const changing = page.change('1');
    await eventually('the change waits for the payment', async () => {
      return (
        (await countOf(
          gateway,
          `pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        )) > 0
      );
    });
    return { answer: changing };
  });
  assert.equal((await answer).status, 303);
  assert.equal(await countOf(gateway, `payments WHERE status = 'CANCELLED'`), 0);
});

test('returns the late debit of a cancelled attempt by another process after the first died', async (context) => {
  // The first process serves only the page, as if its workers had died.
  const environment = { ZIMBO_ROLE: 'api' };
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  await page.pay(latePhone);
  await reachPayment(gateway, session, 'USER_CONFIRMING');
  const front = await anotherGateway(context, gateway.databaseUrl, { environment });
  await gateway.gateway.stop();
  await pageOf({ ...gateway, url: front.url }, session).change('1');
  assert.equal(
    await countOf(gateway, `payments WHERE status = 'CANCELLED' AND due_at IS NOT NULL`),
    1,
  );
  await front.gateway.stop();
  const next = await anotherGateway(context, gateway.databaseUrl);
  await reversed(gateway);
  const again = pageOf({ ...gateway, url: next.url }, session);
  assert.match((await again.look()).text, /name="attempt" value="1"/);
});

test('cancels only the attempt that the page showed, and only from our own page', async () => {
  const gateway = await sharedGateway();
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  await page.pay(poorPhone);
  await reachPayment(gateway, session, 'FAILED');
  await page.pay(confirmPhone);
  const second = await reachPayment(gateway, session, 'USER_CONFIRMING');
  for (const stale of ['1', '0', '', '3', 'x']) await page.change(stale);
  const foreign = await fetch(page.address, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ change: 'yes', attempt: '2' }),
  });
  assert.equal(foreign.status, 400);
  assert.equal((await gateway.zimbo.payments.get(second.id)).status, 'USER_CONFIRMING');
  await page.change('2');
  assert.equal((await gateway.zimbo.payments.get(second.id)).status, 'CANCELLED');
  assert.equal((await page.change('2')).status, 303, 'twice is as good as once');
  assert.equal((await reload(gateway, session)).status, 'OPEN');
});

test('counts each number as a prompt: per phone, and ten in a session', async (context) => {
  const gateway = await testGateway(context, { environment: { PAGE_ATTEMPTS_PER_PHONE: '2/15' } });
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  for (const attempt of ['1', '2']) {
    assert.equal((await page.pay(confirmPhone)).status, 303);
    await page.change(attempt);
  }
  assert.equal((await page.pay(confirmPhone)).status, 429);
  assert.equal(await countOf(gateway, 'payments'), 2);
  const text = 'UPDATE checkout_sessions SET attempt_count = 9';
  await gateway.database.query({ text });
  await page.pay('+2389913159', 'MOCK', '9');
  const last = await reachPayment(gateway, session, 'USER_CONFIRMING');
  const { text: shown } = await page.look();
  assert.doesNotMatch(shown, /Enganou-se/, 'nothing could follow');
  await page.change('10');
  assert.equal((await gateway.zimbo.payments.get(last.id)).status, 'USER_CONFIRMING');
});

test('leaves the attempt on its way alone after the session has expired', async (context) => {
  const gateway = await testGateway(context);
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  await page.pay(confirmPhone);
  const payment = await reachPayment(gateway, session, 'USER_CONFIRMING');
  await gateway.database.query({ text: 'UPDATE checkout_sessions SET expires_at = now()' });
  assert.doesNotMatch((await page.look()).text, /Enganou-se/);
  await page.change('1');
  assert.equal((await gateway.zimbo.payments.get(payment.id)).status, 'USER_CONFIRMING');
});

test('keeps the number after a refusal for the person who typed it', async () => {
  const gateway = await sharedGateway();
  const session = await openSession(gateway);
  const page = pageOf(gateway, session);
  const { headers } = await page.pay('+2389912099');
  await reachPayment(gateway, session, 'FAILED');
  const mine = await (await fetch(new URL(headers.get('location')!, page.address))).text();
  assert.match(mine, /O PIN estava errado/);
  assert.match(mine, /id="phone"[^>]*value="9912099"/s);
  assert.match(mine, /value="MOCK"[^>]*checked/s);
  assert.doesNotMatch((await page.look()).text, /9912099/);
});
