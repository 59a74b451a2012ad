/** One month of a merchant, to the cent the same on every page and in every file. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { timeZoneOf } from '../../src/platform/values/money.ts';
import { testConsole } from '../support/console.ts';
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
    const text = `SELECT id FROM tenants WHERE mode = 'test' AND merchant_id = $1`;
    const [tenant] = await database.query<{ id: string }>({ text }, [site.merchantId]);
    const tenantId = tenant!.id;
    // Otherwise the daily payout takes the money of last month while we look.
    await database.query({ text: `UPDATE merchants SET payout_schedule = 'MANUAL'` });
    const debit = (minor: bigint, atMs: number) =>
      book({ database, tenantId }, 'debit', randomUUID(), minor, atMs, currency);
    const now = new Date();
    const month = now.toISOString().slice(0, 7);
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
    const [begin, lastMonth] = [
      beginOf(month, timeZoneOf[currency]),
      last.toISOString().slice(0, 7),
    ];
    await debit(33_333n, begin - 1);
    await debit(77_777n, begin);
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
    const ledger = async (from: number, until: number) => {
      const sums = `
SELECT coalesce(sum(amount_minor) FILTER (WHERE kind IN ('debit_net', 'debit_fee')), 0) AS gross,
  coalesce(sum(amount_minor) FILTER (WHERE kind = 'debit_fee'), 0) AS fee,
  coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund_out'), 0) AS refund
FROM postings WHERE tenant_id = $1 AND currency = $2
  AND created_at >= to_timestamp($3::bigint / 1000.0) AND created_at < to_timestamp($4::bigint / 1000.0)`;
      const values = [tenantId, currency, String(from), String(until)];
      const [row] = await database.query<{ gross: bigint; fee: bigint; refund: bigint }>(
        { text: sums },
        values,
      );
      return [row!.gross, row!.fee, row!.refund].map(BigInt);
    };
    const member = await site.signIn('FINANCE');
    const statement = async (of: string) => {
      const [from, until] = [
        `${of}-01`,
        of === month ? now.toISOString().slice(0, 10) : lastDay(of),
      ];
      const query = `from=${from}&until=${until}&currency=${currency}&lang=pt`;
      const rows = rowsOf((await member.get(`statement.csv?${query}`)).text);
      const [, gross, fee, refund, , balance] = rows.at(-1)!.map(minorOf);
      return { moved: [gross!, -fee!, -refund!], balance: balance! };
    };
    const fees = async (of: string) => {
      const address = `fee-statement.csv?month=${of}&currency=${currency}&lang=pt`;
      const rows = rowsOf((await member.get(address)).text);
      const total = rows.find((row) => row[2] === 'Total das comissões')!;
      return [minorOf(total[4]!), minorOf(total[5]!)];
    };
    const [before, during] = [await statement(lastMonth), await statement(month)];
    assert.deepEqual(before.moved, await ledger(0, begin));
    assert.deepEqual(during.moved, await ledger(begin, Date.now() + 1_000));
    assert.deepEqual(before.moved, [33_333n, 666n, 0n]);
    assert.deepEqual(during.moved, [237_777n, 1_555n + 3_000n + 200n, 75_000n]);
    assert.deepEqual(await fees(lastMonth), before.moved.slice(0, 2));
    assert.deepEqual(await fees(month), during.moved.slice(0, 2));
    const { data } = await zimbo.balance.get();
    const balance = data.find((each) => each.currency === currency)!;
    assert.equal(during.balance, BigInt(balance.available));
    const [, grossMinor, feeMinor, refundMinor] = [0n, ...during.moved] as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    assert.equal(before.balance + grossMinor - feeMinor - refundMinor, during.balance);
    // What was booked without a payment is neither in the export nor on the home page.
    const ofPayments = [grossMinor - 77_777n, feeMinor - 1_555n, refundMinor];
    const exported = rowsOf((await member.send('payments/export?lang=pt', { action: 'csv' })).text);
    const column = (index: number) =>
      exported.slice(1).reduce((sum, row) => sum + minorOf(row[index]!), 0n);
    assert.deepEqual([column(3), column(4), column(14)], ofPayments);
    assert.equal(column(15), ofPayments[0]! - ofPayments[1]! - ofPayments[2]!);
    const home = await member.get(`?days=7&csv=${currency}&lang=pt`);
    // Its file is one for programs.
    const days = home.text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    const shown = [2, 3, 8].map((index) =>
      days.reduce((sum, row) => sum + minorOf(row[index]!), 0n),
    );
    assert.deepEqual(shown, ofPayments);
    const problems = (await checkLedger(database)).filter(({ check }) => check === 'balance');
    assert.deepEqual(problems, []);
  });
}

const lastDay = (month: string) =>
  new Date(
    Date.parse(`${month}-01`) +
      31 * 86_400_000 -
      new Date(Date.parse(`${month}-01`) + 31 * 86_400_000).getUTCDate() * 86_400_000,
  )
    .toISOString()
    .slice(0, 10);
