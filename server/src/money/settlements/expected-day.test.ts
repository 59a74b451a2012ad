import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedDay } from './expected-day.ts';

const open = {
  status: 'PROCESSING',
  currency: 'CVE',
  bankAccountId: 'b',
  processedAtMs: null,
} as const;
const on = (instant: string, change = {}) =>
  expectedDay({ ...open, createdAtMs: Date.parse(instant), ...change });

test('expects the money on the working day after the order, in the zone of the currency', () => {
  assert.equal(on('2026-11-25T12:00:00Z'), '2026-11-26');
  // Still Wednesday in Praia; already Thursday in Luanda.
  assert.equal(on('2026-11-26T00:30:00Z'), '2026-11-26');
  assert.equal(on('2026-11-25T23:30:00Z', { currency: 'AOA' }), '2026-11-27');
  assert.equal(on('2026-11-27T12:00:00Z'), '2026-11-30');
  assert.equal(on('2026-11-28T12:00:00Z'), '2026-11-30');
  const processedAtMs = Date.parse('2026-11-30T12:00:00Z');
  assert.equal(on('2026-11-27T12:00:00Z', { processedAtMs }), '2026-12-01');
});

test('expects nothing of a payout that has ended', () => {
  for (const status of ['COMPLETED', 'FAILED']) {
    assert.equal(on('2026-11-25T12:00:00Z', { status }), undefined);
  }
  assert.equal(on('2026-11-25T12:00:00Z', { bankAccountId: null }), undefined);
});
