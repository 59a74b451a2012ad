/** Money sent to wallets from the console: who sent it, what the list finds, and what stays hidden. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import {
  consoleOn,
  type Member,
  memberAt,
  type TestConsole,
  testConsole,
} from '../support/console.ts';
import { fund } from '../support/disbursing.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let tenantId: string;

before(async () => {
  site = await openSite({
    ZIMBO_ROLE: 'api',
    DISBURSEMENT_FEE_MOCK: '100',
    DISBURSEMENT_APPROVAL_ABOVE: 'CVE=500000',
  });
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await query<{ id: string }>(text, [site.merchantId]);
  tenantId = tenant!.id;
  await fund(site.gateway.database, tenantId, 1_000_000);
});
after(async () => {
  for (const step of undo) await step();
});

function openSite(environment: Record<string, string>): Promise<TestConsole> {
  const context = { after: (step: () => unknown) => undo.unshift(step) };
  return testConsole(context as Parameters<typeof testConsole>[0], { environment });
}

function query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return site.gateway.database.query<Row>({ text }, values);
}

const ids = randomIds();
/** That of a fresh form. */
const aKey = () => ids.next(Date.now());
const wallet = { amount: '12,50', currency: 'CVE', phone: '991 23 45', operator: 'MOCK' };

/** The id of what was sent. */
async function send(member: Member, fields: Record<string, string> = {}): Promise<string> {
  const answer = await member.send('disbursements/new', {
    key: aKey(),
    ...wallet,
    ...fields,
    action: 'send',
  });
  const id = /di_\w+/.exec(answer.location ?? '')?.[0];
  assert.ok(id, answer.text);
  return id;
}

test('offers to cancel what certainly never reached the operator, and nothing else', async () => {
  const sender = await site.signIn('FINANCE');
  const id = await send(sender, { order: 'unsent' });
  const offers = async () => /value="cancel"/.test((await sender.get(`disbursements/${id}`)).text);
  const move = (sentAt: string) =>
    query(
      `UPDATE disbursements SET status = 'PROCESSING', sent_at = ${sentAt} WHERE external_id = 'unsent'`,
    );
  for (const [sentAt, isOffered] of [
    ['NULL', true],
    ['now()', false],
  ] as const) {
    await move(sentAt);
    assert.equal(await offers(), isOffered, sentAt);
  }
});

test('names the person who sent and the person who cancelled, in row and audit log', async () => {
  const sender = await site.signIn('FINANCE');
  const id = await send(sender, { order: 'salario-11' });
  const [row] = await query<Record<string, unknown>>(
    `SELECT created_by_person AS person, created_by_key AS key, amount_minor AS amount, fee_minor AS fee, status
      FROM disbursements WHERE external_id = 'salario-11'`,
  );
  const expected = { key: null, amount: 1_250n, fee: 13n, status: 'CREATED' };
  assert.deepEqual(row, { person: sender.personId, ...expected });
  const other = await site.signIn('OWNER');
  const answer = await other.send(`disbursements/${id}`, { action: 'cancel' });
  assert.equal(answer.status, 303);
  const records = await query<{ action: string; actor: string }>(
    'SELECT action, actor FROM audit_records WHERE subject = $1 ORDER BY id',
    [id],
  );
  assert.deepEqual(records, [
    { action: 'disbursement.created', actor: `person:${formatId('pe', sender.personId)}` },
    { action: 'disbursement.cancelled', actor: `person:${formatId('pe', other.personId)}` },
  ]);
  const late = await other.send(`disbursements/${id}`, { action: 'cancel' });
  assert.equal(late.status, 400);
  assert.match(late.text, /can no longer be cancelled/);
});

test('sends once, however often and with whatever values the form comes', async () => {
  const sender = await site.signIn('FINANCE');
  const page = await sender.get('disbursements/new');
  const key = /name="key" value="([^"]+)"/.exec(page.text)![1]!;
  const fields = { ...wallet, key, action: 'send' };
  const both = await Promise.all([
    sender.post('disbursements/new', fields),
    sender.post('disbursements/new', fields),
  ]);
  const ids = both.map(({ location }) => /di_\w+/.exec(location ?? '')?.[0]);
  assert.equal(new Set(ids).size, 1);
  const changed = await sender.post('disbursements/new', { ...fields, amount: '99' });
  assert.match(changed.location!, new RegExp(`${ids[0]}\\?done=earlier`));
  const [count] = await query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM disbursements WHERE amount_minor = 9900',
  );
  assert.equal(count!.count, 0);
});

test('shows the masked name of the holder to those who may look it up', async () => {
  const sender = await site.signIn('FINANCE');
  const lookUp = async (phone: string) => {
    const fields = { key: aKey(), ...wallet, phone, action: 'name' };
    return (await sender.send('disbursements/new', fields)).text;
  };
  const summary = await sender.send('disbursements/new', {
    key: aKey(),
    ...wallet,
    action: 'check',
  });
  assert.match(summary.text, /value="name"/);
  const found = await lookUp(wallet.phone);
  assert.match(found, /<dt>Holder<\/dt><dd><b><bdi>T••• d••• T•••<\/bdi><\/b>/);
  assert.match(found, /value="send"/);
  assert.doesNotMatch(found, /value="name"/);
  assert.match(await lookUp('991 00 29'), /does not know this number/);
  const unanswered = await lookUp('991 00 79');
  assert.match(unanswered, /did not answer. Try again/);
  assert.match(unanswered, /value="name"/, 'the person can try again');
  const text = `INSERT INTO merchant_roles (id, merchant_id, name, permissions, created_at)
    VALUES ($1, $2, 'Sender', '{disbursements.create}', now())`;
  const roleId = randomUUID();
  await query(text, [roleId, site.merchantId]);
  const other = await site.signIn('FINANCE');
  await query(`UPDATE memberships SET role = 'CUSTOM', role_id = $2 WHERE person_id = $1`, [
    other.personId,
    roleId,
  ]);
  const fields = { key: aKey(), ...wallet };
  const without = await other.send('disbursements/new', { ...fields, action: 'check' });
  assert.match(without.text, /value="send"/);
  assert.doesNotMatch(without.text, /value="name"/);
  assert.equal((await other.send('disbursements/new', { ...fields, action: 'name' })).status, 403);
});

test('says at the field what is wrong', async () => {
  const sender = await site.signIn('FINANCE');
  const wrong: [Record<string, string>, string][] = [
    [{ amount: '' }, 'Enter an amount'],
    [{ amount: '0' }, 'Enter an amount'],
    [{ amount: '1.000.001' }, 'at most 1,000,000.00'],
    [{ amount: '500.000' }, 'The balance does not cover this:'],
    [{ phone: '12' }, 'Enter the phone number'],
    [{ phone: '+244923456789' }, 'from a country with another currency'],
    [{ operator: 'NONE' }, 'Choose the recipient’s operator'],
    [{ order: 'x'.repeat(256) }, 'At most 255'],
  ];
  for (const [fields, said] of wrong) {
    for (const action of ['check', 'send']) {
      const sent = { key: aKey(), ...wallet, ...fields, action };
      const { status, text } = await sender.send('disbursements/new', sent);
      assert.equal(status, 400, JSON.stringify(fields));
      assert.ok(text.replaceAll('\u00a0', ' ').includes(said), `${said}: ${text}`);
    }
  }
});

test('tells the limits that staff have set', async () => {
  const sender = await site.signIn('FINANCE');
  const change = (columns: string) =>
    query(`UPDATE merchants SET ${columns} WHERE id = $1`, [site.merchantId]);
  const ask = async (amount: string) => {
    const answer = await sender.send('disbursements/new', {
      ...wallet,
      key: aKey(),
      amount,
      action: 'send',
    });
    return answer.text.replaceAll('\u00a0', ' ');
  };
  await change('max_disbursement_minor = 500');
  assert.match(await ask('5,01'), /at most 5.00 CVE at once/);
  await change('max_disbursement_minor = NULL, max_disbursed_per_day_minor = 100');
  assert.match(await ask('2'), /today’s limit, which is 1.00 CVE/);
  await change('max_disbursed_per_day_minor = NULL, max_disbursed_per_wallet_and_day_minor = 100');
  assert.match(await ask('2'), /the wallet would receive more today than the limit of 1.00 CVE/);
  await change('max_disbursed_per_wallet_and_day_minor = NULL');
});

test('asks staff for permission in live mode', async () => {
  const sender = await site.signIn('FINANCE');
  const live = `${site.baseOf(site.merchantId, 'live')}/disbursements/new`;
  const { status, text } = await sender.get(live);
  assert.equal(status, 200);
  assert.match(text, /may not send live money yet/);
  assert.doesNotMatch(text, /value="check"/);
});

test('finds disbursements by status, day, id and reference, with masked phones', async () => {
  const sender = await site.signIn('FINANCE');
  const id = await send(sender, { order: 'renda-12', phone: '9919876' });
  const list = await sender.get('disbursements?status=CREATED');
  assert.match(list.text, /renda-12/);
  assert.doesNotMatch(list.text, /9919876|991 98 76/);
  assert.doesNotMatch((await sender.get('disbursements?status=FAILED')).text, /renda-12/);
  assert.doesNotMatch((await sender.get('disbursements?until=2025-01-01')).text, /renda-12/);
  assert.equal((await sender.get('disbursements?from=x')).status, 400);
  for (const q of [id, 'renda-12']) {
    const { text } = await sender.get(`payments?q=${q}`);
    assert.match(text, new RegExp(`/disbursements/${id}"`), q);
  }
  const support = await site.signIn('SUPPORT');
  assert.doesNotMatch((await support.get('payments?q=renda-12')).text, /di_/);
  assert.match((await (await site.signIn('OWNER')).get('disbursements')).text, /991 98 76/);
});

test('downloads the list without formulas, masked, and in the audit log', async () => {
  const sender = await site.signIn('FINANCE');
  const id = await send(sender, {
    order: '=HYPERLINK("http://strange.invalid")',
    description: '@x',
  });
  const { text, headers, status } = await sender.get('disbursements/file.csv?status=CREATED');
  assert.equal(status, 200);
  assert.match(headers.get('content-disposition')!, /disbursements-\d{4}-\d\d-\d\d\.csv/);
  const line = text.split('\r\n').find((each) => each.includes(id))!;
  assert.match(line, /"?'=HYPERLINK/);
  assert.match(line, /,'@x,/);
  assert.match(line, /,12.50,0.13,CVE,'\+238•••••45,/);
  assert.match(text.split('\r\n')[0]!, /,Time zone$/);
  assert.match(line, /,Atlantic\/Cape_Verde$/);
  const records = await query(
    `SELECT FROM audit_records WHERE action = 'disbursements.exported' AND actor = $1`,
    [`person:${formatId('pe', sender.personId)}`],
  );
  assert.equal(records.length, 1);
});

test('sends a large amount only after another person has approved exactly that', async () => {
  const sender = await site.signIn('FINANCE');
  // The merchant's own number, although it could be a phone.
  const order = 'obra 9876543';
  const fields = { ...wallet, key: aKey(), amount: '6000', order };
  const summary = await sender.send('disbursements/new', { ...fields, action: 'check' });
  assert.match(summary.text, /Above 5,000.00.CVE, somebody else has to approve it first/);
  for (let times = 0; times < 2; times += 1) {
    const asked = await sender.send('disbursements/new', { ...fields, action: 'send' });
    assert.match(asked.location!, /approvals\?done=asked/);
  }
  const [request] = await query<{ id: string }>('SELECT id FROM approvals');
  const sent = { request: formatId('ap', request!.id), action: 'approve-disbursement' };
  const own = await sender.get('approvals');
  assert.match(own.text, /991 23 45/);
  assert.doesNotMatch(own.text, /approve-disbursement/);
  assert.equal((await sender.post('approvals', sent)).status, 403);
  const viewer = await (await site.signIn('VIEWER')).get('approvals');
  assert.match(viewer.text, /••• •• 45/);
  assert.doesNotMatch((await (await site.signIn('SUPPORT')).get('approvals')).text, /obra/);
  const approver = await site.signIn('FINANCE');
  const named = await approver.send('approvals', { ...sent, row: '0', action: 'name' });
  assert.match(named.text, /Holder: <b><bdi>T••• d••• T•••<\/bdi>/);
  // A role that an owner put together: it approves, and does not see other disbursements.
  await query(
    `WITH made AS (INSERT INTO merchant_roles (merchant_id, id, name, permissions, created_at)
       VALUES ($1, gen_random_uuid(), 'Approver', '{payments.read,disbursements.approve}', now()) RETURNING id)
     UPDATE memberships SET role = 'CUSTOM', role_id = (SELECT id FROM made) WHERE person_id = $2`,
    [site.merchantId, approver.personId],
  );
  assert.match((await approver.get('approvals')).text, /\+238 991 23 45/);
  assert.equal((await approver.post('approvals', sent)).status, 303);
  const rows = await query(
    `SELECT created_by_person AS person, amount_minor AS amount, status FROM disbursements WHERE external_id = $1`,
    [order],
  );
  assert.deepEqual(rows, [{ person: sender.personId, amount: 600_000n, status: 'CREATED' }]);
  const [ended] = await query<{ status: string; request: string }>(
    'SELECT status, request FROM approvals',
  );
  assert.equal(ended!.status, 'DONE');
  assert.doesNotMatch(ended!.request, /99123|98765/, 'an erasure would not reach a phone there');
  const records = await query(`SELECT FROM audit_records WHERE detail::text ~ '9912345|9876543'`);
  assert.equal(records.length, 0);
  assert.equal((await approver.get('approvals')).status, 200);
});

test('shows, finds and cancels earlier disbursements where new ones are off', async (context) => {
  const sender = await site.signIn('FINANCE');
  const id = await send(sender, { order: 'antes-do-fim' });
  const origin = await consoleOn(context, site.gateway.databaseUrl, {
    ZIMBO_ROLE: 'api',
    DISBURSEMENTS: 'off',
  });
  const owner = memberAt(origin, await site.signIn('OWNER'));
  const at = (path: string) => `${site.base}/${path}`;
  const list = await owner.get(at('disbursements'));
  assert.match(list.text, new RegExp(id));
  assert.doesNotMatch(list.text, /disbursements\/(new|upload)/);
  assert.doesNotMatch((await owner.get(at('disbursements/batches'))).text, /disbursements\/upload/);
  const found = await owner.get(at('payments?q=antes-do-fim'));
  assert.match(found.text + found.location, new RegExp(id));
  const cancelled = await owner.send(at(`disbursements/${id}`), { action: 'cancel' });
  assert.equal(cancelled.status, 303);
});

test('has no page for new ones, menu or permissions where disbursements are off', async () => {
  const off = await openSite({ ZIMBO_ROLE: 'api', DISBURSEMENTS: 'off' });
  const owner = await off.signIn('OWNER');
  for (const path of ['disbursements/new', 'disbursements/upload'])
    assert.equal((await owner.get(path)).status, 404, path);
  const sent = await owner.post('disbursements/new', { ...wallet, action: 'send' });
  assert.equal(sent.status, 404);
  for (const path of ['', 'money', 'roles', 'roles/new'])
    assert.doesNotMatch((await owner.get(path)).text, /disbursements|Envio|envios/, path);
});
