import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { feeOf } from '../../platform/values/fee.ts';
import { currencyOfPhone } from '../../platform/values/phone.ts';
import { allows } from '../../platform/values/transitions.ts';
import {
  isClosedWithoutDebit,
  isOpen,
  type PaymentStatus,
  paymentStatuses,
  paymentTransitions,
} from './payment.ts';

/**
 * The transition table as a matrix: a row per old status, a column per new status, in the order of {@link
 * paymentStatuses}; a cell holds the first letter of the new status.
 */
const matrix = `
  CREATED             . O . . . F E . . C
  OPERATOR_PENDING    . . U D . F E . . C
  USER_CONFIRMING     . . . D . F E . . C
  DEBITED             . . . . S . . R P .
  SETTLED             . . . . . . . R P .
  FAILED              . . . . . . . . . .
  EXPIRED             . . . . . . . . . .
  REFUNDED            . . . . . . . . . .
  PARTIALLY_REFUNDED  . . . . . . . R P .
  CANCELLED           . . . . . . . . . .`;

test('moves a payment only as the transition table says', () => {
  const rows = matrix
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/ +/));
  assert.deepEqual(
    rows.map(([from]) => from),
    paymentStatuses,
  );
  for (const [from, ...cells] of rows) {
    assert.equal(cells.length, paymentStatuses.length);
    for (const [column, to] of paymentStatuses.entries()) {
      const expected = cells[column] === to.charAt(0);
      assert.ok(expected || cells[column] === '.', `${from} → ${to} stands in a wrong column`);
      assert.equal(
        allows(paymentTransitions, from as PaymentStatus, to),
        expected,
        `${from} → ${to}`,
      );
    }
  }
});

test('makes each status open, closed without a debit, or debited, and never two of these', () => {
  const open = ['CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING'];
  const closed = ['CANCELLED', 'EXPIRED', 'FAILED'];
  assert.deepEqual(paymentStatuses.filter(isOpen), open);
  assert.deepEqual(paymentStatuses.filter(isClosedWithoutDebit).sort(), closed);
});

const amounts = fc.bigInt({ min: 1n, max: 10n ** 18n });
const fees = fc.record({
  basisPoints: fc.integer({ min: 0, max: 20_000 }),
  fixedMinor: fc.bigInt({ min: 0n, max: 1_000_000n }),
});

test('charges 2.00 by default for 100.00', () => {
  assert.equal(feeOf(10_000n, { basisPoints: 200, fixedMinor: 0n }), 200n);
});

test('keeps a fee between zero and the amount', () => {
  fc.assert(
    fc.property(amounts, fees, (amountMinor, fee) => {
      const feeMinor = feeOf(amountMinor, fee);
      assert.ok(feeMinor >= 0n && feeMinor <= amountMinor);
    }),
  );
  assert.equal(feeOf(1n, { basisPoints: 0, fixedMinor: 500n }), 1n);
  assert.equal(feeOf(500n, { basisPoints: 0, fixedMinor: 500n }), 500n);
  assert.equal(feeOf(501n, { basisPoints: 0, fixedMinor: 500n }), 500n);
});

test('rounds a fee to the nearest unit, and up at the half', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (amountMinor, basisPoints) => {
      const feeMinor = feeOf(amountMinor, { basisPoints, fixedMinor: 0n });
      const excess = feeMinor * 10_000n - amountMinor * BigInt(basisPoints);
      assert.ok(excess > -5_000n && excess <= 5_000n, `off by ${excess} ten-thousandths`);
    }),
  );
  const twoPercent = { basisPoints: 200, fixedMinor: 0n };
  assert.equal(feeOf(24n, twoPercent), 0n);
  assert.equal(feeOf(25n, twoPercent), 1n);
  assert.equal(feeOf(74n, twoPercent), 1n);
  assert.equal(feeOf(75n, twoPercent), 2n);
});

test('adds the fixed part to the rounded part', () => {
  fc.assert(
    fc.property(amounts, fees, (amountMinor, fee) => {
      const proportional = feeOf(amountMinor, { ...fee, fixedMinor: 0n });
      const total = feeOf(amountMinor, fee);
      const sum = proportional + fee.fixedMinor;
      assert.equal(total, sum < amountMinor ? sum : amountMinor);
    }),
  );
});

test('computes exactly with amounts that a float cannot hold', () => {
  const beyondFloats = 9_007_199_254_740_993n;
  assert.equal(feeOf(beyondFloats, { basisPoints: 10_000, fixedMinor: 0n }), beyondFloats);
  // 0.29 % of this is 26_120_877_838_748.8797… exactly.
  assert.equal(feeOf(beyondFloats, { basisPoints: 29, fixedMinor: 0n }), 26_120_877_838_749n);
});

test('uses AOA for an Angolan phone and CVE for any other', () => {
  assert.equal(currencyOfPhone('+244923456789'), 'AOA');
  for (const phone of ['+2389912345', '+2459912345', '+351912345678', '+12442345678']) {
    assert.equal(currencyOfPhone(phone), 'CVE', phone);
  }
});
