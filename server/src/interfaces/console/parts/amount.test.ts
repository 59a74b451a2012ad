import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAmount, typedAmount } from './amount.ts';

const grouped = (digits: string, separator: string) =>
  digits.replace(/\B(?=(\d{3})+$)/g, separator);

/** Every common notation of an amount. */
function writings(amountMinor: bigint): string[] {
  const whole = (amountMinor / 100n).toString();
  const fraction = (amountMinor % 100n).toString().padStart(2, '0');
  const ways = [
    [grouped(whole, '.'), ','],
    [grouped(whole, ','), '.'],
    [grouped(whole, ' '), ','],
    [grouped(whole, '\u00a0'), '.'],
    [grouped(whole, '\u202f'), ','],
    [grouped(whole, '’'), '.'],
    [grouped(whole, '.'), '$'],
    [whole, ','],
    [whole, '.'],
    [whole, '$'],
  ] as const;
  return ways.flatMap(([written, decimal]) => {
    const texts = [`${written}${decimal}${fraction}`];
    if (fraction.endsWith('0')) texts.push(`${written}${decimal}${fraction[0]}`);
    if (fraction === '00') texts.push(written, `${written}${decimal}`);
    return texts;
  });
}

const amounts = fc.bigInt({ min: 0n, max: 999_999_999_999n });

test('an amount is the same in whichever way people write it', () => {
  fc.assert(
    fc.property(
      amounts,
      fc.constantFrom('', ' CVE', ' Kz', '\u00a0AOA'),
      (amountMinor, currency) => {
        for (const text of writings(amountMinor)) {
          assert.equal(parseAmount(`${text}${currency}`), amountMinor, `${text}${currency}`);
        }
      },
    ),
  );
});

test('what a form was filled with is read again as it was', () => {
  fc.assert(
    fc.property(amounts, fc.constantFrom('pt' as const, 'en' as const), (amountMinor, language) => {
      assert.equal(parseAmount(typedAmount({ language }, amountMinor)), amountMinor);
    }),
  );
});

test('whatever is typed is an amount that reads as its digits, or none', () => {
  const typed = fc.array(fc.constantFrom(...'0123456789.,$ -+eE\u00a0x'.split('')), {
    maxLength: 14,
  });
  fc.assert(
    fc.property(typed, (characters) => {
      const text = characters.join('');
      const found = parseAmount(text);
      if (found === undefined) return;
      assert.ok(found >= 0n);
      // The digits are the typed ones in order, plus at most the cents.
      const digits = text.replace(/\D/g, '').replace(/^0+/, '');
      const read = found.toString();
      assert.ok(
        ['', '0', '00'].some((cents) => read === (digits + cents || '0')),
        text,
      );
    }),
    { numRuns: 2_000 },
  );
});

test('what could mean two things is not guessed', () => {
  for (const text of [
    '',
    '   ',
    'abc',
    '-5',
    '+5',
    '1e3',
    '0x10',
    '1.500.00',
    '1,500,00',
    '1.5000',
    '0.500',
    '15.00.000',
    '1.500,000',
    '12 34',
    '١٢٣',
    '1'.repeat(41),
    ',',
    '.',
    'CVE',
  ]) {
    assert.equal(parseAmount(text), undefined, text);
  }
});

test('a point or a comma before three digits parts thousands in both languages', () => {
  assert.equal(parseAmount('1.500'), 150_000n);
  assert.equal(parseAmount('1,500'), 150_000n);
  assert.equal(parseAmount('1.50'), 150n);
  assert.equal(parseAmount('1,5'), 150n);
  assert.equal(parseAmount('850$00'), 85_000n);
  assert.equal(parseAmount(',50'), 50n);
});
