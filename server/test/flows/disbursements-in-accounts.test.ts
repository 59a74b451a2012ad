/** A merchant's disbursements in the API, on the pages and in the files that show money. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { adminApi } from '../support/admin.ts';
import { bookDisbursement } from '../support/booked-disbursement.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';
import { book } from '../support/history.ts';

const timeZone = 'Atlantic/Cape_Verde';
const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format();
const month = today.slice(0, 7);

/** A test merchant with a payment, a disbursement under way, and one that failed and then succeeded. */
async function begin(site: TestConsole) {
  const { database } = site.gateway;
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await database.query<{ id: string }>({ text }, [site.merchantId]);
  const tenantId = tenant!.id;
  await database.query({ text: `UPDATE merchants SET payout_schedule = 'MANUAL'` });
  await book({ database, tenantId }, 'debit', randomUUID(), 100_000n);
  const updatedAtMs = Date.now();
  const given = { tenantId, updatedAtMs };
  const dueAtMs = updatedAtMs + 86_400_000;
  const open = await bookDisbursement(database, { ...given, status: 'PROCESSING', dueAtMs });
  const failed = { amountMinor: 700n, status: 'FAILED' as const, operatorTxId: 'OP-7' };
  const late = await bookDisbursement(database, { ...given, ...failed });
  return { tenantId, open: formatId('di', open.id), late: formatId('di', late.id) };
}

test('shows disbursements, their fees and what came back in the API', async (context) => {
  const site = await testConsole(context);
  const { open, late } = await begin(site);
  const { zimbo, api } = site.gateway;
  const balance = {
    currency: 'CVE',
    available: '94950',
    pending: '0',
    refundsInTransit: '0',
    disbursementsInTransit: '3000',
  };
  assert.deepEqual(await zimbo.balance.get(), { data: [balance] });
  const statement = await zimbo.settlements.statement({ month, currency: 'CVE' });
  const { amount, feeTotal, refundTotal, disbursementTotal, payoutTotal } = statement;
  assert.deepEqual(
    [amount, feeTotal, refundTotal, disbursementTotal, payoutTotal, statement.closingBalance],
    ['100000', '2050', '0', '3000', '0', '94950'],
  );
  const csv = await zimbo.settlements.statementCsv({ month, currency: 'CVE' });
  const lines = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const moved = lines
    .filter(([, , id]) => id?.startsWith('di_'))
    .map(([, type, id, payment, minor]) => [type, id, payment, minor].join(' '));
  const told = [
    `DISBURSEMENT ${late}  -700`,
    `DISBURSEMENT ${open}  -3000`,
    `DISBURSEMENT_RETURNED ${late}  700`,
    `FEE ${late}  -50`,
    `FEE ${open}  -50`,
    `FEE_RETURNED ${late}  50`,
  ];
  assert.deepEqual(moved.toSorted(), told.toSorted());
  const { id } = (await zimbo.settlements.process())!;
  const settlement = await reach(zimbo.settlements, id, 'COMPLETED');
  assert.deepEqual(
    [settlement.feeTotal, settlement.disbursementTotal, settlement.netAmount, settlement.itemCount],
    ['2050', '3000', '94950', 4],
  );
  const items = await Array.fromAsync(zimbo.settlements.items(id));
  assert.deepEqual(items.map(({ type, netAmount }) => `${type} ${netAmount}`).toSorted(), [
    'DISBURSEMENT -3050',
    'DISBURSEMENT -750',
    'DISBURSEMENT_RETURNED 750',
    'PAYMENT 98000',
  ]);
  const after = items.findIndex(({ type }) => type === 'DISBURSEMENT_RETURNED');
  const page = await api('GET', `/v1/settlements/${id}/items?starting_after=${items[after]!.id}`);
  assert.deepEqual(page.body.data, items.slice(after + 1));
  const problems = (await checkLedger(site.gateway.database)).filter(
    ({ check }) => check !== 'posting' && check !== 'operator',
  );
  assert.deepEqual(
    problems.filter(({ check }) => check !== 'totals'),
    [],
  );
});

test('shows disbursements on the pages of a merchant and in their files', async (context) => {
  const site = await testConsole(context);
  const { open } = await begin(site);
  const member = await site.signIn('FINANCE');
  const textOf = async (address: string) => (await member.get(address)).text;
  const wordsOf = async (address: string) =>
    (await textOf(address)).replace(/<[^>]*>/g, '|').replace(/\|+/g, '|');
  assert.match(await wordsOf('money?lang=en'), /Disbursements in transit\|30\.00 CVE/);
  const query = `from=${month}-01&until=${today}&currency=CVE&lang=en`;
  const statement = await wordsOf(`statement?${query}`);
  assert.match(statement, /Disbursements\|−30\.00 CVE/);
  assert.match(await textOf(`statement?${query}&print=1`), /Disbursement returned/);
  const rows = (await textOf(`statement.csv?${query}`)).replace('\ufeff', '').trim().split('\r\n');
  assert.deepEqual(
    rows.map((row) => row.split(',').at(-1)),
    ['Disbursements', '', '-30.00', '-30.00'],
  );
  const fees = await wordsOf(`fee-statement?month=${month}&currency=CVE&lang=en`);
  assert.match(fees, /Total fees\|20\.50 CVE/);
  assert.match(fees, /Disbursed/);
  const file = await textOf(`fee-statement.csv?month=${month}&currency=CVE&lang=en`);
  assert.match(file, /Disbursements: [^,]+,,,0\.50,CVE/);
  const { id } = (await site.gateway.zimbo.settlements.process())!;
  const payout = await wordsOf(`settlements/${id}?lang=en`);
  assert.match(payout, /Disbursements\|−30\.00 CVE/);
  assert.ok(payout.includes(open));
  const items = await textOf(`settlements/${id}/items.csv?lang=en`);
  assert.match(items, new RegExp(`Disbursement,,,30\\.00,0\\.50,-30\\.50,CVE,,,,,${open}\\r`));
});

test('says nothing of disbursements to a merchant who never disburses', async (context) => {
  const site = await testConsole(context);
  const { id } = await site.gateway.zimbo.payments.create({
    amount: 10_000,
    operator: 'MOCK',
    operatorPhone: '+2389912345',
  });
  await reach(site.gateway.zimbo.payments, id, 'DEBITED');
  const payout = (await site.gateway.zimbo.settlements.process())!;
  const member = await site.signIn('FINANCE');
  const pages = ['money', 'statement', 'statement?print=1', `settlements/${payout.id}`];
  for (const page of [...pages, 'fee-statement']) {
    const { text, status } = await member.get(page);
    assert.equal(status, 200, page);
    // The menu names them all the same.
    assert.doesNotMatch(text.slice(text.indexOf('<main')), /isbursement/, page);
  }
});

test('shows staff a late success in suspense, and the postings of a disbursement', async (context) => {
  const site = await testConsole(context);
  const { open, late } = await begin(site);
  const admin = await adminApi(site.gateway);
  const { body } = await admin('GET', '/admin/v1/suspense');
  const [{ id, paymentId, reason, amount, status }, ...others] = body.data;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [id, paymentId, reason, amount, status],
    [late, null, 'LATE_DISBURSEMENT', '-700', null],
  );
  const next = await admin('GET', `/admin/v1/suspense?starting_after=${late}`);
  assert.deepEqual([next.status, next.body.data], [200, []]);
  const staff = await site.signInStaff('FINANCE');
  const suspense = (await staff.get('suspense?lang=en')).text;
  assert.match(suspense, /Disbursement made after it had failed/);
  assert.ok(suspense.includes(late));
  const found = await staff.get(`ledger?of=${open}&lang=en`);
  const postings = found.status === 303 ? await staff.get(found.headers.get('location')!) : found;
  assert.match(postings.text, /Disbursement requested/);
  assert.match(postings.text, /Fee of the disbursement/);
  assert.match(postings.text, /Disbursements in transit/);
});
