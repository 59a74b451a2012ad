import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { eventually, reach } from '../support/gateway.ts';
import { book, movedByPostings } from '../support/history.ts';
import { sharedConsole } from '../support/shared-gateway.ts';

const timeZone = 'Atlantic/Cape_Verde';
const order = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

async function tenantOf({ gateway, merchantId }: TestConsole) {
  const { database } = gateway;
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await database.query<{ id: string }>({ text }, [merchantId]);
  return { database, tenantId: tenant!.id };
}

async function debit({ gateway }: TestConsole, amount = order.amount): Promise<string> {
  const { id } = await gateway.zimbo.payments.create({ ...order, amount });
  await reach(gateway.zimbo.payments, id, 'DEBITED');
  return id;
}

/** `1.234,50` or `-5,00`, in minor units. */
const minorOf = (text: string) => BigInt(text.replace(/[.,]/g, '') || '0');

const linesOf = (csv: string) =>
  csv
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(';'));

test('matches the ledger to the cent after a mixed history', async (context) => {
  const site = await testConsole(context);
  const tenant = await tenantOf(site);
  const at = (day: number, hour = 12) => Date.UTC(2026, 8, day, hour, 30);
  const [first, second] = [randomUUID(), randomUUID()];
  await book(tenant, 'debit', first, 123_457n, at(1, 0));
  await book(tenant, 'debit', second, 9_999n, at(1));
  await book(tenant, 'refund_out', first, 23_457n, at(2));
  await book(tenant, 'payout_out', first, 50_001n, at(3, 2));
  await book(tenant, 'payout_back', first, 50_001n, at(4));
  await book(tenant, 'refund_back', first, 23_457n, at(5));
  await book(tenant, 'payout_out', second, 130_000n, at(6, 23));
  await book(tenant, 'refund_out', second, 9_999n, at(30, 22));
  await debit(site);
  const member = await site.signIn('VIEWER');
  // The first payment was still in August in Cape Verde.
  const { text, headers } = await member.get(
    'statement.csv?from=2026-08-31&until=2026-09-30&lang=pt',
  );
  assert.match(headers.get('content-disposition')!, /extrato-2026-08-31-2026-09-30-cve\.csv/);
  const [titles, opening, ...rest] = linesOf(text);
  assert.equal(titles![0], 'Dia');
  const closing = rest.pop()!;
  assert.deepEqual(
    [opening![0], opening![5], closing[0]],
    ['Saldo inicial', '0,00', 'Saldo final'],
  );
  assert.deepEqual(closing.slice(1, 5), ['1334,56', '-26,68', '-99,99', '-1300,00']);
  const posted = (await movedByPostings(tenant, timeZone)).slice(0, -1);
  assert.deepEqual(
    rest.map(([day, ...amounts]) => {
      const minors = amounts.slice(0, 4).map(minorOf);
      const movedMinor = minors.reduce((sum, minor) => sum + minor, 0n);
      return { day, movedMinor, closingMinor: minorOf(amounts[4]!) };
    }),
    posted,
  );
  assert.equal(minorOf(closing[5]!), posted.at(-1)!.closingMinor);
  const page = await member.get('statement?from=2026-08-31&until=2026-09-30&lang=pt');
  assert.match(page.text, /−1\.300,00 CVE/);
});

test("shows the API's balance, and days that add up to it", async (context) => {
  const site = await testConsole(context);
  const { zimbo } = site.gateway;
  const member = await site.signIn('FINANCE');
  assert.match((await member.get('money')).text, /No money yet/);
  const id = await debit(site);
  await zimbo.refunds.create({ paymentIntentId: id, amount: 2_500 });
  await eventually('it is given back', async () => {
    const balance = (await zimbo.balance.get()).data[0]!;
    return balance.refundsInTransit === '0' && balance.available === '7300';
  });
  const { text } = await member.get('money');
  for (const shown of ['73.00 CVE', '100.00 CVE', '−2.00 CVE', '−25.00 CVE']) {
    assert.ok(text.includes(shown), shown);
  }
  assert.match(text, /2% of the amount/);
  assert.match(text, /Next payout/);
  assert.deepEqual(await checkLedger(site.gateway.database), []);
});

test('describes fees in words: a share, a fixed amount, both or none', async (context) => {
  const fees = { FEE_MOCK: '0', FEE_CVMOVEL: '150+50', FEE_UNITEL_TMAIS: '0+125' };
  const site = await testConsole(context, { environment: fees });
  const member = await site.signIn();
  const { text } = await member.get('money');
  assert.match(text, /no fee/);
  assert.match(text, /1\.5% of the amount, plus 0\.50/);
  assert.match(text, /1\.25 \(in the currency of the payment\)/);
});

test('pays out once for a form sent twice, and nothing from another page meanwhile', async () => {
  const site = await sharedConsole();
  await debit(site);
  const member = await site.signIn('FINANCE');
  const { text } = await member.get('settlements');
  const key = /name="key" value="([^"]+)"/.exec(text)![1]!;
  const fields = { action: 'pay-out', key, currency: 'CVE' };
  const answers = await Promise.all([1, 2, 3].map(() => member.send('settlements', fields)));
  const again = await member.send('settlements', fields);
  const all = [...answers, again];
  const places = new Set(all.map(({ location }) => location));
  const refused = all.filter(({ status }) => status !== 303).map(({ text }) => text);
  assert.equal(places.size, 1, [...places, ...refused].join('\n'));
  const [place] = [...places];
  assert.match(place!, /\/settlements\/se_\w+\?done=started$/);
  const { data } = await site.gateway.zimbo.settlements.list().page();
  assert.equal(data.length, 1);
  const page = await member.get(place!);
  assert.match(page.text, /The payout has been requested/);
  await reach(site.gateway.zimbo.settlements, data[0]!.id, 'COMPLETED');
  const other = await member.send('settlements', { ...fields, key: randomUUID() });
  assert.equal(other.status, 400);
  assert.match(other.text, /nothing to pay out/);
  const reused = await member.send('settlements', { ...fields, currency: 'AOA' });
  assert.equal(reused.status, 400);
  const bad = await member.send('settlements', { ...fields, key: '<script>' });
  assert.equal(bad.status, 400);
});

test('audits the requester of a payout by name, and respects each role', async () => {
  const site = await sharedConsole();
  await debit(site);
  const viewer = await site.signIn('VIEWER');
  const shown = await viewer.get('settlements');
  assert.ok(!shown.text.includes('name="key"'), 'whoever may not pay out sees no button');
  const fields = { action: 'pay-out', key: randomUUID(), currency: 'CVE' };
  assert.equal((await viewer.send('settlements', fields)).status, 403);
  const member = await site.signIn('FINANCE');
  assert.equal((await member.send('settlements', fields)).status, 303);
  const { text } = await member.get('audit?action=settlement.processed');
  assert.match(text, /Maria Lopes/);
  assert.match(text, /Payout requested/);
  assert.equal((await viewer.get('audit')).status, 403);
});

test('requires reauthentication for payouts in live mode', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('OWNER');
  const { database } = site.gateway;
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'live'`;
  const [tenant] = await database.query<{ id: string }>({ text }, [site.merchantId]);
  await book({ database, tenantId: tenant!.id }, 'debit');
  await database.query({
    text: `UPDATE person_sessions SET reauthenticated_at = now() - interval '1 hour'`,
  });
  const live = site.base.replace(/test$/, 'live/settlements');
  const fields = { action: 'pay-out', key: randomUUID(), currency: 'CVE' };
  const answer = await member.send(live, fields);
  assert.match(answer.location!, /\/console\/prove\?/);
  assert.deepEqual(await database.query({ text: 'SELECT FROM settlements' }), []);
});

test('shows the items of a payout in pages and as an audited file', async (context) => {
  const site = await testConsole(context);
  const tenant = await tenantOf(site);
  const paid: string[] = [];
  for (let index = 0; index < 26; index++) {
    paid.push(randomUUID());
    await book(tenant, 'debit', paid[index], 10_000n);
  }
  const { id } = (await site.gateway.zimbo.settlements.process())!;
  const member = await site.signIn('FINANCE');
  const page = await member.get(`settlements/${id}`);
  assert.equal(page.text.match(/<tr>/g)!.length, 26, 'a head and 25 items');
  const next = /starting_after=(pi_\w+)/.exec(page.text)![1];
  const second = await member.get(`settlements/${id}?starting_after=${next}`);
  assert.equal(second.text.match(/<tr>/g)!.length, 2);
  const file = await member.get(`settlements/${id}/items.csv?lang=pt`);
  const [titles, ...rows] = linesOf(file.text);
  assert.deepEqual(titles!.slice(4, 8), ['Valor', 'Comissão', 'Valor líquido', 'Moeda']);
  assert.equal(rows.length, 26);
  assert.equal(
    rows.reduce((sum, row) => sum + minorOf(row[6]!), 0n),
    26n * 9_800n,
  );
  const text = `SELECT actor FROM audit_records WHERE action = 'settlement.exported' AND subject = $1`;
  const records = await site.gateway.database.query<{ actor: string }>({ text }, [id]);
  assert.deepEqual(records, [{ actor: `person:${formatId('pe', member.personId)}` }]);
});

test("explains a failed payout in plain words, and shows the system's report as text", async (context) => {
  const site = await testConsole(context);
  await debit(site);
  const { zimbo, database } = site.gateway;
  const { id } = (await zimbo.settlements.process())!;
  await reach(zimbo.settlements, id, 'COMPLETED');
  await database.query({
    text: `UPDATE settlements SET status = 'FAILED', payout_error = '<script>alert(1)</script>'; UPDATE settlement_periods SET settlement_id = NULL`,
  });
  const member = await site.signIn('VIEWER');
  const { text } = await member.get(`settlements/${id}`);
  assert.match(text, /The bank did not pay\. The money is back in the balance/);
  assert.match(text, /&lt;script&gt;alert\(1\)/);
  assert.ok(!text.includes('<script>alert'));
  assert.match(text, /Empty: what it contained/);
});

test('asks again for an invalid period, and echoes nothing hostile', async () => {
  const site = await sharedConsole();
  const member = await site.signIn('VIEWER');
  for (const query of [
    'from=2026-02-30&until=2026-03-01',
    'from=2026-03-02&until=2026-03-01',
    'from=2020-01-01&until=2026-01-01',
    'from=%3Cscript%3E&until=x',
    'from=2026-03-01',
  ]) {
    const { status, text } = await member.get(`statement?${query}`);
    assert.equal(status, 400, query);
    assert.match(text, /Choose a first day that has begun/);
    assert.ok(!text.includes('<script>'), query);
    assert.equal((await member.get(`statement.csv?${query}`)).status, 404, query);
  }
  const long = await member.get('statement?from=2025-03-01&until=2026-03-01&currency=%22%3E');
  assert.equal(long.status, 200);
  for (const page of ['money?before=2026-13-01&currency=x', 'settlements?status=x']) {
    assert.equal((await member.get(page)).status, 200, page);
  }
  const paper = await member.get('statement?from=2026-09-01&until=2026-09-30&print=1');
  assert.match(paper.text, /<body class="bare">/);
});
