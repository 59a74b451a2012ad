/** Closing the day after midnight: the page shows the day that is still open first. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { parseId, randomIds } from '../../src/platform/values/ids.ts';
import { okPhone } from '../support/checkout.ts';
import { type Member, testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';

const hourMs = 3_600_000;
const ids = randomIds();

/** A shop whose clock shows this hour. */
async function shopAt(context: TestContext, hour: number) {
  const site = await testConsole(context);
  const { database } = site.gateway;
  const east = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  const timeZone = `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
  const history = JSON.stringify([{ fromMs: 0, timeZone }]);
  await database.query({ text: 'UPDATE merchants SET time_zone_history = $1' }, [history]);
  const cashier = await site.signIn('CASHIER');
  /** Charges at the till, and moves the charge into the past. */
  const sell = async (amount: string, agoMs: number, seller: Member = cashier) => {
    const form = { action: 'charge', key: randomUUID(), currency: 'CVE', amount, country: '238' };
    const sent = await seller.send('charge', { ...form, phone: okPhone, operator: 'MOCK' });
    const id = /charge\/(pi_\w+)/.exec(sent.location ?? '')![1]!;
    await reach(site.gateway.zimbo.payments, id, 'DEBITED');
    const moved = ids.next(Date.now() - agoMs);
    for (const [table, column] of [
      ['payments', 'id'],
      ['till_charges', 'payment_id'],
    ] as const) {
      const text = `UPDATE ${table} SET ${column} = $2 WHERE ${column} = $1`;
      await database.query({ text }, [parseId('pi', id), moved]);
    }
    const text = 'UPDATE payments SET created_at = $2 WHERE id = $1';
    await database.query({ text }, [moved, new Date(Date.now() - agoMs).toISOString()]);
  };
  const dayOf = (agoMs: number) =>
    new Date(Date.now() + east * hourMs - agoMs).toISOString().slice(0, 10);
  return { site, cashier, sell, yesterday: dayOf(24 * hourMs), today: dayOf(0) };
}

const shownDay = (text: string) => /name="day" value="([^"]+)"/.exec(text)?.[1];
const close = (member: Member, day: string) =>
  member.send('sales', { action: 'close', key: ids.next(Date.now()), day });

test('offers a cashier after midnight the day that is still open, and then shows today', async (context) => {
  const { site, cashier, sell, yesterday, today } = await shopAt(context, 2);
  await sell('15', 4 * hourMs);
  await sell('7', 0);
  const first = await cashier.get('sales');
  assert.equal(shownDay(first.text), yesterday);
  assert.match(first.text, /15\.00 CVE/);
  assert.doesNotMatch(first.text, /7\.00 CVE/);
  assert.doesNotMatch(first.text, /href="[^"]*charge\/pi_/, 'an earlier charge opens nothing');
  assert.equal(shownDay((await cashier.get(`sales?day=${today}`)).text), today);
  const closed = await close(cashier, yesterday);
  assert.match(closed.location!, new RegExp(`day=${yesterday}&done=closed`));
  const result = await cashier.get(closed.location!);
  assert.match(result.text, /The day is closed/);
  assert.match(result.text, /Closed by Maria Lopes/);
  assert.equal(shownDay((await cashier.get('sales')).text), today);
  const text = 'SELECT day::text AS day FROM till_closings';
  assert.deepEqual(await site.gateway.database.query({ text }), [{ day: yesterday }]);
});

test('shows today first by day, and leads to the day that nobody closed', async (context) => {
  const { site, cashier, sell, yesterday } = await shopAt(context, 14);
  await sell('15', 26 * hourMs);
  const owner = await site.signIn('OWNER');
  assert.doesNotMatch((await owner.get('sales')).text, /has not been closed/, 'never closes');
  await sell('9', 49 * hourMs);
  const before = new Date(Date.parse(yesterday) - 24 * hourMs).toISOString().slice(0, 10);
  await close(owner, before);
  const { text } = await owner.get('sales');
  assert.match(text, /This day has not been closed yet/);
  assert.match(text, new RegExp(`sales\\?day=${yesterday}`));
  for (const day of ['', `?day=${yesterday}`]) {
    const ofCashier = await cashier.get(`sales${day}`);
    assert.doesNotMatch(
      ofCashier.text,
      /has not been closed|15\.00 CVE/,
      'a cashier sees only today',
    );
  }
  await close(owner, yesterday);
  assert.doesNotMatch((await owner.get('sales')).text, /has not been closed/);
  assert.doesNotMatch((await cashier.get(`sales?day=${before}`)).text, /9\.00 CVE/, 'too early');
});
