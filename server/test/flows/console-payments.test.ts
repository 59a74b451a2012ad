import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { parseId, shortReference } from '../../src/platform/values/ids.ts';
import { confirmPhone, poorPhone } from '../support/checkout.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { eventually, reach } from '../support/gateway.ts';
import { sharedConsole } from '../support/shared-gateway.ts';
import { receive } from '../support/webhook-receiver.ts';

const hostile = '<script>alert(1)</script>"\'>\u202e<img src=x onerror=alert(2)>{{7*7}}';
const phone = '+2389912345';
const payment = { amount: 150_000, operator: 'MOCK' } as const;

async function pay({ gateway }: TestConsole, more: object = {}): Promise<string> {
  const { id } = await gateway.zimbo.payments.create({
    ...payment,
    operatorPhone: phone,
    ...more,
  });
  await reach(gateway.zimbo.payments, id, 'DEBITED');
  return id;
}

const rowsOf = (text: string) => (text.match(/<tr>/g) ?? []).length - 1;

test('filters the list by its address, and searches it through one box', async () => {
  const site = await sharedConsole();
  const { zimbo } = site.gateway;
  const id = await pay(site, { externalId: 'A-1', customerId: 'maria' });
  await pay(site, { amount: 20_000 });
  const failed = await zimbo.payments.create({ ...payment, operatorPhone: poorPhone });
  await reach(zimbo.payments, failed.id, 'FAILED');
  const member = await site.signIn();
  const today = new Date().toISOString().slice(0, 10);
  const found = async (query: string) => {
    const { status, text } = await member.get(`payments?${query}`);
    assert.equal(status, 200, query);
    return rowsOf(text);
  };
  assert.equal(await found(''), 3);
  assert.equal(await found('status=FAILED'), 1);
  assert.equal(await found('status=FAILED&status=DEBITED'), 3);
  assert.equal(await found('status=EXPIRED'), -1);
  assert.equal(await found('operator=CVMOVEL'), -1);
  assert.equal(await found('customer=maria'), 1);
  assert.equal(await found('order=A-1&status=DEBITED'), 1);
  assert.equal(await found('amount_from=1.000,00&amount_until=1500'), 2);
  assert.equal(await found('from=2020-01-01&until=2020-01-02'), -1);
  // Whichever hour starts the day, it is one of these.
  const around = (days: number) =>
    new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  assert.equal(await found(`from=${around(-1)}&until=${around(1)}`), 3);
  for (const q of ['A-1', 'maria', id]) assert.equal(await found(`q=${q}`), 1, q);
  assert.equal(await found(`q=${encodeURIComponent(phone)}`), 2);
  assert.equal(await found(`q=200&from=${around(-1)}&until=${around(1)}`), 1);
  // Two payments have this amount; the test number of a third ends so.
  assert.equal(await found('q=1.500,00'), 2);
  const reference = shortReference(parseId('pi', id)!);
  for (const q of [
    reference,
    reference.toLowerCase().replace(' ', ''),
    id.toUpperCase(),
    id.slice(3),
    '345&status=DEBITED&order=A-1',
  ])
    assert.equal(await found(`q=${q}`), 1, q);
  const receipt = /href="([^"]*\/receipt\/[^"]*)"/.exec(
    (await member.get(`payments/${id}`)).text,
  )![1]!;
  assert.equal(await found(`q=${encodeURIComponent(`${receipt}?lang=pt`)}`), 1);
  const total = await member.get('payments?q=1.500,00');
  assert.match(total.text, /2 payments<.*1 paid: .*1,500\.00/);
  assert.ok(!(await member.get('payments')).text.includes('class="total"'));
  for (const wrong of ['from=2026-02-31', 'until=yesterday', 'amount_from=much']) {
    const { status, text } = await member.get(`payments?${wrong}`);
    assert.equal(status, 400, wrong);
    assert.match(text, /aria-invalid="true"/, wrong);
  }
  for (const odd of [
    'customer=%00',
    'q=%00',
    'starting_after=x',
    'status=__proto__',
    'done=constructor',
  ])
    assert.equal((await member.get(`payments?${odd}`)).status, 200, odd);
});

test('keeps every filter in the pager, and the columns of the address', async () => {
  const site = await sharedConsole();
  for (let n = 0; n < 26; n++) {
    await site.gateway.zimbo.payments.create({ ...payment, operatorPhone: confirmPhone });
  }
  const member = await site.signIn('VIEWER');
  const list = 'payments?status=CREATED&status=OPERATOR_PENDING&status=USER_CONFIRMING&column=fee';
  const first = await member.get(list);
  assert.equal(rowsOf(first.text), 25);
  assert.match(first.text, /<th scope="col" class="number">Fee<\/th>/);
  assert.ok(!first.text.includes('<th scope="col">Phone</th>'));
  const older = /href="([^"]*starting_after[^"]*)" rel="next"/.exec(first.text)![1]!;
  const second = await member.get(older.replaceAll('&amp;', '&'));
  assert.equal(rowsOf(second.text), 1);
  assert.match(older, /status=CREATED&amp;status=OPERATOR_PENDING&amp;status=USER_CONFIRMING/);
  assert.ok(!first.text.includes('payments/export'), 'a viewer takes no file away');
});

test('downloads the filtered payments with progress, and audits that', async (context) => {
  const site = await testConsole(context);
  await pay(site, { externalId: '=cmd|calc' });
  const failed = await site.gateway.zimbo.payments.create({ ...payment, operatorPhone: poorPhone });
  await reach(site.gateway.zimbo.payments, failed.id, 'FAILED');
  const member = await site.signIn('FINANCE');
  const fees = (await member.get('payments?column=fee')).text.match(/\b30\.00 CVE/g) ?? [];
  assert.equal(fees.length, 1, 'a payment that failed has no fee');
  const path = 'payments/export?status=DEBITED';
  const file = await member.send(path, { action: 'csv' });
  assert.equal(file.status, 200);
  assert.match(
    file.headers.get('content-disposition')!,
    /^attachment; filename="payments-.*\.csv"$/,
  );
  assert.equal(file.text.trim().split('\n').length, 2, 'a title and one payment');
  assert.ok(!file.text.includes(phone), 'finance has no whole phones');
  assert.ok(!/[,"]=cmd/.test(file.text), 'no formula runs');
  await eventually('it says that it is ready', async () =>
    /Ready.*Payments: 1/s.test((await member.get(path)).text),
  );
  const text = `SELECT actor, action FROM audit_records WHERE action = 'payments.exported'`;
  const [record] = await site.gateway.database.query<{ actor: string }>({ text });
  assert.equal(parseId('pe', record!.actor.replace('person:', '')), member.personId);
  const whole = await (await site.signIn('OWNER')).send('payments/export', { action: 'csv' });
  assert.ok(whole.text.includes(phone), 'the owner has');
  const excel = await member.send(path, { action: 'excel' });
  assert.match(excel.headers.get('content-type')!, /spreadsheetml/);
  assert.equal((await (await site.signIn('SUPPORT')).get(path)).status, 403);
});

test('rejects a third concurrent download in plain words', async (context) => {
  const site = await testConsole(context);
  await pay(site);
  const text = `INSERT INTO exports (tenant_id, id, actor, format, state, rows_written, rows_total, slot, created_at, updated_at)
    SELECT tenant_id, gen_random_uuid(), 'person:x', 'CSV', 'RUNNING', 5, 20, slot, now(), now()
    FROM payments CROSS JOIN generate_series(1, 2) AS slot`;
  await site.gateway.database.query({ text });
  const member = await site.signIn();
  const { status, text: page } = await member.send('payments/export', { action: 'csv' });
  assert.equal(status, 400);
  assert.match(page, /Two files are already in progress/);
});

test('keeps no rows in memory for a stalled reader, and frees the place of a closed one', async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  await pay(site);
  const text = `INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
      operator_phone, description, ask_count, expires_at, created_at, updated_at)
    SELECT tenant_id, gen_random_uuid(), 2, 'CANCELLED', 100, 2, 'CVE', 'MOCK', '+2389912345', repeat('longo ', 80), 0,
      now(), now(), now()
    FROM payments CROSS JOIN generate_series(1, 40000)`;
  await database.query({ text });
  const member = await site.signIn();
  const path = `${site.origin}${site.base}/payments/export`;
  const csrf = /name="csrf" value="([^"]*)"/.exec((await member.get('payments/export')).text)![1]!;
  const leaving = new AbortController();
  const answer = await fetch(path, {
    method: 'POST',
    body: new URLSearchParams({ csrf, action: 'csv' }),
    headers: { cookie: member.cookie, origin: site.origin },
    signal: leaving.signal,
  });
  const reader = answer.body!.getReader();
  await reader.read();
  const state = async () =>
    (
      await database.query<{ state: string; written: number }>({
        text: 'SELECT state, rows_written::integer AS written FROM exports',
      })
    )[0]!;
  const records = `SELECT FROM audit_records WHERE action = 'payments.exported'`;
  assert.equal((await database.query({ text: records })).length, 1, 'before the first byte');
  // Unread data stops the reading: no statement is in flight, far from the end.
  const busy = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'
    AND pid <> pg_backend_pid() AND query LIKE '%operator_phone AS%'`;
  await eventually(
    'it stands still',
    async () => (await database.query({ text: busy })).length === 0,
  );
  assert.equal((await state()).state, 'RUNNING');
  leaving.abort();
  const { written } = await eventually('it ends', async () => {
    const now = await state();
    return now.state === 'CANCELLED' && now;
  });
  assert.ok(written < 40_001, `${written}`);
  const next = await member.send('payments/export?status=DEBITED', { action: 'csv' });
  assert.equal(next.status, 200);
});

test('refunds once from the page, even if the form is sent twice', async (context) => {
  const site = await testConsole(context);
  const { database, zimbo } = site.gateway;
  const id = await pay(site);
  const member = await site.signIn('FINANCE');
  const path = `payments/${id}/refund`;
  const page = await member.get(path);
  assert.match(page.text, /value="1500\.00"/);
  const key = /name="key" value="([^"]*)"/.exec(page.text)![1]!;
  const form = { action: 'refund', key, amount: '500.00', reason: hostile };
  const [one, two] = await Promise.all([member.send(path, form), member.send(path, form)]);
  assert.deepEqual([one.status, two.status], [303, 303]);
  assert.equal(one.location, `${site.base}/payments/${id}?done=refunded`);
  await reach(zimbo.payments, id, 'PARTIALLY_REFUNDED');
  const refunds = await database.query<{ amount: bigint }>({
    text: 'SELECT amount_minor AS amount FROM refunds',
  });
  assert.deepEqual(refunds, [{ amount: 50_000n }]);
  assert.deepEqual(await checkLedger(database), []);
  const other = await member.send(path, { ...form, amount: '600.00' });
  assert.equal(other.status, 400);
  assert.match(other.text, /already sent with other values/);
  const more = await member.send(path, { ...form, key: crypto.randomUUID(), amount: '1000.01' });
  assert.equal(more.status, 400);
  assert.match(more.text, /exceeds what is left/);
  for (const wrong of [{ amount: 'all' }, { reason: 'x'.repeat(256) }, { key: '' }]) {
    assert.equal((await member.send(path, { ...form, ...wrong })).status, 400);
  }
  const text = `SELECT actor, subject, detail FROM audit_records WHERE action = 'refund.created'`;
  const records = await database.query<{ actor: string; subject: string }>({ text });
  assert.equal(records.length, 1);
  assert.equal(records[0]!.subject, id);
  assert.equal(parseId('pe', records[0]!.actor.replace('person:', '')), member.personId);
  const shown = await member.get(`payments/${id}?done=refunded`);
  assert.match(shown.text, /The refund (has been requested|is complete)/);
  assert.match(shown.text, /Refund requested: .* · by you/);
  assert.ok(!shown.text.includes('<script>alert'));
  const list = await member.get('refunds?status=SUCCEEDED');
  assert.equal(rowsOf(list.text), 1);
  assert.ok(list.text.includes('&lt;script&gt;'));
  assert.equal(rowsOf((await member.get('refunds?status=FAILED')).text), -1);
  const viewer = await site.signIn('VIEWER');
  assert.ok(!(await viewer.get(`payments/${id}`)).text.includes('/refund"'));
  assert.equal((await viewer.send(`payments/${id}`, { action: 'cancel' })).status, 403);
});

test('cancels a payment from its page once', async () => {
  const site = await sharedConsole();
  const { zimbo } = site.gateway;
  const { id } = await zimbo.payments.create({ ...payment, operatorPhone: confirmPhone });
  await reach(zimbo.payments, id, 'USER_CONFIRMING');
  const member = await site.signIn('SUPPORT');
  const path = `payments/${id}`;
  assert.match((await member.get(path)).text, /Request sent to .*Waiting for the PIN/s);
  const sent = await member.send(path, { action: 'cancel' });
  assert.equal(sent.location, `${site.base}/payments/${id}?done=cancelled`);
  assert.equal((await zimbo.payments.get(id)).status, 'CANCELLED');
  const owner = await site.signIn();
  assert.match((await owner.get(path)).text, /Payment cancelled/);
  // A button that the browser had cached.
  const csrf = /name="csrf" value="([^"]*)"/.exec((await owner.get('payments/export')).text)![1]!;
  const again = await owner.send(path, { action: 'cancel', csrf });
  assert.equal(again.status, 400);
  assert.match(again.text, /no longer possible/);
});

test('shows the records of operator, receivers and ledger, and redelivers a webhook', async (context) => {
  const site = await sharedConsole();
  const { zimbo } = site.gateway;
  let answers = 0;
  const receiver = await receive(context, (request, response) => {
    request.resume();
    answers += 1;
    response.writeHead(200).end(hostile.repeat(100));
  });
  await zimbo.webhooks.create({
    url: `${receiver.url}?secret=7`,
    events: ['payment.debited'],
  });
  const metadata = { [hostile.slice(0, 30)]: hostile };
  const id = await pay(site, { description: hostile, externalId: hostile.slice(0, 60), metadata });
  const owner = await site.signIn();
  const path = `payments/${id}`;
  const { text } = await eventually('it is delivered', async () => {
    const page = await owner.get(path);
    return answers === 1 && page.text.includes('1 attempt') && page;
  });
  for (const said of [
    'Paid: confirmed by',
    'Operator’s transaction',
    'payment.created',
    'payment.debited',
    'Owed to you',
  ])
    assert.ok(text.includes(said), said);
  assert.match(text, /href="[^"]*\/receipt\/[\w-]{64}"/);
  assert.ok(!/<script>alert|<img/.test(text), 'nothing of it is markup');
  assert.ok(text.includes('?secret=7'));
  const support = await (await site.signIn('SUPPORT')).get(path);
  assert.ok(!support.text.includes('secret=7') && !support.text.includes('Owed to you'));
  const viewer = await (await site.signIn('VIEWER')).get(path);
  assert.ok(!viewer.text.includes('1 attempt') && !viewer.text.includes(phone.slice(4)));
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)![1]!;
  const form = { action: 'redeliver', endpoint: value('endpoint'), event: value('event') };
  const sent = await owner.send(path, form);
  assert.equal(sent.location, `${site.base}/payments/${id}?done=redelivered`);
  await eventually('it is sent again', () => answers === 2);
  const wrong = await owner.send(path, { ...form, endpoint: 'we_x' });
  assert.deepEqual([wrong.status, wrong.text.includes('does not exist')], [400, true]);
  const other = await owner.get(`payments/${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`);
  assert.equal(other.status, 404);
});

test('renders texts of any size and kind', async (context) => {
  const site = await testConsole(context);
  const id = await pay(site);
  const long = hostile.repeat(15_000);
  await site.gateway.database.query(
    {
      text: `UPDATE payments SET description = $1, external_id = left($1, 250), customer_id = left($1, 200),
      operator_tx_id = left($1, 300), metadata = $2`,
    },
    [long, JSON.stringify({ long })],
  );
  const member = await site.signIn();
  const columns = 'column=description&column=customer&column=transaction&column=order';
  for (const path of [`payments?${columns}`, `payments/${id}`, `payments/${id}/refund`]) {
    const { status, text } = await member.get(path);
    assert.equal(status, 200, path);
    assert.ok(text.length < 100_000, `${path} has ${text.length}`);
    assert.ok(!/<script>alert|<img/.test(text), path);
  }
});
