import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customerMoney, money } from './money.ts';

test("writes money in the reader's notation", () => {
  const amounts = [1n, 99n, 100n, 100_000n, 99_999_999n, 999_900_000_000_000n];
  assert.deepEqual(
    amounts.map((amount) => money(amount, 'CVE', 'pt')),
    [
      '0,01 CVE',
      '0,99 CVE',
      '1,00 CVE',
      '1.000,00 CVE',
      '999.999,99 CVE',
      '9.999.000.000.000,00 CVE',
    ],
  );
  assert.equal(money(123_456_789n, 'AOA', 'en'), '1,234,567.89 AOA');
});

test('shows customers escudos as people write them in Cape Verde, and kwanzas unchanged', () => {
  assert.equal(customerMoney(85_000n, 'CVE', 'pt'), '850$00 CVE');
  assert.equal(customerMoney(123_456_789n, 'CVE', 'pt'), '1.234.567$89 CVE');
  assert.equal(customerMoney(123_456_789n, 'CVE', 'en'), '1,234,567.89 CVE');
  assert.equal(customerMoney(123_456_789n, 'AOA', 'pt'), '1.234.567,89 AOA');
});
