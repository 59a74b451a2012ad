import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterMs } from './retry-after.ts';

const dayMs = 24 * 3_600_000;
const nowMs = Date.UTC(2026, 0, 31, 12);

const cases: [header: string | string[] | undefined, waitMs: number | null][] = [
  ['0', 0],
  ['120', 120_000],
  ['86401', dayMs],
  ['9'.repeat(400), dayMs],
  ['Sat, 31 Jan 2026 12:01:00 GMT', 60_000],
  ['Saturday, 31-Jan-26 12:01:00 GMT', 60_000],
  ['Sat Jan 31 12:01:00 2026', 60_000],
  ['Sun Feb  1 00:00:00 2026', dayMs / 2],
  ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
  ['Sat, 31 Jan 2099 12:00:00 GMT', dayMs],
  ['Sat, 31 Jan 2026 11:01:00 -0100', 60_000],
  ['60 ', 60_000],
  ['\t 60\t', 60_000],
  [' Sat, 31 Jan 2026 12:01:00 GMT ', 60_000],
  [['10', '60', '30'], 60_000],
  ['10, 60,30', 60_000],
  [['soon', '10 '], 10_000],
  [['10', 'Sat, 31 Jan 2026 12:01:00 GMT'], 60_000],
  ['Sat, 31 Jan 2026 12:01:00 GMT, 10', 60_000],
  ['Sat Jan 31 12:01:00 2026, 10', 60_000],
  [undefined, null],
  [[], null],
  ['', null],
  ['-5', null],
  ['+5', null],
  ['1.5', null],
  ['5 s', null],
  ['soon', null],
  ['2026-01-31T12:01:00Z', null],
  ['Sat, 99 Foo 2026 12:01:00 GMT', null],
  ['Sat Foo 31 12:01:00 2026', null],
];

for (const [header, waitMs] of cases) {
  test(`reads Retry-After of ${JSON.stringify(header)?.slice(0, 60)}`, () => {
    assert.equal(retryAfterMs(header, nowMs), waitMs);
  });
}
