import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAge, formatAmount, formatInstant, printable } from './output.ts';

test('shows amounts in major units', () => {
  assert.equal(formatAmount(0n, 'CVE'), '0.00 CVE');
  assert.equal(formatAmount(5n, 'CVE'), '0.05 CVE');
  assert.equal(formatAmount(-123_456_789n, 'AOA'), '-1,234,567.89 AOA');
});

test('stops a hostile name from reversing the line or writing elsewhere on the screen', () => {
  const directions = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
  assert.equal(printable(`a${directions}b`), `a${' '.repeat(12)}b`);
  assert.equal(printable('a\u001b[2Jb\r\n'), 'a [2Jb  ');
  assert.equal(printable('Ação 🇨🇻 סּ'), 'Ação 🇨🇻 סּ');
});

test('shows an age in its largest whole unit', () => {
  const ages = [-5, 59_999, 60_000, 3_600_000, 172_799_999, 172_800_000].map(formatAge);
  assert.deepEqual(ages, ['0 s', '59 s', '1 min', '1 h', '47 h', '2 d']);
});

test('shows instants in UTC', () => {
  assert.equal(formatInstant(Date.UTC(2026, 10, 21, 8, 5, 3, 999)), '2026-11-21 08:05:03');
});
