import assert from 'node:assert/strict';
import { test } from 'node:test';
import { last4Of, parseAccountNumber, parseBic, spacedNumber } from './account-number.ts';

/** In the banks' notation; the numbers are fictitious. */
const right = {
  'AO06 0044 0000 6729 5030 1010 2': 'AO06004400006729503010102',
  'CV64 0005 0000 0020 1082 1514 4': 'CV64000500000020108215144',
  'cv64 0005 0000 0020 1082 1514 4': 'CV64000500000020108215144',
  'PT50 0002 0123 1234 5678 9015 4': 'PT50000201231234567890154',
  'GB82 WEST 1234 5698 7654 32': 'GB82WEST12345698765432',
  'NO93 8601 1117 947': 'NO9386011117947',
  'MT84 MALT 0110 0001 2345 MTLC AST0 01S': 'MT84MALT011000012345MTLCAST001S',
  '0005 0000 0020 1082 1514 4': '000500000020108215144',
  '004400006729503010102': '004400006729503010102',
  ' 0044\u00a00000\t6729 5030 1010 2 ': '004400006729503010102',
  '0005.0000.00201082151.44': '000500000020108215144',
  '0005 0000 00201082151-44': '000500000020108215144',
  'CV64-0005-0000-0020-1082-1514-4': 'CV64000500000020108215144',
  'PT50.0002.0123.1234.5678.9015.4': 'PT50000201231234567890154',
};

const wrong = [
  '',
  'CV64',
  'CV65 0005 0000 0020 1082 1514 4',
  'CV64 0005 0000 0020 1082 1514 5',
  'CV64 0050 0000 0020 1082 1514 4',
  'CV64 0005 0000 0020 1082 1514',
  'CV64 0005 0000 0020 1082 1514 40',
  'AO06 0044 0000 6729 5030 1010 3',
  'PT51 0002 0123 1234 5678 9015 4',
  '000500000020108215145',
  '00050000002010821514',
  '0005000000201082151440',
  // Its check digits are right, its length is that of no IBAN there.
  'CV140005000000002010821514',
  'XX82WEST12345698765432',
  'CV64/0005/0000/0020/1082/1514/4',
  '0005,0000,00201082151,44',
  '=CV64000500000020108215144',
  'ＣＶ64000500000020108215144',
  '٠٠٠٥٠٠٠٠٠٠٢٠١٠٨٢١٥١٤٤',
];

test('normalizes typed IBANs and NIBs to capital letters without spaces, dots and hyphens', () => {
  for (const [typed, stored] of Object.entries(right)) {
    assert.equal(parseAccountNumber(typed), stored, typed);
  }
});

test('refuses wrong check digits, lengths, countries and characters', () => {
  for (const typed of wrong) assert.equal(parseAccountNumber(typed), undefined, typed);
});

test('detects any wrong digit, and any two swapped neighbours', () => {
  for (const number of Object.values(right)) {
    for (const { index: at, 0: digit } of number.matchAll(/\d/g)) {
      const withPart = (part: string) =>
        number.slice(0, at) + part + number.slice(at + part.length);
      for (let by = 1; by < 10; by++) {
        const other = withPart(String((Number(digit) + by) % 10));
        assert.equal(parseAccountNumber(other), undefined, other);
      }
      const next = number[at + 1] ?? digit;
      if (!/\d/.test(next) || next === digit) continue;
      const turned = withPart(`${next}${digit}`);
      assert.equal(parseAccountNumber(turned), undefined, turned);
    }
  }
});

test('refuses the check digits 00, 01 and 99 although the remainder is right', () => {
  const bank = 'CV64000500000020108215144'.slice(4, -2);
  // CV counts as 1231.
  const end = Array.from({ length: 97 }, (_, index) => String(index).padStart(2, '0')).find(
    (digits) => BigInt(`${bank}${digits}123100`) % 97n === 1n,
  );
  assert.equal(parseAccountNumber(`CV00${bank}${end}`), undefined);
  assert.equal(parseAccountNumber(`CV97${bank}${end}`), `CV97${bank}${end}`);
});

test('accepts a BIC of 8 or 11 characters', () => {
  assert.equal(parseBic('bcat cvcv'), 'BCATCVCV');
  assert.equal(parseBic('BCATCVCVXXX'), 'BCATCVCVXXX');
  for (const typed of ['', 'BCATCV', 'BCATCVCVX', '1CATCVCV', 'BCATCVCVXXXX', '=CATCVCV']) {
    assert.equal(parseBic(typed), undefined, typed);
  }
});

test('prints a number in groups of four', () => {
  assert.equal(spacedNumber('CV64000500000020108215144'), 'CV64 0005 0000 0020 1082 1514 4');
  assert.equal(spacedNumber('GB82WEST12345698'), 'GB82 WEST 1234 5698');
  assert.equal(last4Of('CV64000500000020108215144'), '5144');
});
