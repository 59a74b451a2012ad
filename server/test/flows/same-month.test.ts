/** One month of a merchant, to the cent the same on every page and in every file. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Zimbo } from '../../../sdk/typescript/src/index.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { type Currency, timeZoneOf } from '../../src/platform/values/money.ts';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { eventually, reach } from '../support/gateway.ts';
import { book } from '../support/history.ts';

const minorOf = (text: string) => BigInt(text.replace(/[^0-9-]/g, '') || '0');
const rowsOf = (csv: string) =>
  csv
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(';'));

/** The first instant of a month where the currency is at home. */
function beginOf(month: string, timeZone: string): number {
  const atMs = Date.parse(`${month}-01T00:00:00Z`);
  const zone = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = zone.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')!.value;
  return Date.parse(`${month}-01T00:00:00${name.replace('GMT', '') || 'Z'}`);
}

for (const currency of ['CVE', 'AOA'] as const) {
  test(`shows one month in ${currency} alike everywhere, across its ends`, async (context) => {
    const site = await testConsole(context);
    const { zimbo, database } = site.gateway;
    const tenantId = await quietTenant(site);
    const { month, lastMonth, today, beginMs } = monthNow(currency);
    const debit = (minor: bigint, atMs: number) =>
      book({ database, tenantId }, 'debit', randomUUID(), minor, atMs, currency);
    await debit(33_333n, beginMs - 1);
    await debit(77_777n, beginMs);
    await payAndRefund(zimbo, currency);

    const reader = { member: await site.signIn('FINANCE'), currency };
    const before = await statementOf(reader, `${lastMonth}-01`, lastDay(lastMonth));
    const during = await statementOf(reader, `${month}-01`, today);
    const ledger = { database, tenantId, currency };
    assert.deepEqual(before.moved, await ledgerOf(ledger, 0, beginMs));
    assert.deepEqual(during.moved, await ledgerOf(ledger, beginMs, Date.now() + 1_000));
    assert.deepEqual(before.moved, [33_333n, 666n, 0n]);
    assert.deepEqual(during.moved, [237_777n, 1_555n + 3_000n + 200n, 75_000n]);
    assert.deepEqual(await feesOf(reader, lastMonth), before.moved.slice(0, 2));
    assert.deepEqual(await feesOf(reader, month), during.moved.slice(0, 2));
    const { data } = await zimbo.balance.get();
    const balance = data.find((each) => each.currency === currency)!;
    assert.equal(during.balance, BigInt(balance.available));
    const [grossMinor, feeMinor, refundMinor] = during.moved as [bigint, bigint, bigint];
    assert.equal(before.balance + grossMinor - feeMinor - refundMinor, during.balance);
    // What was booked without a payment is neither in the export nor on the home page.
    const ofPayments = [grossMinor - 77_777n, feeMinor - 1_555n, refundMinor];
    assert.deepEqual(await exportOf(reader), [
      ...ofPayments,
      ofPayments[0]! - ofPayments[1]! - ofPayments[2]!,
    ]);
    assert.deepEqual(await homeOf(reader), ofPayments);
    const problems = (await checkLedger(database)).filter(({ check }) => check === 'balance');
    assert.deepEqual(problems, []);
  });
}

/** The test tenant; otherwise the daily payout takes the money of last month while we look. */
async function quietTenant({ gateway: { database }, merchantId }: TestConsole): Promise<string> {
  const text = `SELECT id FROM tenants WHERE mode = 'test' AND merchant_id = $1`;
  const [tenant] = await database.query<{ id: string }>({ text }, [merchantId]);
  await database.query({ text: `UPDATE merchants SET payout_schedule = 'MANUAL'` });
  return tenant!.id;
}

/** The present month where the currency is at home. */
function monthNow(currency: Currency) {
  const timeZone = timeZoneOf[currency];
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format();
  const month = today.slice(0, 7);
  const lastMonth = new Date(Date.parse(`${month}-01`) - 86_400_000).toISOString().slice(0, 7);
  return { month, lastMonth, today, beginMs: beginOf(month, timeZone) };
}

async function payAndRefund(zimbo: Zimbo, currency: Currency): Promise<void> {
  const order = { operator: 'MOCK', operatorPhone: '+2389912345', currency } as const;
  const paid: string[] = [];
  for (const amount of [150_001, 9_999]) {
    const { id } = await zimbo.payments.create({ ...order, amount });
    await reach(zimbo.payments, id, 'DEBITED');
    paid.push(id);
  }
  await zimbo.refunds.create({ paymentIntentId: paid[0]!, amount: 75_000 });
  await eventually('it is given back', async () => {
    const found = (await zimbo.balance.get()).data.find((each) => each.currency === currency);
    return found?.refundsInTransit === '0';
  });
}

interface Reader {
  member: Member;
  currency: Currency;
}

/** What the ledger booked in a time: gross, fees, refunds. */
async function ledgerOf(
  { database, tenantId, currency }: { database: Database; tenantId: string; currency: Currency },
  fromMs: number,
  untilMs: number,
): Promise<bigint[]> {
  const text = `
SELECT coalesce(sum(amount_minor) FILTER (WHERE kind IN ('debit_net', 'debit_fee')), 0) AS gross,
  coalesce(sum(amount_minor) FILTER (WHERE kind = 'debit_fee'), 0) AS fee,
  coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund_out'), 0) AS refund
FROM postings WHERE tenant_id = $1 AND currency = $2
  AND created_at >= to_timestamp($3::bigint / 1000.0) AND created_at < to_timestamp($4::bigint / 1000.0)`;
  const values = [tenantId, currency, String(fromMs), String(untilMs)];
  type Sums = { gross: bigint; fee: bigint; refund: bigint };
  const [row] = await database.query<Sums>({ text }, values);
  return [row!.gross, row!.fee, row!.refund].map(BigInt);
}

async function statementOf({ member, currency }: Reader, from: string, until: string) {
  const query = `from=${from}&until=${until}&currency=${currency}&lang=pt`;
  const rows = rowsOf((await member.get(`statement.csv?${query}`)).text);
  const [, gross, fee, refund, , balance] = rows.at(-1)!.map(minorOf);
  return { moved: [gross!, -fee!, -refund!], balance: balance! };
}

async function feesOf({ member, currency }: Reader, month: string): Promise<bigint[]> {
  const address = `fee-statement.csv?month=${month}&currency=${currency}&lang=pt`;
  const rows = rowsOf((await member.get(address)).text);
  const total = rows.find((row) => row[2] === 'Total das comissões')!;
  return [minorOf(total[4]!), minorOf(total[5]!)];
}

async function exportOf({ member }: Reader): Promise<bigint[]> {
  const rows = rowsOf((await member.send('payments/export?lang=pt', { action: 'csv' })).text);
  return [3, 4, 14, 15].map((column) =>
    rows.slice(1).reduce((sum, row) => sum + minorOf(row[column]!), 0n),
  );
}

/** The file of the home page, which is one for programs. */
async function homeOf({ member, currency }: Reader): Promise<bigint[]> {
  const home = await member.get(`?days=7&csv=${currency}&lang=pt`);
  const days = home.text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  return [2, 3, 8].map((column) => days.reduce((sum, row) => sum + minorOf(row[column]!), 0n));
}

const lastDay = (month: string) =>
  new Date(
    Date.parse(`${month}-01`) +
      31 * 86_400_000 -
      new Date(Date.parse(`${month}-01`) + 31 * 86_400_000).getUTCDate() * 86_400_000,
  )
    .toISOString()
    .slice(0, 10);
