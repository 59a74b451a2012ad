import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { confirmPhone, poorPhone } from '../support/checkout.ts';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { eventually, reach } from '../support/gateway.ts';
import { goodPassword } from '../support/people.ts';
import { sharedConsole } from '../support/shared-gateway.ts';
import { hiddenValue, invitationTo, joinedBy, Stranger } from '../support/stranger.ts';
import { receive } from '../support/webhook-receiver.ts';

const payment = { amount: 150_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

async function pay({ gateway }: TestConsole): Promise<string> {
  const { id } = await gateway.zimbo.payments.create(payment);
  await reach(gateway.zimbo.payments, id, 'DEBITED');
  return id;
}

async function says(member: Member, path: string, ...texts: (string | RegExp)[]): Promise<string> {
  const { status, text } = await member.get(path);
  assert.equal(status, 200);
  for (const each of texts) {
    const isThere = typeof each === 'string' ? text.includes(each) : each.test(text);
    assert.ok(isThere, `${each} in ${text.slice(text.indexOf('<main'))}`);
  }
  return text;
}

const timesIn = (text: string, said: string) => text.split(said).length - 1;

test('shows where the money is before and without a debit', async (context) => {
  const site = await testConsole(context);
  const { zimbo, database } = site.gateway;
  const member = await site.signIn('SUPPORT');
  const waiting = await zimbo.payments.create({ ...payment, operatorPhone: confirmPhone });
  await reach(zimbo.payments, waiting.id, 'USER_CONFIRMING');
  await says(
    member,
    `payments/${waiting.id}`,
    'has not paid yet, and must still confirm with the PIN',
  );
  await zimbo.payments.cancel(waiting.id);
  await says(
    member,
    `payments/${waiting.id}`,
    'If the operator still debits the customer, the money is returned',
  );
  const failed = await zimbo.payments.create({ ...payment, operatorPhone: poorPhone });
  await reach(zimbo.payments, failed.id, 'FAILED');
  const path = `payments/${failed.id}`;
  await says(member, path, 'did not have enough balance', 'The customer was not debited');
  const uuid = parseId('pi', failed.id);
  await database.query(
    {
      text: `INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
        SELECT tenant_id, gen_random_uuid(), 'UNCLEAR', 'PAYMENT', id, operator, '{}', now() FROM payments WHERE id = $1`,
    },
    [uuid],
  );
  await says(member, path, 'A person is clearing this up with the operator');
  await database.query(
    {
      text: `INSERT INTO operator_callbacks (tenant_id, operator, reference, outcome, kind, body, authenticated, received_at)
        SELECT tenant_id, operator, id, 'x', 'DEBIT', '{}', false, clock_timestamp() FROM payments WHERE id = $1`,
    },
    [uuid],
  );
  await says(member, path, 'An outcome arrived in the operator’s name');
  const text = `INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator,
      operator_tx_id, ask_count, created_at, updated_at)
    SELECT tenant_id, gen_random_uuid(), id, 'LATE_DEBIT', 'HELD', amount_minor, currency, operator, 'X-1', 0, now(), now()
    FROM payments WHERE id = $1`;
  await database.query({ text }, [uuid]);
  await says(member, path, 'A person must arrange the return');
  await database.query({ text: `UPDATE reversals SET status = 'SUCCEEDED'` });
  await says(member, path, 'debited by mistake, and has the money back');
});

test('shows where the money is after the debit, and each step once with its author', async (context) => {
  const site = await sharedConsole();
  const { zimbo } = site.gateway;
  const receiver = await receive(context, (request, response) => {
    request.resume();
    response.writeHead(200).end();
  });
  await zimbo.webhooks.create({ url: receiver.url, events: ['payment.settled'] });
  const id = await pay(site);
  const owner = await site.signIn();
  const path = `payments/${id}`;
  await says(owner, path, 'The money is in your balance');
  const settlement = (await zimbo.settlements.process())!;
  await reach(zimbo.payments, id, 'SETTLED');
  const paidOut = `href="${site.base}/settlements/${settlement.id}"`;
  await says(owner, path, 'The money was paid out to your bank account', paidOut);
  const support = await site.signIn('SUPPORT');
  assert.ok(!(await says(support, path, 'was paid out to your')).includes('/settlements/'));
  const refund = await owner.get(`${path}/refund`);
  const key = /name="key" value="([^"]*)"/.exec(refund.text)![1]!;
  await owner.send(`${path}/refund`, { action: 'refund', key, amount: '500', reason: 'Broken' });
  await reach(zimbo.payments, id, 'PARTIALLY_REFUNDED');
  const text = await eventually('the webhook is shown', async () => {
    const page = (await owner.get(path)).text;
    return page.includes('1 attempt') && page;
  });
  assert.equal(timesIn(text, 'Refund requested'), 1);
  assert.match(text, /Refund requested: .*500\.00 CVE.*Broken.* · by you · .*127\.0\.0\.1/);
  assert.equal(timesIn(text, 'payment.settled'), 1, 'although it was refunded after that');
  assert.match(text, /The customer has the money back: .*500\.00/);
  assert.match(text, /The rest, .*? after the fee, was paid out/);
  assert.equal(timesIn(text, '>Paid out<'), 1);
  await zimbo.refunds.create({ paymentIntentId: id });
  await reach(zimbo.payments, id, 'REFUNDED');
  const all = await says(owner, path, /has the money back: .*1,500\.00/, '>Paid out<');
  assert.ok(!all.includes('The rest'));
});

test('shows a payment refunded in full before the payout as never paid out', async () => {
  const site = await sharedConsole();
  const { zimbo } = site.gateway;
  const id = await pay(site);
  const other = await pay(site);
  await zimbo.refunds.create({ paymentIntentId: id });
  await reach(zimbo.payments, id, 'REFUNDED');
  await zimbo.settlements.process();
  await reach(zimbo.payments, other, 'SETTLED');
  const text = await says(await site.signIn(), `payments/${id}`, 'has the money back');
  assert.ok(!/Paid out|paid out/.test(text));
});

test('refunds at most the payment when two people refund at once, and explains the refusal', async (context) => {
  const site = await testConsole(context);
  const { zimbo, database } = site.gateway;
  const id = await pay(site);
  const people = [await site.signIn('OWNER'), await site.signIn('FINANCE')];
  const path = `payments/${id}/refund`;
  const forms = await Promise.all(
    people.map(async (member) => {
      const { text } = await member.get(path);
      const [key, csrf] = ['key', 'csrf'].map(
        (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)![1]!,
      );
      return { action: 'refund', key: key!, csrf: csrf!, amount: '1500', reason: '' };
    }),
  );
  const answers = await Promise.all(people.map((member, n) => member.send(path, forms[n]!)));
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [303, 400],
  );
  const late = answers.findIndex(({ status }) => status === 400);
  assert.match(answers[late]!.text, /Nothing is left to refund: this payment was already refunded/);
  await reach(zimbo.payments, id, 'REFUNDED');
  // The second person's open page, submitted again after the refund.
  const again = await people[late]!.send(path, forms[late]!);
  assert.equal(again.status, 400);
  assert.match(again.text, /Nothing is left to refund/);
  const text = 'SELECT sum(amount_minor)::integer AS sum, count(*)::integer AS count FROM refunds';
  assert.deepEqual(await database.query({ text }), [{ sum: 150_000, count: 1 }]);
  assert.deepEqual(await checkLedger(database), []);
});

test("keeps a live refund's input over reauthentication, and makes it once", async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  const id = await pay(site);
  const maria = new Stranger(site);
  const { recoveryCodes } = await joinedBy(maria, await invitationTo(site, 'maria@loja.cv'));
  // From now on, the test's money counts as real.
  await database.query({ text: `DELETE FROM tenants WHERE mode = 'live'` });
  await database.query({ text: `UPDATE tenants SET mode = 'live'` });
  await database.query({
    text: `UPDATE person_sessions SET reauthenticated_at = now() - INTERVAL '1 hour'`,
  });
  const path = `${site.base.replace(/test$/, 'live')}/payments/${id}/refund`;
  const key = hiddenValue((await maria.get(path)).text, 'key');
  const typed = { action: 'refund', key, amount: '123.45', reason: 'A taça "partida" <1>' };
  const refused = await maria.send(path, typed);
  assert.equal(refused.status, 303);
  assert.equal(refused.location, `/console/prove?next=${encodeURIComponent(path)}`);
  const refunds = () =>
    database.query<{ amount: number }>({
      text: 'SELECT amount_minor::integer AS amount, reason FROM refunds',
    });
  assert.deepEqual(await refunds(), []);
  const elsewhere = await maria.get(path.replace('/refund', ''));
  assert.ok(!elsewhere.text.includes('123.45'), 'it is for that form alone');
  const proof = { action: 'password', password: goodPassword, code: recoveryCodes[0]! };
  assert.equal((await maria.send(refused.location!, proof)).location, path);
  const { text } = await maria.get(path);
  assert.match(text, /name="amount"[^>]*value="123\.45"/);
  assert.match(text, /value="A taça &quot;partida&quot; &lt;1&gt;"/);
  assert.equal(hiddenValue(text, 'key'), key);
  const csrf = hiddenValue(text, 'csrf');
  for (let sent = 0; sent < 2; sent++) {
    assert.equal((await maria.post(path, { ...typed, csrf })).status, 303);
  }
  assert.deepEqual(await refunds(), [{ amount: 12_345, reason: typed.reason }]);
  assert.ok(!(await maria.get(path)).text.includes('123.45'), 'what was kept is shown once');
});
