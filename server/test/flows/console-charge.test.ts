import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { test } from 'node:test';
import { firstUuidAt } from '../../src/platform/values/ids.ts';
import { confirmPhone, countOf, okPhone, poorPhone } from '../support/checkout.ts';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { changeTables } from '../support/database.ts';
import { eventually, reach } from '../support/gateway.ts';
import { sharedConsole } from '../support/shared-gateway.ts';

const sale = (change: Record<string, string> = {}) => ({
  action: 'charge',
  key: randomUUID(),
  currency: 'CVE',
  amount: '1.500,00',
  country: '238',
  phone: okPhone,
  operator: 'MOCK',
  ...change,
});

const paymentOf = (location: string | null) => /charge\/(pi_\w+)/.exec(location ?? '')![1]!;

test('charges a customer, shows the result until it is paid, and links the receipt', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('SUPPORT');
  const page = await member.get('charge');
  assert.match(page.text, /0\.00 CVE/);
  assert.match(page.text, /inputmode="decimal"/);
  const sent = await member.send('charge', sale({ phone: '991 23 45' }));
  assert.equal(sent.status, 303);
  const id = paymentOf(sent.location);
  assert.match((await member.get(`charge/${id}`)).text, /1,500\.00 CVE/);
  const payment = await reach(site.gateway.zimbo.payments, id, 'DEBITED');
  assert.equal(payment.amount, '150000');
  assert.equal(payment.operatorPhone, '+2389912345');
  const shown = await member.get(`charge/${id}`);
  assert.match(shown.text, /data-state="paid"/);
  assert.match(shown.text, /\/receipt\/[\w-]{64}/);
  assert.ok(!shown.text.includes('data-refresh-ms'), 'what has ended is not asked for again');
  const after = await member.get('charge');
  assert.match(after.text, /1,500\.00 CVE<\/span><\/b> <span>in 1 payment</);
  const [record] = await recordsOf(site, 'payment.created');
  assert.equal(record?.subject, id);
  assert.match(record.actor, /^person:pe_/);
  const owner = await site.signIn('OWNER');
  const told = (await owner.get(`payments/${id}`)).text;
  assert.match(told, /Charged in the console/, 'the timeline says it in words');
  const main = [...told.matchAll(/class="button primary"[^>]*>([^<]*)</g)].map(([, text]) => text);
  assert.deepEqual(main, ['View receipt'], 'the main button gives nothing back');
});

test('charges once for a form sent twice, at once or later', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('OWNER');
  const form = sale();
  const both = await Promise.all([member.send('charge', form), member.send('charge', form)]);
  const third = await member.send('charge', form);
  assert.equal(new Set([...both, third].map(({ location }) => location)).size, 1);
  assert.equal(await countOf(site.gateway, 'payments'), 1);
  assert.equal((await recordsOf(site, 'payment.created')).length, 1);
});

test('leaves one payment after a lost answer, whatever is sent again', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('OWNER');
  const form = sale();
  await sendAndHangUp(site, member, form);
  await eventually('the payment is there', async () => countOf(site.gateway, 'payments'));
  const again = await member.send('charge', form);
  assert.match(again.location!, /charge\/pi_\w+$/);
  const changed = await member.send('charge', { ...form, amount: '9.999,00' });
  assert.equal(changed.location, `${again.location}?done=earlier`);
  const told = await member.get(changed.location!);
  assert.match(told.text, /nothing else was charged/);
  assert.match(told.text, /1,500\.00 CVE/);
  assert.equal(await countOf(site.gateway, 'payments'), 1);
});

test('stores the requester with the payment, or makes no payment', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('OWNER');
  const refuse = (how: string) => changeTables(site.gateway.cellUrl, how);
  await refuse(`ALTER TABLE audit_records ADD CONSTRAINT none CHECK (action <> 'payment.created')`);
  const form = sale();
  const refused = await member.send('charge', form);
  assert.equal(refused.status, 500);
  assert.equal(await countOf(site.gateway, 'payments'), 0);
  await refuse('ALTER TABLE audit_records DROP CONSTRAINT none');
  const again = await member.send('charge', form);
  assert.equal(again.status, 303);
  const records = await recordsOf(site, 'payment.created');
  assert.deepEqual(
    records.map(({ subject }) => subject),
    [paymentOf(again.location)],
  );
});

test('shows each mistake next to its field, and charges nothing', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('OWNER');
  for (const [change, said] of [
    [{ amount: '' }, 'Enter the amount or choose products'],
    [{ amount: '1.5000' }, 'Enter the amount like this'],
    [{ amount: '1.000.000,01' }, 'The largest amount'],
    [{ phone: '12' }, 'Enter the phone number'],
    [{ phone: '+244 923 456 789' }, 'another currency'],
    [{ operator: 'NOBODY' }, 'Choose the customer’s operator'],
  ] as const) {
    const form = sale(change);
    const answer = await member.send('charge', form);
    assert.equal(answer.status, 400, said);
    assert.ok(answer.text.includes(said), said);
    assert.ok(answer.text.includes(`name="key" value="${form.key}"`), 'nothing was done under it');
  }
  const noForm = await member.send('charge', sale({ key: '' }));
  assert.equal(noForm.status, 400);
  assert.equal(await countOf(site.gateway, 'payments'), 0);
});

test('explains a failed payment, and allows another try with a new key', async () => {
  const site = await sharedConsole();
  const support = await site.signIn('SUPPORT');
  const sent = await support.send('charge', sale({ phone: poorPhone }));
  const id = paymentOf(sent.location);
  await reach(site.gateway.zimbo.payments, id, 'FAILED');
  const failed = await support.get(`charge/${id}`);
  assert.match(failed.text, /data-state="failed"/);
  assert.match(failed.text, /did not have enough balance/);
  const address = /href="([^"]*again=[^"]*)"/.exec(failed.text)![1]!.replaceAll('&amp;', '&');
  const again = await support.get(address);
  assert.match(again.text, /name="amount"[^>]*value="1,500\.00"/);
  assert.match(again.text, /value="\+2389912049"/);
  const developer = await site.signIn('DEVELOPER');
  assert.ok(!(await developer.get(address)).text.includes('9912049'), 'phones are masked');
});

test('charges products by their prices, and names them in the payment', async () => {
  const site = await sharedConsole();
  const { zimbo } = site.gateway;
  const hostile = '<script>alert(1)</script>\u202e"Café';
  const coffee = await zimbo.products.create({ name: hostile, price: 15_000 });
  const kwanza = await zimbo.products.create({ name: 'Funge', price: 100, currency: 'AOA' });
  const member = await site.signIn('OWNER');
  const page = (await member.get('charge')).text;
  assert.ok(page.includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
  assert.ok(!page.includes('<script>alert') && !page.includes('\u202e'));
  assert.ok(!page.includes(kwanza.id), 'one currency at a time');
  const items = { [`quantity.${coffee.id}`]: '3' };
  const sent = await member.send('charge', sale({ amount: '', ...items }));
  const payment = await zimbo.payments.get(paymentOf(sent.location));
  assert.equal(payment.amount, '45000');
  assert.match(payment.description!, /^3 × /);
  const equal = await member.send('charge', sale({ amount: '450,00', ...items }));
  assert.equal(equal.status, 303);
  const other = await member.send('charge', sale({ amount: '460,00', ...items }));
  assert.equal(other.status, 400);
  const part = await member.send('charge', sale({ [`quantity.${coffee.id}`]: '1.5' }));
  assert.equal(part.status, 400);
});

test('finds products by name beyond one page, without losing input', async (context) => {
  const site = await testConsole(context);
  const { zimbo, database } = site.gateway;
  const oldest = await zimbo.products.create({ name: 'Pão-de-ló 100%', price: 12_000 });
  const copies = `INSERT INTO products (tenant_id, id, name, price_minor, currency, active, created_at, updated_at)
    SELECT tenant_id, ('ffffffff-ffff-7fff-8fff-' || to_char(number, 'FM000000000000'))::uuid, 'Bolo ' || number, 5000,
      'CVE', true, clock_timestamp(), now()
    FROM products, generate_series(1, 100) AS number`;
  await database.query({ text: copies });
  const member = await site.signIn('OWNER');
  const first = (await member.get('charge')).text;
  assert.ok(!first.includes(oldest.id));
  assert.match(first, /There are more products/);
  const cake = /name="product" value="(pr_\w+)"/.exec(first)![1]!;
  const chosen = { product: [cake], [`quantity.${cake}`]: '2' };
  // Any button works: with a name in the field, it searches first.
  for (const action of ['find', 'charge', 'link']) {
    const form = { ...sale({ amount: '', action, find: 'PAO', found: '' }), ...chosen };
    const { status, text } = await member.send('charge', form);
    assert.equal(status, 200);
    assert.ok(text.includes(oldest.id), 'as it is typed without accents');
    assert.match(text, new RegExp(`name="quantity.${cake}"[^>]*value="2"`), 'stays in the list');
    assert.equal([...text.matchAll(/name="product"/g)].length, 2);
    assert.ok(text.includes(`value="${okPhone}"`) && text.includes(form.key));
  }
  for (const find of ['%', '_', "'", '\\'])
    assert.equal(
      (await member.send('charge', sale({ action: 'find', find }))).text.includes(oldest.id),
      find === '%',
    );
  const both = {
    product: [cake, oldest.id],
    [`quantity.${cake}`]: '2',
    [`quantity.${oldest.id}`]: '1',
  };
  const sent = await member.send('charge', {
    ...sale({ amount: '', find: 'PAO', found: 'PAO' }),
    ...both,
  });
  assert.equal((await zimbo.payments.get(paymentOf(sent.location))).amount, '22000');
  const link = { ...sale({ action: 'find', amount: '', find: 'pão' }), ...chosen };
  assert.ok((await member.send('links/new', link)).text.includes(oldest.id));
  assert.equal(await countOf(site.gateway, 'payments'), 1);
});

test('hides the till from people who may not charge, and rejects their forms', async (context) => {
  const site = await testConsole(context);
  const viewer = await site.signIn('VIEWER');
  assert.equal((await viewer.get('charge')).status, 403);
  assert.ok(!(await viewer.get('payments')).text.includes('manifest'));
  const owner = await site.signIn('OWNER');
  const [, csrf] = /name="csrf" value="([^"]*)"/.exec((await viewer.get('payments')).text)!;
  const forged = await fetch(`${site.origin}${site.base}/charge`, {
    method: 'POST',
    body: new URLSearchParams({ csrf: csrf!, ...sale() }),
    headers: { origin: site.origin, cookie: viewer.cookie },
    redirect: 'manual',
  });
  assert.equal(forged.status, 403);
  assert.equal(await countOf(site.gateway, 'payments'), 0);
  const manifest = await owner.get('manifest.webmanifest');
  assert.match(manifest.headers.get('content-type')!, /^application\/manifest\+json/);
  const { start_url: start, icons } = JSON.parse(manifest.text);
  assert.equal(start, `${site.base}/charge`);
  for (const { src } of icons) {
    assert.equal((await owner.get(src)).headers.get('content-type'), 'image/png');
  }
  assert.match((await owner.get('charge')).text, /<link rel="manifest" href="[^"]*webmanifest"/);
});

interface Recorded {
  subject: string;
  actor: string;
}

const recordsOf = ({ gateway }: TestConsole, action: string) =>
  gateway.database.query<Recorded>(
    { text: 'SELECT subject, actor FROM audit_records WHERE action = $1' },
    [action],
  );

/** Submits a form, and disconnects before the answer. */
async function sendAndHangUp(site: TestConsole, member: Member, form: Record<string, string>) {
  const { text } = await member.get('charge');
  const csrf = /name="csrf" value="([^"]*)"/.exec(text)![1]!;
  const headers = {
    cookie: member.cookie,
    origin: site.origin,
    'content-type': 'application/x-www-form-urlencoded',
  };
  await new Promise<void>((resolve) => {
    const asked = request(`${site.origin}${site.base}/charge`, { method: 'POST', headers });
    asked.on('error', () => resolve());
    asked.end(new URLSearchParams({ csrf, ...form }).toString(), () => {
      asked.destroy();
      resolve();
    });
  });
}

test('lets only the person who charged, or one who may cancel payments, cancel at the till', async (context) => {
  const site = await testConsole(context);
  const { zimbo } = site.gateway;
  const about = { amount: 10_000, operator: 'MOCK', operatorPhone: confirmPhone } as const;
  const { id } = await zimbo.payments.create(about);
  await reach(zimbo.payments, id, 'USER_CONFIRMING');
  const developer = await site.signIn('DEVELOPER');
  const page = await developer.get(`charge/${id}`);
  assert.doesNotMatch(page.text, /value="cancel"/);
  for (const action of ['cancel', 'wrong-number']) {
    assert.equal((await developer.post(`charge/${id}`, { action })).status, 403, action);
  }
  assert.equal((await zimbo.payments.get(id)).status, 'USER_CONFIRMING');
  const own = paymentOf((await developer.send('charge', sale({ phone: confirmPhone }))).location);
  await reach(zimbo.payments, own, 'USER_CONFIRMING');
  assert.equal((await developer.send(`charge/${own}`, { action: 'cancel' })).status, 303);
  await reach(zimbo.payments, own, 'CANCELLED');
});

test('lets nobody count a day so late that the count would not be shown', async (context) => {
  const site = await testConsole(context);
  const { database, zimbo } = site.gateway;
  const owner = await site.signIn('OWNER');
  const id = paymentOf((await owner.send('charge', sale())).location);
  await reach(zimbo.payments, id, 'DEBITED');
  const move = async (days: number) => {
    const day = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const begin = firstUuidAt(Date.parse(`${day}T12:00:00Z`)).slice(0, 13);
    for (const [table, column] of [
      ['payments', 'id'],
      ['till_charges', 'payment_id'],
    ]) {
      const text = `UPDATE ${table} SET ${column} = ($1 || right(${column}::text, 23))::uuid`;
      await database.query({ text }, [begin]);
    }
    return day;
  };
  const counted = { action: 'close', 'counted.CVE.MOCK': '1.400,00' };
  const late = await move(12);
  const page = await owner.get(`sales?day=${late}`);
  const [, key = ''] = /name="key" value="([^"]+)"/.exec(page.text)!;
  const closed = await owner.send(`sales?day=${late}`, { ...counted, day: late, key });
  assert.match(closed.location ?? '', /done=closed/);
  assert.match((await owner.get(`sales?day=${late}`)).text, /[-−]100\.00 CVE/);
  const tooLate = await move(40);
  const old = await owner.get(`sales?day=${tooLate}`);
  assert.match(old.text, /1,500\.00 CVE/);
  assert.doesNotMatch(old.text, /counted\.CVE/);
  const sent = await owner.post(`sales?day=${tooLate}`, { ...counted, day: tooLate, key });
  assert.equal(sent.status, 400);
});

test('offers no keypad for live payments that no operator takes, and says why', async (context) => {
  const site = await testConsole(context);
  const owner = await site.signIn('OWNER');
  const live = (await owner.get(`${site.base.replace(/test$/, 'live')}/charge`)).text;
  assert.match(live, /No operator takes live payments in CVE yet/);
  assert.doesNotMatch(live, /class="keypad"|name="amount"/);
  assert.match((await owner.get('charge')).text, /class="keypad"/);
});

test('offers only the currencies of the shop, once it has one', async (context) => {
  const site = await testConsole(context);
  const owner = await site.signIn('OWNER');
  const offered = async () =>
    [...(await owner.get('charge')).text.matchAll(/charge\?currency=([A-Z]{3})"/g)].map(
      ([, currency]) => currency,
    );
  assert.deepEqual(await offered(), ['AOA'], 'a new shop may choose');
  const id = paymentOf((await owner.send('charge', sale())).location);
  await reach(site.gateway.zimbo.payments, id, 'DEBITED');
  assert.deepEqual(await offered(), []);
  await owner.send('settings', { action: 'save', defaultCurrency: 'AOA' });
  assert.deepEqual(await offered(), ['CVE']);
});
