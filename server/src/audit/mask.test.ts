import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMask, withoutPhones } from './mask.ts';

const mask = createMask(Buffer.alloc(32, 7));

test('what may hold a secret can be compared, and not read or tried', () => {
  const url = 'https://shop.cv:8443/hooks/a1b2c3?token=geheim';
  assert.match(mask.url(url), /^https:\/\/shop\.cv:8443\/… \([0-9a-f]{16}\)$/);
  assert.equal(mask.url(url), mask.url(url));
  assert.notEqual(mask.url(url), mask.url(`${url}x`));
  assert.equal(mask.text(null), null);
  assert.notEqual(mask.text('a'), mask.text('b'));
  assert.notEqual(createMask(Buffer.alloc(32, 8)).text('a'), mask.text('a'));
});

test('phones that a person wrote are cut down to their end', () => {
  const given = 'CVMOVEL says +238 991 23 45 and (+2389912346) paid; ticket 4711, TX-20, 2+2';
  const expected = 'CVMOVEL says +…45 and (+…46) paid; ticket 4711, TX-20, 2+2';
  assert.equal(withoutPhones(given), expected);
});
