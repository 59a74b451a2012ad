import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { merchantWithDebit } from '../../../test/support/payouts.ts';
import { formatId, randomIds } from '../../platform/values/ids.ts';
import { changePayoutSchedule, payoutSchedules } from '../../tenants/merchants/payout-schedule.ts';
import { latestRuns, nextRunMs } from './payout-schedule-times.ts';
import { dueForRun } from './unsettled-store.ts';

const run = { hour: 2, timeZone: 'Atlantic/Cape_Verde' };
const at = (text: string) => Date.parse(text);
const textOf = (ms: number | undefined) =>
  ms === undefined ? undefined : new Date(ms).toISOString();

test('finds the latest and next run of a schedule at its hour, on its days in the time zone', () => {
  // A Sunday, 01:30 in Praia: its run is still to come.
  const nowMs = at('2026-11-22T02:30:00Z');
  const latest = new Map(
    latestRuns(nowMs, run).map(({ schedule, runAtMs }) => [schedule, textOf(runAtMs)]),
  );
  const expected: Record<string, [string | undefined, string | undefined]> = {
    DAILY: ['2026-11-21T03:00:00.000Z', '2026-11-22T03:00:00.000Z'],
    WEEKLY_SUNDAY: ['2026-11-15T03:00:00.000Z', '2026-11-22T03:00:00.000Z'],
    WEEKLY_SATURDAY: ['2026-11-21T03:00:00.000Z', '2026-11-28T03:00:00.000Z'],
    MONTHLY_22: ['2026-10-22T03:00:00.000Z', '2026-11-22T03:00:00.000Z'],
    MONTHLY_23: ['2026-10-23T03:00:00.000Z', '2026-11-23T03:00:00.000Z'],
    MONTHLY_1: ['2026-11-01T03:00:00.000Z', '2026-12-01T03:00:00.000Z'],
    MANUAL: [undefined, undefined],
  };
  for (const [schedule, [before, next]] of Object.entries(expected)) {
    assert.equal(latest.get(schedule), before, schedule);
    assert.equal(textOf(nextRunMs(nowMs, run, schedule)), next, schedule);
  }
});

test('finds a latest and a next run of each schedule but MANUAL on every day of a year', () => {
  for (let day = 0; day < 366; day += 5) {
    const nowMs = at('2027-01-01T12:00:00Z') + day * 86_400_000;
    const latest = latestRuns(nowMs, { hour: 23, timeZone: 'Africa/Luanda' });
    assert.equal(latest.length, payoutSchedules.length - 1);
    for (const { schedule, runAtMs } of latest) {
      assert.ok(runAtMs <= nowMs && runAtMs > nowMs - 32 * 86_400_000, schedule);
      assert.ok(nextRunMs(nowMs, { hour: 23, timeZone: 'Africa/Luanda' }, schedule)! > nowMs);
    }
  }
});

test('settles the merchants whose day it is, and those with a missed earlier day', async (context) => {
  const { database } = await testDatabase(context);
  const clock = { nowMs: () => at('2026-11-20T12:00:00Z') };
  const tenants: Record<string, string> = {};
  for (const schedule of ['DAILY', 'WEEKLY_FRIDAY', 'WEEKLY_SUNDAY', 'MONTHLY_21', 'MANUAL']) {
    const { tenantId, merchantId } = await merchantWithDebit(database);
    tenants[tenantId] = schedule;
    await changePayoutSchedule({ database, clock, ids: randomIds() }, merchantId, schedule);
  }
  await database.query({ text: `UPDATE unsettled SET first_item_at = '2026-11-20T12:00:00Z'` });
  const due = async (nowText: string) => {
    const rows = await dueForRun(database, latestRuns(at(nowText), run), 50);
    return rows
      .map(({ tenantId }) => tenants[tenantId]!)
      .toSorted((one, other) => (one < other ? -1 : 1));
  };
  assert.deepEqual(await due('2026-11-21T02:59:59Z'), []);
  assert.deepEqual(await due('2026-11-21T03:00:00Z'), ['DAILY', 'MONTHLY_21']);
  assert.deepEqual(await due('2026-11-23T09:00:00Z'), ['DAILY', 'MONTHLY_21', 'WEEKLY_SUNDAY']);
  assert.deepEqual(await due('2026-11-27T03:00:00Z'), [
    'DAILY',
    'MONTHLY_21',
    'WEEKLY_FRIDAY',
    'WEEKLY_SUNDAY',
  ]);
});

test('starts a new schedule at its next run, without paying held balances at once', async (context) => {
  const { database } = await testDatabase(context);
  const { merchantId } = await merchantWithDebit(database);
  const change = (nowText: string, schedule: string) => {
    const clock = { nowMs: () => at(nowText) };
    return changePayoutSchedule({ database, clock, ids: randomIds() }, merchantId, schedule);
  };
  await change('2026-11-18T12:00:00Z', 'MANUAL');
  await database.query({ text: `UPDATE unsettled SET first_item_at = '2026-11-19T12:00:00Z'` });
  await change('2026-11-23T12:00:00Z', 'WEEKLY_SUNDAY');
  const due = (nowText: string) => dueForRun(database, latestRuns(at(nowText), run), 50);
  assert.equal((await due('2026-11-23T12:01:00Z')).length, 0);
  assert.equal((await due('2026-11-29T03:00:00Z')).length, 1);
});

test('audits a change with both schedules, and rejects an unknown schedule', async (context) => {
  const { database } = await testDatabase(context);
  const { merchantId } = await merchantWithDebit(database);
  const dependencies = { database, clock: { nowMs: () => 0 }, ids: randomIds() };
  await changePayoutSchedule(dependencies, merchantId, 'WEEKLY_MONDAY');
  await changePayoutSchedule(dependencies, merchantId, 'WEEKLY_MONDAY');
  for (const schedule of ['', 'daily', 'WEEKLY', 'WEEKLY_8', 'MONTHLY_0', 'MONTHLY_29']) {
    await assert.rejects(
      async () => changePayoutSchedule(dependencies, merchantId, schedule),
      /schedule must be DAILY/,
    );
  }
  await assert.rejects(changePayoutSchedule(dependencies, randomUUID(), 'DAILY'), /merchant/);
  const text = 'SELECT action, subject, before, after FROM audit_records';
  assert.deepEqual(await database.query({ text }), [
    {
      action: 'merchant.payout_schedule_changed',
      subject: formatId('me', merchantId),
      before: { schedule: 'DAILY' },
      after: { schedule: 'WEEKLY_MONDAY' },
    },
  ]);
});
