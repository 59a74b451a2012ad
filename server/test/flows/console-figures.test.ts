/** Home, statement, exports, statement of fees, balance and ledger agree to the cent, across the end of a month. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { eventually, reach } from '../support/gateway.ts';
import { bookMany, payOutOnRequestOnly } from '../support/many-payments.ts';

/** What a month moved, in minor units, with the sign of the merchant's balance. */
interface Figures {
  paid: number;
  fees: number;
  refunds: number;
  payouts: number;
}

interface Month {
  currency: 'CVE' | 'AOA';
  /** `2026-11` */
  month: string;
}

const minorOf = (text = '') => Math.round(Number(text) * 100) || 0;
const sumOf = (rows: readonly string[][], column: number) =>
  rows.reduce((sum, row) => sum + minorOf(row[column]), 0);
const rowsOf = (csv: string) =>
  csv
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));

function daysOf({ month }: Month) {
  const [year, number] = month.split('-').map(Number);
  return { from: `${month}-01`, until: `${month}-${new Date(year!, number!, 0).getDate()}` };
}

const queryOf = (month: Month) =>
  new URLSearchParams({ ...daysOf(month), currency: month.currency }).toString();

/** The rows of the first sheet: the first file of the workbook. */
async function sheetRows(site: TestConsole, member: Member, path: string): Promise<string[][]> {
  const url = `${site.origin}${site.base}/${path}`;
  const response = await fetch(url, { headers: { cookie: member.cookie } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const xml = inflateRawSync(bytes.subarray(30 + bytes.readUInt16LE(26))).toString();
  const rows = xml.split('<row>').slice(2);
  return rows.map((row) =>
    row
      .split('<c')
      .slice(1)
      .map((cell) => />([^<>]+)</.exec(cell)?.[1] ?? ''),
  );
}

async function homeFigures(member: Member, { month, currency }: Month): Promise<Partial<Figures>> {
  const { text } = await member.get(`?month=${month}&csv=${currency}`);
  const rows = rowsOf(text);
  return { paid: sumOf(rows, 2), fees: 0 - sumOf(rows, 3), refunds: 0 - sumOf(rows, 8) };
}

/** Checks that the statement adds up from its opening to its closing balance. */
function statementFigures(rows: readonly string[][]): Figures {
  const [opening, ...days] = rows;
  const closing = days.pop()!;
  const figures = {
    paid: sumOf(days, 1),
    fees: sumOf(days, 2),
    refunds: sumOf(days, 3),
    payouts: sumOf(days, 4),
  };
  const moved = figures.paid + figures.fees + figures.refunds + figures.payouts;
  assert.equal(minorOf(opening![5]) + moved, minorOf(closing[5]));
  return figures;
}

/** Each movement by itself: their sum is what the balance moved. */
async function movedBy(member: Member, month: Month): Promise<number> {
  const { text } = await member.get(`statement/movements.csv?${queryOf(month)}`);
  return sumOf(rowsOf(text), 4);
}

/** What the export says about the payments of a month, whenever they were refunded. */
async function exportFigures(member: Member, month: Month) {
  const { from, until } = daysOf(month);
  const { text } = await member.post(`payments/export?from=${from}&until=${until}`, {
    action: 'csv',
  });
  const paid = rowsOf(text).filter(([, , status]) =>
    /^(Paid|Partly refunded|Refunded|Settled)/.test(status!),
  );
  const [amount, fee, net, refunded, netAfter] = [3, 4, 5, 14, 15].map((at) => sumOf(paid, at));
  assert.equal(amount! - fee!, net);
  assert.equal(net! - refunded!, netAfter);
  return { paid: amount, fees: -fee!, refunded };
}

async function feeStatementFigures(member: Member, { month, currency }: Month) {
  const { text } = await member.get(`fee-statement.csv?month=${month}&currency=${currency}`);
  const rows = rowsOf(text);
  const total = rows.find((row) => row[2] === 'Total fees')!;
  const tax = rows.filter((row) => /^(Before tax|Tax included)/.test(row[2]!));
  assert.equal(sumOf(tax, 5), minorOf(total[5]), 'fee before tax and tax make the fee');
  return { paid: minorOf(total[4]), fees: -minorOf(total[5]) };
}

/** What the ledger booked on the merchant's balance within the month of a time zone. */
async function ledgerFigures(
  { gateway: { database } }: TestConsole,
  { month, currency }: Month,
  timeZone: string,
): Promise<Figures> {
  const text = `
SELECT kind, sum(CASE WHEN to_account IN ('payable', 'fees') THEN amount_minor ELSE -amount_minor END)::integer AS moved
FROM postings
WHERE currency = $1 AND to_char(created_at AT TIME ZONE $2, 'YYYY-MM') = $3 AND ('payable' IN (from_account, to_account) OR to_account = 'fees')
GROUP BY kind`;
  const rows = await database.query<{ kind: string; moved: number }>({ text }, [
    currency,
    timeZone,
    month,
  ]);
  const of = (...kinds: string[]) =>
    rows.reduce((sum, { kind, moved }) => sum + (kinds.includes(kind) ? moved : 0), 0);
  return {
    paid: of('debit_net', 'debit_fee'),
    fees: 0 - of('debit_fee'),
    refunds: of('refund_out', 'refund_back'),
    payouts: of('payout_out', 'payout_back'),
  };
}

/** A shop whose fees include a tax, and whose payouts wait for a request. */
async function taxedShop(context: TestContext, currency: 'CVE' | 'AOA') {
  const company = { COMPANY_NAME: 'Zimbo', COMPANY_TAX_NUMBER: '254123456' };
  const environment = { [`FEE_TAX_${currency}`]: '14', ...company };
  const site = await testConsole(context, { environment });
  const { database } = site.gateway;
  await payOutOnRequestOnly(database);
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await database.query<{ id: string }>({ text }, [site.merchantId]);
  return { site, tenantId: tenant!.id };
}

for (const { currency, phone, timeZone, firstHour } of [
  { currency: 'CVE', phone: '+2389910', timeZone: 'Atlantic/Cape_Verde', firstHour: 1 },
  { currency: 'AOA', phone: '+244923456', timeZone: 'Africa/Luanda', firstHour: -1 },
] as const) {
  test(`shows the same figures of a month in ${currency} everywhere, to the cent`, async (context) => {
    const { site, tenantId } = await taxedShop(context, currency);
    const { database, zimbo } = site.gateway;
    const local = new Date(Date.now() - firstHour * 3_600_000);
    const [year, number] = [local.getUTCFullYear(), local.getUTCMonth()];
    const now = { currency, month: local.toISOString().slice(0, 7) };
    const before = {
      currency,
      month: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 7),
    };
    const startMs = Date.UTC(year, number, 1, firstHour);
    // The last two of a month and the first two of the next.
    await bookMany(database, { tenantId, count: 4, fromMs: startMs - 3, currency });

    const pay = async (amount: number, suffix: string, until: 'DEBITED' | 'FAILED') => {
      const operatorPhone = `${phone}${suffix}`;
      const order = { amount, currency, operator: 'MOCK', operatorPhone } as const;
      const { id } = await zimbo.payments.create(order);
      return await reach(zimbo.payments, id, until);
    };
    const member = await site.signIn();
    const check = async (month: Month) => {
      const ledger = await ledgerFigures(site, month, timeZone);
      const { paid, fees, refunds } = ledger;
      assert.deepEqual(await homeFigures(member, month), { paid, fees, refunds }, 'home');
      const { text } = await member.get(`statement.csv?${queryOf(month)}`);
      assert.deepEqual(statementFigures(rowsOf(text)), ledger, 'statement');
      const excel = await sheetRows(site, member, `statement.xlsx?${queryOf(month)}`);
      assert.deepEqual(statementFigures(excel), ledger, 'statement for Excel');
      const moved = paid + fees + refunds + ledger.payouts;
      assert.equal(await movedBy(member, month), moved, 'movements');
      assert.deepEqual(await feeStatementFigures(member, month), { paid, fees }, 'fees');
      const exported = await exportFigures(member, month);
      assert.deepEqual([exported.paid, exported.fees], [paid, fees], 'export');
      return { ...ledger, moved, exported };
    };

    const part = await pay(10_001, '345', 'DEBITED');
    const whole = await pay(3_333, '346', 'DEBITED');
    const kept = await pay(7_777, '119', 'DEBITED');
    await pay(99_999, '049', 'FAILED');
    const refunds = [
      await zimbo.refunds.create({ paymentIntentId: part.id, amount: 1_234 }),
      await zimbo.refunds.create({ paymentIntentId: whole.id, amount: 3_333 }),
      await zimbo.refunds.create({ paymentIntentId: kept.id, amount: 500 }),
    ];
    // A refund leaves the balance when it is created, and comes back if the operator refuses it.
    const ends = ['SUCCEEDED', 'SUCCEEDED', 'FAILED'] as const;
    for (const [index, { id }] of refunds.entries()) await reach(zimbo.refunds, id, ends[index]!);
    await eventually('the totals are counted', async () => {
      return (await homeFigures(member, now)).refunds === -4_567;
    });
    const first = await check(now);
    assert.deepEqual([first.refunds, first.payouts], [-4_567, 0]);
    assert.equal(first.exported.refunded, 4_567);

    await zimbo.settlements.process();
    const [settlement] = (await zimbo.settlements.list().page()).data;
    await reach(zimbo.settlements, settlement!.id, 'COMPLETED');
    const paidOut = await check(now);
    const last = await check(before);
    assert.equal(last.paid, 2_003);
    assert.equal(paidOut.payouts, -Number(settlement!.netAmount));
    const balance = (await zimbo.balance.get()).data.find((each) => each.currency === currency)!;
    assert.equal(Number(balance.available), last.moved + paidOut.moved, 'balance');
  });
}

test('numbers a statement of fees only once nothing can change it, on the page and in the file', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('FINANCE');
  // By the calendar of Cape Verde, as statements count.
  const today = new Date(Date.now() - 3_600_000);
  const monthAt = (months: number) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1))
      .toISOString()
      .slice(0, 7);
  for (const [month, isOver] of [
    [monthAt(0), false],
    [monthAt(-1), true],
  ] as const) {
    for (const page of ['fee-statement', 'fee-statement.csv']) {
      const { text } = await member.get(`${page}?month=${month}&currency=CVE`);
      const isNumbered = text.includes(`FEES-${month}-CVE-`);
      const isProvisional = text.includes('provisional: the month is not over');
      assert.deepEqual([isNumbered, isProvisional], [isOver, !isOver], `${page} ${month}`);
    }
  }
});
