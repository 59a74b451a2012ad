import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDue } from './schedule.ts';

const at = (text: string) => Date.parse(`2026-11-${text}Z`);
const never = { goodAtMs: null, failedAtMs: null };

test('makes a daily backup due once, at its time in its zone', () => {
  const daily = {
    schedule: { kind: 'daily', hour: 2, minute: 30 },
    timeZone: 'Atlantic/Cape_Verde',
  } as const;
  // 02:30 in Praia is 03:30 UTC.
  const since = (good: string, now: string) =>
    isDue(daily, { goodAtMs: at(good), failedAtMs: null }, at(now));
  assert.equal(since('20T03:30:01', '21T03:29:59'), false);
  assert.equal(since('20T03:30:01', '21T03:30:00'), true);
  assert.equal(since('21T03:30:05', '21T23:59:00'), false);
  // A gateway that was off at that time makes the backup later.
  assert.equal(since('18T03:30:05', '21T00:00:00'), true);
  assert.equal(isDue(daily, never, at('21T12:00:00')), true);
});

test('makes a backup at intervals due after the interval since the last good one', () => {
  const every = { schedule: { kind: 'every', hours: 6 }, timeZone: 'UTC' } as const;
  const since = (good: string, now: string) =>
    isDue(every, { goodAtMs: at(good), failedAtMs: null }, at(now));
  assert.equal(since('21T00:00:00', '21T05:59:59'), false);
  assert.equal(since('21T00:00:00', '21T06:00:00'), true);
});

test('waits an hour after a failure', () => {
  const every = { schedule: { kind: 'every', hours: 1 }, timeZone: 'UTC' } as const;
  const failed = { goodAtMs: null, failedAtMs: at('21T10:00:00') };
  assert.equal(isDue(every, failed, at('21T10:59:59')), false);
  assert.equal(isDue(every, failed, at('21T11:00:00')), true);
});
