import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesOfDay, type QuietHours, quietUntilMs } from './quiet-hours.ts';

const at = (text: string) => Date.parse(text);
const hours = (from: string, until: string, timeZone: string): QuietHours => {
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  return { fromMinutes: minutes(from), untilMinutes: minutes(until), timeZone };
};
const until = (quiet: QuietHours, now: string) => {
  const endMs = quietUntilMs(quiet, at(now));
  return endMs === undefined ? undefined : new Date(endMs).toISOString();
};

test("quiet hours follow the person's time zone, over midnight or within a day", () => {
  const night = hours('22:00', '07:00', 'Atlantic/Cape_Verde');
  assert.equal(until(night, '2026-11-22T22:59:59.000Z'), undefined);
  assert.equal(until(night, '2026-11-22T23:00:00.000Z'), '2026-11-23T08:00:00.000Z');
  assert.equal(until(night, '2026-11-23T03:30:30.500Z'), '2026-11-23T08:00:00.000Z');
  assert.equal(until(night, '2026-11-23T08:00:00.000Z'), undefined);
  const siesta = hours('13:00', '15:00', 'Africa/Luanda');
  assert.equal(until(siesta, '2026-11-22T13:59:00.000Z'), '2026-11-22T14:00:00.000Z');
  assert.equal(until(siesta, '2026-11-22T14:00:00.000Z'), undefined);
  assert.equal(quietUntilMs(undefined, 0), undefined);
});

test('quiet hours end by the new local time in nights when the clocks change', () => {
  const night = hours('22:00', '07:00', 'Europe/Lisbon');
  // Forward: 28 March 2027, 01:00 becomes 02:00.
  assert.equal(until(night, '2027-03-27T23:00:00.000Z'), '2027-03-28T06:00:00.000Z');
  // Back: 25 October 2026, 02:00 becomes 01:00.
  assert.equal(until(night, '2026-10-24T23:00:00.000Z'), '2026-10-25T07:00:00.000Z');
  // If the end does not exist that night, quiet hours end at the next minute that does.
  const missing = hours('22:00', '01:30', 'Europe/Lisbon');
  assert.equal(until(missing, '2027-03-28T00:10:00.000Z'), '2027-03-28T01:00:00.000Z');
  // If the end comes twice, quiet hours end at the first.
  const twice = hours('22:00', '01:30', 'Europe/Lisbon');
  assert.equal(until(twice, '2026-10-24T22:00:00.000Z'), '2026-10-25T00:30:00.000Z');
});

test('quiet hours always end at the first minute outside them', () => {
  for (const timeZone of ['Europe/Lisbon', 'Australia/Lord_Howe', 'America/New_York', 'UTC']) {
    for (const [from, end] of [
      ['22:00', '07:00'],
      ['00:00', '23:59'],
      ['01:30', '01:45'],
    ] as const) {
      const quiet = hours(from, end, timeZone);
      for (const day of [
        '2026-10-24',
        '2026-10-03',
        '2027-03-27',
        '2027-04-03',
        '2026-11-01',
        '2027-03-14',
      ]) {
        for (let hour = 0; hour < 24; hour += 1) {
          const nowMs = at(`${day}T00:00:00.000Z`) + hour * 3_600_000 + 12_345;
          const endMs = quietUntilMs(quiet, nowMs);
          if (endMs === undefined) continue;
          assert.equal(quietUntilMs(quiet, endMs), undefined, `${timeZone} ${day} ${hour} ${from}`);
          assert.ok(quietUntilMs(quiet, endMs - 60_000) !== undefined || endMs - nowMs < 60_000);
          assert.ok(endMs > nowMs && endMs - nowMs <= 25 * 3_600_000);
        }
      }
    }
  }
  assert.equal(minutesOfDay('Europe/Lisbon', at('2027-03-28T01:00:00.000Z')), 120);
});
