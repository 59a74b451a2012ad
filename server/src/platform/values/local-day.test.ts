import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateTimeFormat, keptIn } from './intl-formats.ts';
import { dayStartMs, wallClock, wallClockMs } from './local-day.ts';

test('reads the clock of any time zone, also right after another instant', () => {
  const lisbon = ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2031-10-26T00:59:59Z'];
  const lordHowe = ['2026-10-03T15:29:59.999Z', '2026-10-03T15:30:00.001Z', '1969-12-31T23:59:59Z'];
  const zones = ['Atlantic/Cape_Verde', 'Europe/Lisbon', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
  for (const timeZone of zones) {
    for (const text of [...lisbon, ...lordHowe]) {
      const atMs = Date.parse(text);
      const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const;
      const expected = new Intl.DateTimeFormat('sv-SE', options).format(atMs).replace(' ', 'T');
      assert.equal(wallClock(atMs, timeZone), expected, `${text} in ${timeZone}`);
      const ms = ((atMs % 1_000) + 1_000) % 1_000;
      assert.equal(wallClockMs(atMs, timeZone), Date.parse(`${expected}Z`) + ms);
    }
  }
});

test('finds the first instant of a day on which the clocks change', () => {
  const at = (day: string) => new Date(dayStartMs(day, 'Europe/Lisbon')).toISOString();
  assert.equal(at('2026-03-29'), '2026-03-29T00:00:00.000Z');
  assert.equal(at('2026-03-30'), '2026-03-29T23:00:00.000Z');
  assert.equal(at('2026-10-25'), '2026-10-24T23:00:00.000Z');
  assert.equal(at('2026-10-26'), '2026-10-26T00:00:00.000Z');
});

test('makes each format once, and keeps a limited number', () => {
  const options = { timeZone: 'UTC', year: 'numeric' } as const;
  assert.equal(dateTimeFormat('pt-PT', options), dateTimeFormat('pt-PT', { ...options }));
  const values = new Map<string, number>();
  for (let index = 0; index < 100_000; index++) keptIn(values, String(index), () => index);
  assert.ok(values.size <= 2_000);
});
