/** One time zone for list, export and receipt, at the end of a month, in both countries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId } from '../../src/platform/values/ids.ts';
import { testConsole } from '../support/console.ts';
import { bookMany, payOutOnRequestOnly } from '../support/many-payments.ts';
import { receiptTokenOf } from '../support/receipts.ts';

const monthMs = 31 * 86_400_000;
/** Half past eleven in Greenwich on the last day of a month that has ended everywhere. */
const lastDay = new Date(`${new Date(Date.now() - monthMs).toISOString().slice(0, 7)}-01`);
const instantMs = lastDay.getTime() - 1_800_000;
const first = new Date(instantMs + 1_800_000).toISOString().slice(0, 10);
const last = new Date(instantMs).toISOString().slice(0, 10);
const endOf = (day: string) => {
  const next = new Date(`${day.slice(0, 7)}-01`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return new Date(next.getTime() - 1).toISOString().slice(0, 10);
};

for (const { currency, day, zone } of [
  { currency: 'CVE', day: `${last} 22:30`, zone: 'Cape Verde time (UTC−1)' },
  { currency: 'AOA', day: `${first} 00:30`, zone: 'Angola time (UTC+1)' },
] as const) {
  test(`shows a payment in ${currency} at ${day.slice(-5)} everywhere, in the same month`, async (context) => {
    const site = await testConsole(context);
    const { database, url } = site.gateway;
    const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
    const [tenant] = await database.query<{ id: string }>({ text }, [site.merchantId]);
    const tenantId = tenant!.id;
    await payOutOnRequestOnly(database);
    await bookMany(database, { tenantId, count: 1, fromMs: instantMs - 1, currency });
    const member = await site.signIn();
    const months = { before: `${last.slice(0, 7)}-01`, after: first };
    const rowsIn = async (from: string) => {
      const { text: page } = await member.get(`payments?from=${from}&until=${endOf(from)}`);
      assert.ok(page.includes(`Times on this page: ${zone}`), 'the page names the zone');
      return (page.match(/data-status="DEBITED"/g) ?? []).length;
    };
    const sumIn = async (from: string) => {
      const query = `from=${from}&until=${endOf(from)}&currency=${currency}`;
      const { text: file } = await member.get(`statement.csv?${query}`);
      return /10\.01/.test(file.split('\r\n').at(-2) ?? '') ? 1 : 0;
    };
    const homeIn = async (from: string) => {
      const { text: file } = await member.get(`?month=${from.slice(0, 7)}&csv=${currency}`);
      return file.startsWith('from,') && /,10\.01,/.test(file) ? 1 : 0;
    };
    const isAfter = day.startsWith(first) ? 1 : 0;
    for (const count of [rowsIn, sumIn, homeIn]) {
      assert.equal(await count(months.before), 1 - isAfter, `${count.name} ${months.before}`);
      assert.equal(await count(months.after), isAfter, `${count.name} ${months.after}`);
    }
    const { text: file } = await member.post('payments/export', { action: 'csv' });
    assert.ok(file.includes(day), file);
    const [payment] = await database.query<{ id: string }>({ text: 'SELECT id FROM payments' });
    const token = await receiptTokenOf(site.gateway, { id: formatId('pi', payment!.id) });
    const receipt = await (await fetch(`${url}/receipt/${token}?lang=en`)).text();
    assert.match(receipt, new RegExp(`at ${day.slice(-5)} <small>${zone.slice(0, -8)}</small>`));
    // A change holds from the next month, so it moves nothing here.
    const other = currency === 'CVE' ? 'Africa/Luanda' : 'Atlantic/Cape_Verde';
    await member.send('settings', { action: 'save', timeZone: other });
    assert.equal(await rowsIn(months.after), isAfter);
    const [stored] = await database.query<{ history: string }>(
      {
        text: 'SELECT time_zone_history AS history FROM merchants WHERE id = $1',
      },
      [site.merchantId],
    );
    const history = JSON.parse(stored!.history) as { fromMs: number; timeZone: string }[];
    assert.equal(history.length, 2);
    assert.ok(history[1]!.fromMs > Date.now());
  });
}
