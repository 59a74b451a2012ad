import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { majorOf, minorOf, parseExactly } from './amount.ts';

/** In the standard's notation. */
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
  assert.deepEqual([1_520, 15.2, 0.05, 5, 1_234_567.89, 9_999_999_999_999.9].map(minorOf), [
    152_000n,
    1_520n,
    5n,
    500n,
    123_456_789n,
    999_999_999_999_990n,
  ]);
  for (const wrong of [
    '',
    '1.005',
    '-1',
    '1,5',
    '1e3',
    ' 1',
    '.5',
    '5.',
    1.005,
    -1,
    1e13,
    1e21,
    0.1 + 0.2,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.MAX_SAFE_INTEGER,
    '1,520',
    '1.520,00',
    '1.520',
    '10.000',
    '0.500',
    '1 520',
    '+5',
    '١',
    null,
    ['5'],
    '9'.repeat(19),
  ]) {
    assert.equal(minorOf(wrong), undefined, String(wrong));
  }
});

test('a number counts by the text that stands in the JSON', () => {
  const read = (number: string) =>
    minorOf(
      (parseExactly(`{"a":[{"amount":${number}}]}`) as { a: [{ amount: unknown }] }).a[0].amount,
    );
  assert.deepEqual(['1520', '1520.0', '15.2', '15.200', '1.520', '5.000000'].map(read), [
    152_000n,
    152_000n,
    1_520n,
    1_520n,
    152n,
    500n,
  ]);
  for (const other of ['15.2000000000000001', '1.52e1', '15.2E0', '9007199254740993.001', '-5']) {
    assert.equal(read(other), undefined, other);
  }
  assert.deepEqual(parseExactly('{"pollLimit":5,"amount":"1"}'), { pollLimit: 5, amount: '1' });
});

test('a name that is a number keeps its text, and an amount loses only needless zeros', () => {
  const names = [
    'transactionReference',
    'originalTransactionReference',
    'requestingOrganisationTransactionReference',
    'objectReference',
    'serverCorrelationId',
    'value',
  ];
  for (const name of names) {
    const read = parseExactly(`{"${name}":12345678901234567890.500}`);
    assert.deepEqual(read, { [name]: '12345678901234567890.500' });
  }
  const amountOf = (number: string) => parseExactly(`{"amount":${number}}`);
  assert.deepEqual(amountOf('15.2000'), { amount: '15.20' });
  assert.deepEqual(amountOf('-15.200'), { amount: '-15.200' });
  assert.deepEqual(amountOf('15.2003'), { amount: '15.2003' });
});
