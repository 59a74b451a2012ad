/** The ledger and single payments on the staff pages, and ledger accounts over /admin/v1. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId, parseId } from '../../src/platform/values/ids.ts';
import { adminApi } from '../support/admin.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';

const hostile = '<script>alert(1)</script>\u202e';
const order = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

async function debit({ gateway }: TestConsole): Promise<string> {
  const made = { ...order, description: hostile, metadata: { note: hostile } };
  const { id } = await gateway.zimbo.payments.create(made);
  await reach(gateway.zimbo.payments, id, 'DEBITED');
  return id;
}

const linksIn = (text: string) =>
  [...text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'));

const nextOf = (text: string) =>
  /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');

/** Merchants with ledger accounts, but without a payment. */
async function addAccounts({ gateway }: TestConsole, merchants: number): Promise<void> {
  const text = `
    WITH merchant AS (
      INSERT INTO merchants (id, name, created_at)
      SELECT gen_random_uuid(), 'Loja ' || n, now() FROM generate_series(1, ${merchants}) AS n RETURNING id
    ), tenant AS (
      INSERT INTO tenants (id, merchant_id, mode, created_at)
      SELECT gen_random_uuid(), id, mode, now() FROM merchant, (VALUES ('live'), ('test')) AS of (mode)
      RETURNING id
    )
    INSERT INTO balances (tenant_id, account, currency, balance_minor)
    SELECT id, account, 'CVE', minor FROM tenant,
      (VALUES ('operator:MOCK', -700), ('payable', 600), ('fees', 100)) AS of (account, minor)`;
  await gateway.database.query({ text });
}

test('lists accounts of all merchants in words over pages, adding up to zero', async (context) => {
  const site = await testConsole(context);
  await debit(site);
  await addAccounts(site, 25);
  const finance = await site.signInStaff('FINANCE');
  let rows = 0;
  for (let address: string | undefined = 'ledger'; address !== undefined; ) {
    const { text, status }: { text: string; status: number } = await finance.get(address);
    assert.equal(status, 200);
    assert.match(text, /The accounts of each merchant add up to zero/);
    assert.match(text, /All together.*?0\.00.CVE.*?Adds up to zero/s);
    const accounts = text.split('<h2>Accounts</h2>')[1]!;
    rows += accounts.match(/<tr><td/g)!.length;
    address = nextOf(text);
  }
  assert.equal(rows, 25 * 6 + 3);
  const found = await finance.get('ledger?merchant=loja+7&mode=live');
  assert.equal(found.text.split('<h2>Accounts</h2>')[1]!.match(/<tr><td/g)!.length, 3);
  assert.match(found.text, /Owed to the merchant/);
  assert.match((await finance.get('ledger?merchant=nobody%25')).text, /No account matches/);
});

test('reports unbalanced accounts with their owners', async (context) => {
  const site = await testConsole(context);
  await debit(site);
  const { database } = site.gateway;
  await database.query({ text: `UPDATE merchants SET name = $1` }, [hostile]);
  const text = `UPDATE balances SET balance_minor = balance_minor + 5 WHERE account = 'payable'`;
  await database.query({ text });
  const page = await (await site.signInStaff('AUDITOR')).get('ledger');
  assert.match(page.text, /the ledger is wrong/);
  assert.match(page.text, /Does not add up to zero/);
  assert.match(page.text, /0\.05.CVE/);
  assert.doesNotMatch(page.text, /<script>alert/);
});

test('finds postings by their object, and shows accounts and kinds in words', async (context) => {
  const site = await testConsole(context);
  const { zimbo } = site.gateway;
  const payment = await debit(site);
  const other = await debit(site);
  const refund = await zimbo.refunds.create({ paymentIntentId: payment, amount: 4_000 });
  await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
  const settlement = (await zimbo.settlements.process())!;
  await reach(zimbo.settlements, settlement.id, 'COMPLETED');
  const finance = await site.signInStaff('FINANCE');
  const found = async (of: string) => {
    const { location } = await finance.get(`ledger?of=${of}`);
    assert.match(
      location!,
      new RegExp(`/ledger/${formatId('me', site.merchantId)}\\?mode=test&of=`),
    );
    return (await finance.get(location!)).text.split('<h2>Postings of')[1]!;
  };
  const ofPayment = await found(payment);
  for (const words of [
    'Debit without the fee',
    'Fee of the debit',
    'Refund requested',
    'Refund made by the operator',
    'Operator Simulator',
    'Refunds in transit',
  ]) {
    assert.ok(ofPayment.includes(words), words);
  }
  assert.match(ofPayment, /40\.00.CVE/);
  assert.ok(!ofPayment.includes(other));
  assert.equal((await found(refund.id)).match(/<tr><td/g)!.length, 2);
  assert.match(
    await found(settlement.id),
    /Payout begun.*Payout made by the bank|Payout made by the bank.*Payout begun/s,
  );
  assert.match(
    (await finance.get(`ledger?of=${formatId('pi', site.merchantId)}`)).text,
    /There are no postings for this id/,
  );
  const wrong = await finance.get(`ledger?of=${encodeURIComponent(hostile)}`);
  assert.equal(wrong.status, 400);
  assert.doesNotMatch(wrong.text, /<script>alert/);
});

test('lists each posting of a merchant once over pages, newest payments first', async (context) => {
  const site = await testConsole(context);
  await debit(site);
  const text = `
    INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
    SELECT t.id, source.id, kind, 'operator:MOCK', to_account, 'CVE', 100, now()
    FROM (SELECT id FROM tenants WHERE mode = 'test' AND merchant_id = $1) t, (SELECT gen_random_uuid() AS id FROM generate_series(1, 60)) AS source,
      (VALUES ('debit_net', 'payable'), ('debit_fee', 'fees')) AS of (kind, to_account)`;
  await site.gateway.database.query({ text }, [site.merchantId]);
  const finance = await site.signInStaff('FINANCE');
  const sources: string[] = [];
  let address: string | undefined = `ledger/${formatId('me', site.merchantId)}?mode=test`;
  for (let pages = 0; address !== undefined && pages < 10; pages++) {
    const page: { text: string } = await finance.get(address);
    sources.push(...[...page.text.matchAll(/pi_\w{26}(?=<\/code>)/g)].map(([id]) => id));
    address = nextOf(page.text);
  }
  assert.equal(sources.length, 122);
  assert.equal(new Set(sources).size, 61);
  assert.deepEqual(sources, sources.toSorted().reverse());
});

test("shows a payment of any merchant read-only, with strangers' text as text", async (context) => {
  const site = await testConsole(context);
  const id = await debit(site);
  const { operatorTxId } = await site.gateway.zimbo.payments.get(id);
  const operations = await site.signInStaff('OPERATIONS');
  assert.equal(
    (await operations.get(`payments?q=${id}`)).location,
    `/console/staff/payments/${id}`,
  );
  const receipt = /href="([^"]*\/receipt\/[^"]*)"/.exec(
    (await (await site.signIn()).get(`payments/${id}`)).text,
  )![1]!;
  for (const typed of [id.toUpperCase(), id.slice(3), parseId('pi', id)!, receipt]) {
    const { location } = await operations.get(`payments?q=${encodeURIComponent(typed)}`);
    assert.equal(location, `/console/staff/payments/${id}`, typed);
  }
  const shouted = await operations.get(`payments?q=${operatorTxId!.toUpperCase()}`);
  assert.ok(shouted.text.includes(id), 'in capitals');
  const found = await operations.get(`payments?q=${operatorTxId}`);
  assert.ok(linksIn(found.text).includes(`/console/staff/payments/${id}`));
  const { text, status } = await operations.get(`payments/${id}`);
  assert.equal(status, 200);
  assert.match(text, /100\.00.CVE/);
  assert.match(text, /is in the merchant’s balance/);
  assert.match(text, /\+238 991 23 45/);
  assert.doesNotMatch(text, /<script>alert|name="action"/);
  for (const role of ['AUDITOR', 'FINANCE'] as const) {
    const masked = await (await site.signInStaff(role)).get(`payments/${id}`);
    assert.equal(masked.status, 200);
    assert.doesNotMatch(masked.text, /991 ?23 ?45/);
    assert.match(masked.text, /• 45/);
  }
  assert.equal((await operations.get(`payments/${formatId('pi', site.merchantId)}`)).status, 404);
  assert.match((await operations.get('payments?q=nobody')).text, /Nothing has this/);
});

test("shows postings on a payment's page to people who may see the ledger", async (context) => {
  const site = await testConsole(context);
  const id = await debit(site);
  const seen = async (role: 'FINANCE' | 'OPERATIONS') =>
    (await (await site.signInStaff(role)).get(`payments/${id}`)).text;
  assert.match(await seen('FINANCE'), /Debit without the fee/);
  assert.doesNotMatch(await seen('OPERATIONS'), /Debit without the fee|\/ledger\//);
});

test('lists ledger accounts over /admin/v1 once over pages, with filters', async (context) => {
  const site = await testConsole(context);
  await debit(site);
  await addAccounts(site, 5);
  const api = await adminApi(site.gateway, { permissions: ['ledger.read'] });
  const root = '/admin/v1/ledger/accounts';
  const all = (await api('GET', root)).body;
  assert.deepEqual([all.data.length, all.hasMore], [33, false]);
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const { body } = await api('GET', `${root}?limit=7${after}`);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.hasMore) break;
    after = `&starting_after=${seen.at(-1)}`;
  }
  assert.deepEqual(
    seen,
    all.data.map(({ id }: { id: string }) => id),
  );
  assert.equal((await api('GET', `${root}?mode=live&currency=CVE`)).body.data.length, 15);
  for (const wrong of ['limit=0', 'limit=1001', 'starting_after=x', 'mode=both', 'currency=cve']) {
    assert.equal((await api('GET', `${root}?${wrong}`)).status, 400, wrong);
  }
});
