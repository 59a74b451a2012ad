/** Four eyes in the browser and over the API: what one person requests, who approves it, and what both see. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';

const environment = {
  REFUND_APPROVAL_ABOVE: 'CVE=50000,AOA=1',
  FOUR_EYES: 'live-keys',
  ZIMBO_ALLOW_LIVE_EMBEDDED: 'true',
};
const hostile = '<script>alert(1)</script>" \u202e';

async function pay({ gateway }: TestConsole): Promise<string> {
  const order = { amount: 150_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const { id } = await gateway.zimbo.payments.create(order);
  await reach(gateway.zimbo.payments, id, 'DEBITED');
  return id;
}

async function askFor(member: Member, id: string, amount: string): Promise<void> {
  const path = `payments/${id}/refund`;
  const { text } = await member.get(path);
  assert.match(text, /more than <span class="amount">500\.00 CVE<\/span> in all, somebody else/);
  const key = /name="key" value="([^"]*)"/.exec(text)![1]!;
  const fields = { action: 'refund', key, amount, reason: hostile };
  for (let sent = 0; sent < 2; sent++) {
    const { status, location } = await member.send(path, fields);
    assert.equal(status, 303);
    assert.match(location!, /\/approvals\?done=asked$/);
  }
}

const requestIn = (text: string) => /name="request" value="(ap_[^"]*)"/.exec(text)![1]!;

test("answers 403 to a key's large refund; in the console one person requests it, another sees exactly that and approves", async (context) => {
  const site = await testConsole(context, { environment });
  const { gateway } = site;
  const id = await pay(site);
  const refund = (amount?: number) =>
    gateway.api('POST', '/v1/refunds', { paymentIntentId: id, ...(amount && { amount }) });
  const refused = await refund();
  assert.equal(refused.status, 403);
  assert.equal(refused.body.error.code, 'FORBIDDEN');
  assert.match(refused.body.error.message, /above 50000 centavos \(CVE\)/);
  assert.equal((await refund(50_001)).status, 403);
  const small = await Promise.all([refund(50_000), refund(50_000), refund(50_000)]);
  assert.deepEqual(
    small.map(({ status }) => status).sort((a, b) => a - b),
    [200, 403, 403],
  );

  const [support, owner] = [await site.signIn('SUPPORT'), await site.signIn('OWNER')];
  await askFor(support, id, '700');
  const own = await support.get('approvals?done=asked');
  assert.match(own.text, /Somebody else must approve your request/);
  assert.ok(!own.text.includes('value="approve"') && !own.text.includes('<script>alert'));
  const request = requestIn(own.text);
  assert.equal((await support.post('approvals', { action: 'approve', request })).status, 403);
  const [finance, viewer] = [await site.signIn('FINANCE'), await site.signIn('VIEWER')];
  assert.equal((await viewer.post('approvals', { action: 'approve', request })).status, 403);
  assert.ok(!(await viewer.get('approvals')).text.includes('name="request"'));
  assert.match((await owner.get('')).text, /One request is waiting for your approval/);
  assert.ok(!(await support.get('')).text.includes('waiting for your approval'));
  const shown = await owner.get('approvals');
  assert.match(shown.text, /700\.00 CVE/);
  assert.match(shown.text, /&lt;script&gt;alert\(1\)/);

  const forged = { action: 'approve', request, amount: '1500', reason: 'other', amountMinor: '1' };
  const approved = await Promise.all([
    owner.post('approvals', forged),
    finance.post('approvals', forged),
  ]);
  assert.deepEqual(
    approved.map(({ status }) => status).sort((a, b) => a - b),
    [303, 409],
  );
  const text = `SELECT amount_minor::integer AS amount, reason FROM refunds ORDER BY amount_minor`;
  assert.deepEqual(await gateway.database.query({ text }), [
    { amount: 50_000, reason: null },
    { amount: 70_000, reason: hostile },
  ]);
  assert.match((await support.get('approvals')).text, />Done</);
  assert.equal((await owner.post('approvals', { action: 'cancel', request: 'ap_x' })).status, 404);
});

test('forbids owners to approve their own request in another tab, and lets them withdraw it', async (context) => {
  const site = await testConsole(context, { environment });
  const id = await pay(site);
  const owner = await site.signIn('OWNER');
  await askFor(owner, id, '1500');
  const request = requestIn((await owner.get('approvals')).text);
  for (const action of ['approve', 'approve-key']) {
    const { status, text } = await owner.post('approvals', { action, request });
    assert.equal(status, 403);
    assert.match(text, /takes another person/);
  }
  assert.equal((await owner.post('approvals', { action: 'cancel', request })).status, 303);
  const other = await site.signIn('OWNER');
  const late = await other.post('approvals', { action: 'approve', request });
  assert.equal(late.status, 409);
  assert.match(late.text, /was decided/);
  assert.deepEqual((await site.gateway.zimbo.refunds.list().page()).data, []);
});

test('links to approvals in the menu if something may need one', async (context) => {
  const leads = async (settings: Record<string, string>) => {
    const site = await testConsole(context, { environment: settings });
    const people = await Promise.all([site.signIn(), site.signInStaff()]);
    const pages = await Promise.all(people.map((each) => each.get('')));
    return pages.map(({ text }) => /href="[^"]*\/approvals"/.test(text));
  };
  const [members, staff] = [
    [true, false],
    [false, true],
  ];
  assert.deepEqual(await leads({}), [false, false]);
  assert.deepEqual(await leads({ FOUR_EYES: 'bank-accounts' }), staff);
  assert.deepEqual(await leads({ FOUR_EYES: 'live-keys' }), members);
  assert.deepEqual(await leads({ REFUND_APPROVAL_ABOVE: 'CVE=500' }), members);
});

test('shows an approved live key once, to the requester', async (context) => {
  const site = await testConsole(context, { environment });
  const base = site.baseOf(site.merchantId, 'live');
  const [developer, owner] = [await site.signIn('DEVELOPER'), await site.signIn('OWNER')];
  const once = '019aa5d4-e0fb-7000-8000-000000000002';
  const fields = { action: 'create', once, label: 'till', permissions: ['payments:read'] };
  const asked = await developer.send(`${base}/keys/new`, fields);
  assert.match(asked.location!, /\/approvals\?done=asked$/);
  const request = requestIn((await developer.get(`${base}/approvals`)).text);
  const press = (member: Member, action: string) =>
    member.post(`${base}/approvals`, { action, request });
  assert.equal((await press(developer, 'collect')).status, 409);
  assert.equal((await press(developer, 'approve-key')).status, 403);
  const { database } = site.gateway;
  const proved = (at: string) =>
    database.query({ text: `UPDATE person_sessions SET reauthenticated_at = ${at}` });
  await proved(`now() - interval '1 hour'`);
  assert.match((await press(owner, 'approve-key')).location!, /\/console\/prove\?next=/);
  await proved('now()');
  assert.match((await press(owner, 'approve-key')).location!, /done=approved$/);
  assert.equal((await press(owner, 'collect')).status, 403);
  assert.match((await press(developer, 'collect')).text, /sk_live_\w{32}/);
  const again = await press(developer, 'collect');
  assert.equal(again.status, 409);
  assert.ok(!/sk_live_\w{32}/.test(again.text));
});
