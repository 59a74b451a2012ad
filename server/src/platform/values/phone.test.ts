import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalizePhone } from './phone.ts';

const stored = '+2389912345';

test('accepts a phone as people paste it', () => {
  const written = [
    stored,
    '+238 991 23 45',
    '+238-991-23-45',
    '+238.991.23.45',
    '(+238) 9912345',
    '+(238) 991 [23] {45}',
    ' +238\u00a0991\t2345\n',
    '002389912345',
    '00 238 991 23 45',
    '(00238) 991-23-45',
    'tel:+238-991-23-45',
    'TEL: 00238 991 23 45',
    '\u202a+238 991 23 45\u202c',
    '\u2068+238\u20699912345\u200f',
    '+238\u200b991\u200d23\u206045\ufeff',
    '+2️3️8️991234\ufe0e5',
    '+238\u00ad991\u00ad2345',
    '+238 991 23 45',
    '+238\u3000991\u202f2345',
    '+238991234５',
    '＋２３８（９９１）２３４５',
    'ｔｅｌ：＋２３８９９１２３４５',
    '+٢٣٨٩٩١٢٣٤٥',
    '٠٠٢٣٨٩٩١٢٣٤٥',
    '+२३८९९१२३४५',
    '+𝟐𝟑𝟖𝟗𝟗𝟏𝟐𝟑𝟒𝟓',
    '\u2795238 991 23 45',
    '+2389912345\0',
  ];
  for (const phone of written) assert.equal(normalizePhone(phone), stored, JSON.stringify(phone));
  for (const dash of '-‐‑‒–—―−⁃﹘﹣－⸺〜➖\u0096') {
    assert.equal(normalizePhone(`+238${dash}991${dash}2345`), stored, dash);
  }
  assert.equal(normalizePhone('+12345678'), '+12345678', '8 digits');
  assert.equal(normalizePhone('+123456789012345'), '+123456789012345', '15 digits');
  assert.equal(normalizePhone('+9990000000'), '+9990000000', 'prefixes are not checked');
});

test('rejects what is not one international phone', () => {
  const refused = [
    '',
    '+',
    '00',
    'tel:',
    '2389912345',
    'tel:2389912345',
    '9912345',
    '+1234567',
    '001234567',
    // The placeholder of an erased phone.
    '+00000000',
    '+ (0) 2389912345',
    '000238991234',
    '+002389912345',
    '+1234567890123456',
    '++2389912345',
    '＋＋2389912345',
    '+238+9912345',
    '+2389912345 +2389912346',
    '2389912345+',
    'tel:tel:+2389912345',
    '+tel:2389912345',
    'fax:+2389912345',
    '+238991234a',
    '+238991234O',
    '+238 991 23 45 ext 3',
    '+2389912345;ext=1',
    // A second number often follows, in whole or in part.
    '+238991234/5',
    '+238 991 23 45/46',
    '+238,9912345',
    '+238991234½',
    '+238991234②',
    '+238•••••45',
    '+23899\ud800912345',
    '+238991234\ue000',
  ];
  for (const phone of refused)
    assert.equal(normalizePhone(phone), undefined, JSON.stringify(phone));
});

/** As it was before: hashes of requests that were answered then hold its results. */
function normalizedBefore(phone: string): string | undefined {
  const digits = phone.replace(/[\s.\-()[\]{}]/g, '');
  return /^\+[1-9]\d{7,14}$/.test(digits) ? digits : undefined;
}

test('normalizes as before whatever was accepted before', () => {
  const unit = fc.constantFrom(...Array.from('+0123456789 .-()[]{}\u00a0\u2003\ufeff\n'));
  const rest = fc.string({ unit, minLength: 7, maxLength: 30 });
  fc.assert(
    fc.property(rest, fc.constantFrom('', '+', ' (+', '+1'), (phone, start) => {
      const before = normalizedBefore(start + phone);
      if (before !== undefined) assert.equal(normalizePhone(start + phone), before);
    }),
    { numRuns: 2_000 },
  );
});

test('ignores what cannot be seen, and every form of dash and digit, anywhere', () => {
  const unseen = Array.from(
    '\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e',
  );
  unseen.push(
    '\u2060',
    '\u2066',
    '\u2069',
    '\ufe00',
    '\ufe0f',
    '\ufeff',
    '\u{e0100}',
    '\u00a0',
    '\u202f',
    '\t',
  );
  unseen.push(' ', '.', '(', ')', '-', '‐', '‑', '–', '—', '−', '－');
  const noise = fc.array(fc.constantFrom(...unseen), { maxLength: 3 }).map((all) => all.join(''));
  const zero = fc.constantFrom(0x30, 0x660, 0x6f0, 0x966, 0xff10, 0x1d7ce, 0x1d7f6);
  const digit = fc.tuple(fc.integer({ min: 0, max: 9 }), zero, noise);
  const first = fc.tuple(fc.integer({ min: 1, max: 9 }), zero, noise);
  const start = fc.constantFrom('+', '00', 'tel:+', 'Tel:00', '＋', '٠٠');
  fc.assert(
    fc.property(
      noise,
      start,
      first,
      fc.array(digit, { minLength: 7, maxLength: 14 }),
      (before, prefix, head, tail) => {
        const all = [head, ...tail];
        const typed = all.map(([value, from, more]) => String.fromCodePoint(from + value) + more);
        const expected = `+${all.map(([value]) => value).join('')}`;
        assert.equal(normalizePhone(before + prefix + typed.join('')), expected);
        assert.equal(normalizePhone(expected), expected, 'the stored form stays');
      },
    ),
    { numRuns: 1_000 },
  );
});

test('never makes a phone of a text with letters or other signs', () => {
  const sign = fc.constantFrom(...Array.from('aZé/,;:*#&@$%"\'٪中½Ⅷ①²'));
  fc.assert(
    fc.property(sign, fc.nat({ max: 11 }), (other, at) => {
      assert.equal(normalizePhone(stored.slice(0, at) + other + stored.slice(at)), undefined);
    }),
  );
});

test('returns the stored form or nothing, for any text', () => {
  const codes = fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 40 });
  fc.assert(
    fc.property(codes, (all) => {
      const phone = normalizePhone(String.fromCodePoint(...all));
      if (phone !== undefined) assert.match(phone, /^\+[1-9][0-9]{7,14}$/);
    }),
  );
});
