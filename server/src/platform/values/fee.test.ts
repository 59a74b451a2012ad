import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feeOf } from './fee.ts';

test('a fee is a share of the amount, rounded half up to the minor unit', () => {
  const fee = { basisPoints: 150, fixedMinor: 0n };
  assert.equal(feeOf(10_000n, fee), 150n);
  assert.equal(feeOf(99n, fee), 1n, '1.485');
  assert.equal(feeOf(100n, fee), 2n, '1.5');
  assert.equal(feeOf(33n, fee), 0n, '0.495');
});

test('a fixed part is added to the share', () => {
  assert.equal(feeOf(10_000n, { basisPoints: 150, fixedMinor: 25n }), 175n);
  assert.equal(feeOf(10_000n, { basisPoints: 0, fixedMinor: 25n }), 25n);
});

test('a fee never exceeds the amount', () => {
  assert.equal(feeOf(25n, { basisPoints: 0, fixedMinor: 24n }), 24n);
  assert.equal(feeOf(25n, { basisPoints: 0, fixedMinor: 25n }), 25n);
  assert.equal(feeOf(25n, { basisPoints: 150, fixedMinor: 25n }), 25n);
  assert.equal(feeOf(25n, { basisPoints: 20_000, fixedMinor: 0n }), 25n);
});

test('the fee of a large amount is exact', () => {
  const amountMinor = 9_007_199_254_740_993_000n;
  assert.equal(feeOf(amountMinor, { basisPoints: 100, fixedMinor: 0n }), 90_071_992_547_409_930n);
});
