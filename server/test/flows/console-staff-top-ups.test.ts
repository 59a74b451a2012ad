/** How staff top up a merchant's balance in the console, alone and with a second person. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { staffRoles } from '../../src/tenants/people/staff-permissions.ts';
import { type Member, testConsole } from '../support/console.ts';
import { hiddenValue } from '../support/stranger.ts';

const hostile = '<B>BCA</B>/"77';
const typed = { amount: '1.500,50', currency: 'CVE', bankReference: hostile };

async function setUp(context: TestContext, environment: Record<string, string> = {}) {
  const site = await testConsole(context, { environment });
  const merchant = `merchants/${formatId('me', site.merchantId)}`;
  return { site, database: site.gateway.database, merchant, page: `${merchant}/top-up` };
}

/** Fills the form, and confirms what the summary shows. */
async function confirm(member: Member, page: string, change: object = {}) {
  const summary = await member.send(page, { action: 'check', ...typed, ...change });
  const key = summary.status === 200 ? hiddenValue(summary.text, 'key') : '';
  return { summary, end: () => member.send(page, { action: 'book', key, ...typed, ...change }) };
}

test('shows a summary, books the transfer once, and says of a second try that it is booked', async (context) => {
  const { site, database, merchant, page } = await setUp(context);
  const finance = await site.signInStaff('FINANCE');
  const { summary, end } = await confirm(finance, page);
  assert.match(summary.text, /1,500\.50 CVE/);
  assert.match(summary.text, /&lt;B&gt;BCA&lt;\/B&gt;\/&quot;77/);
  const text =
    'SELECT amount_minor AS minor, bank_reference AS reference, created_by AS "by" FROM top_ups';
  assert.deepEqual(await database.query({ text }), []);
  assert.match((await end()).location!, /done=toppedUp/);
  const by = `person:${formatId('pe', finance.personId)}`;
  assert.deepEqual(await database.query({ text }), [{ minor: 150_050n, reference: hostile, by }]);
  const again = await end();
  assert.equal(again.status, 400);
  assert.match(again.text, /id="bankReference-error">This transfer is booked already/);
  assert.match((await confirm(finance, page)).summary.text, /This transfer is booked already/);
  assert.match((await finance.get(`${merchant}?done=toppedUp`)).text, /has been topped up/);
  assert.deepEqual(await checkLedger(database), []);
});

test('names mistakes at their fields, and keeps what was typed', async (context) => {
  const { site, page } = await setUp(context);
  const finance = await site.signInStaff('FINANCE');
  for (const [field, value] of [
    ['amount', 'muito'],
    ['amount', '0'],
    ['currency', 'EUR'],
    ['bankReference', ' '],
  ] as const) {
    const { summary } = await confirm(finance, page, { [field]: value });
    assert.equal(summary.status, 400, field);
    assert.match(summary.text, new RegExp(`id="${field}-error"`));
  }
  const back = await finance.send(page, { action: 'change', ...typed });
  assert.match(back.text, /value="1\.500,50"/);
});

test('lets only those who decide about payouts top up, and nobody while disbursements are off', async (context) => {
  const { site, merchant, page } = await setUp(context);
  for (const role of staffRoles) {
    const member = await site.signInStaff(role);
    const may = role === 'ADMIN' || role === 'FINANCE';
    assert.equal((await member.get(merchant)).text.includes(`${page}"`), may, role);
    const { status } = await member.post(page, { action: 'book', ...typed });
    assert.equal(status === 403, !may, role);
  }
  const off = await setUp(context, { DISBURSEMENTS: 'off' });
  const admin = await off.site.signInStaff('ADMIN');
  assert.doesNotMatch((await admin.get(off.merchant)).text, /top-up|Top-up/);
  assert.equal((await admin.get(off.page)).status, 404);
});

test('requests a top-up with top-ups in FOUR_EYES, and another person approves exactly what it shows', async (context) => {
  const { site, database, merchant, page } = await setUp(context, { FOUR_EYES: 'top-ups' });
  const [finance, admin] = [await site.signInStaff('FINANCE'), await site.signInStaff('ADMIN')];
  const { summary, end } = await confirm(finance, page);
  assert.match(summary.text, /Another member of staff must approve the top-up/);
  assert.match((await end()).location!, /done=topUpAsked/);
  assert.match((await end()).location!, /done=topUpAsked/, 'the same form once more');
  const other = await (await confirm(admin, page)).end();
  assert.match(other.text, /somebody has requested it/);
  const shown = (await admin.get(merchant)).text;
  assert.match(shown, /Waiting for another person’s approval/);
  const approvals = '/console/staff/approvals';
  const own = (await finance.get(approvals)).text;
  assert.match(own, /Somebody else must approve your request/);
  const list = (await admin.get(approvals)).text;
  assert.match(list, /1,500\.50 CVE/);
  assert.match(list, /&lt;B&gt;BCA/);
  const decide = { action: 'approve', request: hiddenValue(list, 'request') };
  assert.equal((await finance.post(approvals, decide)).status, 403);
  const operations = await site.signInStaff('OPERATIONS');
  assert.equal((await operations.post(approvals, decide)).status, 403);
  const text = 'SELECT amount_minor AS minor FROM top_ups';
  assert.deepEqual(await database.query({ text }), []);
  assert.match((await admin.post(approvals, decide)).location!, /done=approved/);
  assert.deepEqual(await database.query({ text }), [{ minor: 150_050n }]);
  assert.doesNotMatch((await admin.get(merchant)).text, /Waiting for another person/);
  assert.match((await admin.get(approvals)).text, /Done/);
  assert.deepEqual(await checkLedger(database), []);
});
