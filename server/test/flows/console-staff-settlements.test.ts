/** Payouts of all merchants on the pages of the staff, and whether the bank has paid them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId, parseId } from '../../src/platform/values/ids.ts';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { ledgerProblems, processingSettlement } from '../support/settled.ts';

const hiddenIn = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

/** The form as the page currently shows it. */
async function formOf(member: Member, page: string) {
  const { text } = await member.get(page);
  return { key: hiddenIn(text, 'key'), version: hiddenIn(text, 'version') };
}

const statusOf = async ({ gateway }: TestConsole, id: string) =>
  (await gateway.zimbo.settlements.get(id)).status;

test('lets finance record a payment of the bank once, as shown; operations only read', async (context) => {
  const site = await testConsole(context);
  const id = await processingSettlement(site.gateway);
  const page = `settlements/${id}`;
  const [finance, operations] = [
    await site.signInStaff('FINANCE'),
    await site.signInStaff('OPERATIONS'),
  ];
  const looked = await operations.get(page);
  assert.match(looked.text, /Loja de teste/);
  assert.match(looked.text, /1,500\.00 CVE/);
  assert.doesNotMatch(looked.text, /value="complete"|value="fail"/);
  assert.equal((await operations.post(page, { action: 'complete' })).status, 403);
  const form = await formOf(finance, page);
  assert.match(
    (await finance.get(page)).text,
    /This cannot be undone: check the bank statement first/,
  );
  const stale = await finance.post(page, { ...form, version: '1', action: 'complete' });
  assert.equal(stale.status, 409);
  assert.match(stale.text, /has changed since you opened the page/);
  const both = await Promise.all(
    [0, 1].map(() => finance.post(page, { ...form, action: 'complete' })),
  );
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((one, other) => one - other),
    [303, 409],
  );
  assert.equal(await statusOf(site, id), 'COMPLETED');
  const late = await finance.post(page, { ...(await formOf(finance, page)), action: 'fail' });
  assert.equal(late.status, 409);
  assert.doesNotMatch((await finance.get(page)).text, /value="fail"/);
  const text = `SELECT actor FROM audit_records WHERE action = 'settlement.completed'`;
  assert.deepEqual(await site.gateway.database.query({ text }), [
    { actor: `person:${formatId('pe', finance.personId)}` },
  ]);
  assert.deepEqual(await ledgerProblems(site.gateway), []);
});

test('withdraws the order of an unpaid payout, tells what to do, and makes the money payable', async (context) => {
  const site = await testConsole(context);
  const id = await processingSettlement(site.gateway);
  const page = `settlements/${id}`;
  const finance = await site.signInStaff('FINANCE');
  const { database } = site.gateway;
  await database.query({
    text: `UPDATE person_sessions SET reauthenticated_at = now() - interval '1 hour'`,
  });
  const unproved = await finance.post(page, { action: 'fail' });
  assert.match(unproved.location!, /\/console\/prove\?next=/);
  await database.query({ text: 'UPDATE person_sessions SET reauthenticated_at = now()' });
  const done = await finance.post(page, { ...(await formOf(finance, page)), action: 'fail' });
  assert.match(done.location!, /done=failed&warning=TAKEN_BACK$/);
  const shown = await finance.get(done.location!);
  assert.match(shown.text, /The money is back in the balance/);
  assert.match(shown.text, /role="alert">The order was removed from the folder/);
  assert.equal(await statusOf(site, id), 'FAILED');
  const again = await site.gateway.api('POST', '/v1/settlements/process', {});
  assert.equal(again.body.amount, '150000');
  await site.gateway.zimbo.settlements.get(again.body.id);
  assert.deepEqual(await ledgerProblems(site.gateway), []);
});

test('marks an order whose hand-over is unknown', async (context) => {
  const site = await testConsole(context);
  const id = await processingSettlement(site.gateway);
  await site.gateway.database.query({
    text: `UPDATE settlements SET payout_error = 'the disk is full <b>', version = version + 1`,
  });
  const finance = await site.signInStaff('FINANCE');
  const page = `settlements/${id}`;
  assert.match((await finance.get(page)).text, /the disk is full &lt;b&gt;/);
  const done = await finance.post(page, { ...(await formOf(finance, page)), action: 'complete' });
  assert.match(done.location!, /warning=NOT_HANDED_OVER$/);
  assert.match(
    (await finance.get(done.location!)).text,
    /make sure that the bank has paid, and only once/,
  );
});

test('lists payouts of all merchants newest first over pages, by status, mode and merchant', async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  await database.query({
    text: `INSERT INTO merchants (id, name, created_at)
      SELECT gen_random_uuid(), 'Padaria ' || n, now() FROM generate_series(1, 3) AS n`,
  });
  await database.query({
    text: `INSERT INTO tenants (id, merchant_id, mode, created_at)
      SELECT gen_random_uuid(), id, 'live', now() FROM merchants WHERE name LIKE 'Padaria%'`,
  });
  await database.query({
    text: `INSERT INTO settlements (tenant_id, id, merchant_id, status, version, currency, gross_minor, fee_minor,
        refund_minor, net_minor, item_count, period_start, period_end, created_at)
      SELECT t.id, gen_random_uuid(), t.merchant_id, CASE n % 10 WHEN 0 THEN 'FAILED' ELSE 'COMPLETED' END, 3, 'CVE',
        n, 0, 0, n, 1, now(), now(), now()
      FROM tenants t JOIN merchants m ON m.id = t.merchant_id, generate_series(1, 40) AS n WHERE m.name LIKE 'Padaria%'`,
  });
  const auditor = await site.signInStaff('AUDITOR');
  const all = async (query: string) => {
    const ids: string[] = [];
    for (let address: string | undefined = `/console/staff/settlements${query}`; address; ) {
      const { text }: { text: string } = await auditor.get(address);
      ids.push(...[...text.matchAll(/staff\/settlements\/(se_\w+)/g)].map(([, id]) => id!));
      address = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    return ids;
  };
  const everything = await all('');
  assert.equal(new Set(everything).size, 120);
  const uuids = everything.map((id) => parseId('se', id)!);
  assert.deepEqual(uuids, uuids.toSorted().toReversed());
  assert.equal((await all('?status=FAILED')).length, 12);
  assert.equal((await all('?mode=test')).length, 0);
  assert.equal((await all('?merchant=padaria+2')).length, 40);
  assert.equal((await all('?merchant=padaria+2&status=FAILED')).length, 4);
  const several = await auditor.get('settlements?merchant=padaria');
  assert.match(several.text, /Several merchants have this name/);
  assert.equal([...several.text.matchAll(/merchant=me_/g)].length, 3);
  assert.match(
    (await auditor.get('settlements?merchant=nobody')).text,
    /No merchant has this name/,
  );
});
