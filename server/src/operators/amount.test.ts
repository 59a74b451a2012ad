import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { majorOf, minorOf } from './amount.ts';

/** As the standard writes it. */
const pattern = /^(0|[1-9]\d{0,17})(\.\d{0,3}[1-9])?$/;

test('an amount in major units has the pattern of the standard, and means the same', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }), (amountMinor) => {
      assert.match(majorOf(amountMinor), pattern);
      assert.equal(minorOf(majorOf(amountMinor)), amountMinor);
    }),
  );
  assert.deepEqual([10_000n, 1_520n, 5n, 1n, 101n].map(majorOf), [
    '100',
    '15.2',
    '0.05',
    '0.01',
    '1.01',
  ]);
});

test('what operators write beyond the pattern is read exactly or not at all', () => {
  assert.deepEqual(['5.00', '007', '15.2', '0.0500'].map(minorOf), [500n, 700n, 1_520n, 5n]);
  for (const wrong of [
    '',
    '1.005',
    '-1',
    '1,5',
    '1e3',
    ' 1',
    '.5',
    '5.',
    5,
    null,
    '9'.repeat(19),
  ]) {
    assert.equal(minorOf(wrong), undefined, String(wrong));
  }
});
