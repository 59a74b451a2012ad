import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { book, movedByPostings } from '../../../test/support/history.ts';
import { cut, fail, merchantWithDebit } from '../../../test/support/payouts.ts';
import { checkLedger } from './check.ts';
import { readBalanceDays } from './daily-balances.ts';
import { hourProblems, recountHours } from './payable-hours.ts';

const timeZone = 'Atlantic/Cape_Verde';
const at = (text: string) => Date.parse(text);

/** A merchant with a payable balance and a history of some days. */
async function begin(context: Parameters<typeof testDatabase>[0]) {
  const { database } = await testDatabase(context);
  const { tenantId, merchantId } = await merchantWithDebit(database);
  await database.query({ text: 'GRANT ALL ON postings TO CURRENT_USER' });
  await database.query({
    text: 'DELETE FROM postings; DELETE FROM payable_hours; DELETE FROM balances; DELETE FROM unsettled',
  });
  const tenant = { database, tenantId };
  const paid = randomUUID();
  await book(tenant, 'debit', paid, 10_000n, at('2026-10-31T23:30:00Z'));
  // At half past midnight in UTC it is still 1 November in Cape Verde.
  await book(tenant, 'debit', randomUUID(), 5_000n, at('2026-11-02T00:30:00Z'));
  await book(tenant, 'refund_out', paid, 3_000n, at('2026-11-03T10:00:00Z'));
  await book(tenant, 'refund_back', paid, 3_000n, at('2026-11-05T10:00:00Z'));
  let nowMs = at('2026-11-05T12:00:00Z');
  const clock = { nowMs: () => nowMs };
  const world = { database, tenantId, merchantId, clock, folder: '', wait: () => {} };
  const settlement = await cut(world);
  nowMs = at('2026-11-07T12:00:00Z');
  await fail(world, settlement);
  return { ...world, tenantId, currency: 'CVE', timeZone };
}

test("adds days up to the balance to the cent, in the reader's time zone", async (context) => {
  const { database, ...question } = await begin(context);
  const found = await readBalanceDays(database, {
    ...question,
    from: '2026-11-01',
    until: '2026-12-01',
  });
  assert.equal(found.openingMinor, 9_800n, 'what was booked on 31 October');
  const rows = found.days.map((row) => [
    row.day.slice(-2),
    row.grossMinor,
    row.feeMinor,
    row.refundMinor,
    row.payoutMinor,
    row.closingMinor,
  ]);
  assert.deepEqual(rows, [
    ['01', 5_000n, 100n, 0n, 0n, 14_700n],
    ['03', 0n, 0n, 3_000n, 0n, 11_700n],
    ['05', 0n, 0n, -3_000n, 14_700n, 0n],
    ['07', 0n, 0n, 0n, -14_700n, 14_700n],
  ]);
  assert.deepEqual(found.total, {
    grossMinor: 5_000n,
    feeMinor: 100n,
    refundMinor: 0n,
    disbursementMinor: 0n,
    payoutMinor: 0n,
  });
  assert.equal(found.closingMinor, 14_700n);
  assert.ok(found.hasEarlier);
});

test('ends a past period with the balance of its last day', async (context) => {
  const { database, ...question } = await begin(context);
  const ask = (from: string, until: string) =>
    readBalanceDays(database, { ...question, from, until });
  const october = await ask('2026-10-01', '2026-11-01');
  assert.deepEqual(
    [october.openingMinor, october.closingMinor, october.hasEarlier],
    [0n, 9_800n, false],
  );
  const quiet = await ask('2026-11-06', '2026-11-07');
  assert.deepEqual([quiet.days, quiet.openingMinor, quiet.closingMinor], [[], 0n, 0n]);
  const other = await readBalanceDays(database, {
    ...question,
    currency: 'AOA',
    from: '2026-10-01',
    until: '2026-12-01',
  });
  assert.deepEqual([other.days, other.closingMinor], [[], 0n], 'nothing of another currency');
  const stranger = await readBalanceDays(database, {
    ...question,
    tenantId: randomUUID(),
    from: '2026-10-01',
    until: '2026-12-01',
  });
  assert.deepEqual([stranger.days, stranger.closingMinor], [[], 0n], 'nothing of another tenant');
});

test('keeps hours equal to their postings, and finds and corrects hours that an older program missed', async (context) => {
  const { database, tenantId } = await begin(context);
  assert.deepEqual(await hourProblems(database), []);
  const question = { tenantId, currency: 'CVE', from: '2026-10-01', until: '2026-12-01', timeZone };
  const before = await readBalanceDays(database, question);
  await database.query({
    text: `DELETE FROM payable_hours WHERE payout_minor <> 0; UPDATE payable_hours SET fee_minor = fee_minor + 1`,
  });
  const isOff = ({ message }: { message: string }) => message.startsWith('the hour from ');
  assert.equal((await checkLedger(database)).filter(isOff).length, 6);
  const problems = await hourProblems(database);
  assert.equal(problems.length, 6);
  assert.match(
    problems[0]!.message,
    /^the hour from 2026-10-31T23:00:00.000Z in CVE is off by 0 of payments, 1 of fees, 0 of refunds, 0 of disbursements and 0 of payouts$/,
  );
  assert.deepEqual([await recountHours(database), await recountHours(database)], [6, 0]);
  assert.deepEqual(await hourProblems(database), []);
  assert.deepEqual(await readBalanceDays(database, question), before);
  const closing = before.days.map(({ day, closingMinor }) => ({ day, closingMinor }));
  const posted = await movedByPostings({ database, tenantId }, timeZone);
  assert.deepEqual(
    posted.map(({ day, closingMinor }) => ({ day, closingMinor })),
    closing,
  );
});
