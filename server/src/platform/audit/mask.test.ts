import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMask, withoutPhones } from './mask.ts';

const mask = createMask(Buffer.alloc(32, 7));

test('makes a value that may hold a secret comparable, but neither readable nor guessable', () => {
  const url = 'https://shop.cv:8443/hooks/a1b2c3?token=geheim';
  assert.match(mask.url(url), /^https:\/\/shop\.cv:8443\/… \([0-9a-f]{16}\)$/);
  assert.equal(mask.url(url), mask.url(url));
  assert.notEqual(mask.url(url), mask.url(`${url}x`));
  assert.equal(mask.text(null), null);
  assert.notEqual(mask.text('a'), mask.text('b'));
  assert.notEqual(createMask(Buffer.alloc(32, 8)).text('a'), mask.text('a'));
});

test('shortens phones in a person’s text to their last digits', () => {
  const given = 'CVMOVEL says +238 991 23 45 and (+2389912346) paid; ticket 4711, TX-20, 2+2';
  const expected = 'CVMOVEL says +…45 and (+…46) paid; ticket 4711, TX-20, 2+2';
  assert.equal(withoutPhones(given), expected);
  const phones = ['00238 991 7654', '2389917654', '238/991/76-54', '991 76 54', '9917654'];
  for (const phone of [...phones, '00244923456754', '244 923 456 754', '923 456 754']) {
    assert.equal(withoutPhones(`she (${phone}) called`), 'she (…54) called', phone);
  }
});

test('shortens phones in other digits, with invisible characters, and in escapes of JSON', () => {
  const phones = [
    '+２３８９９１７６５４',
    '٢٣٨٩٩١٧٦٥٤',
    '+238\u200b991\u202a7654',
    '991\u201376\u201154',
    '\\u002b2389917654',
    '238991\\u0037654',
    '238\\u200B9917654',
    '９२३-४५६-७५४',
  ];
  for (const phone of phones) {
    const masked = withoutPhones(`{"note":"${phone} ligou"}`);
    assert.match(masked, /^\{"note":"\+?…54 ligou"\}$/, phone);
  }
  const other = 'Caf\u00e9 – ２ \\u00e9 \\"';
  assert.equal(withoutPhones(other), other, 'a text without a phone stays as it is');
});

test('keeps texts that only look like a phone: amounts, days, references and ids', () => {
  const words = [
    'on 2026-11-22 at 09:15 for 5000000, or 5 000 000 CVE; 20261122T0915',
    '0193e8f2-9912-7345-9923-456789912345 TX9917654 12389917654 4711/2026',
    'pi_01kaj6e0s5f9vrbjyf1y3ykz0c 9f86d0818823899176549b3f',
  ];
  for (const text of words) assert.equal(withoutPhones(text), text);
});
