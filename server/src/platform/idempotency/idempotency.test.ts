import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { erasedPhone, maskJson, phoneInText, phoneWrittenInText } from '../values/phone.ts';
import {
  createRequestHashes,
  firstVersionOf,
  idempotentRequest,
  openRequestHashes,
} from './idempotency.ts';

const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const requestOf = (phone: string, name: string | null = null) =>
  idempotentRequest('key', { phone, name }, () => ({ phone, name }))!;
const request = requestOf('+2389912345');
const other = requestOf('+2389912346');
/** As versions 1 and 2 were. */
const ofBefore = [
  firstVersionOf({ phone: '+2389912345', name: null }),
  Buffer.concat([Buffer.of(2), firstVersionOf({ phone: '+2389912345' })]),
];

test('recognises a hash only with its key, and cannot compute it without the key', () => {
  const hashes = createRequestHashes([one]);
  const hash = hashes.of(request);
  assert.deepEqual([hash[0], hash.length], [3, 37]);
  assert.ok(!hash.includes(createHash('sha256').update(request.meaning).digest()));
  assert.deepEqual(hashes.of(requestOf('+2389912345')), hash);
  assert.equal(hashes.isSame(hash, request), true);
  assert.equal(hashes.isSame(hash, other), false);
  assert.equal(hashes.isSame(null, request), false);
  const later = createRequestHashes([two, one]);
  assert.equal(later.isSame(hash, request), true, 'the key is not the first one any more');
  assert.equal(later.isSame(hash, other), false);
  assert.equal(createRequestHashes([two]).isSame(hash, request), false);
  assert.deepEqual(hashes.seal(hash), hash, 'it need not be sealed');
});

test('compares hashes of older versions by their rules, plain and sealed', () => {
  const hashes = createRequestHashes([one]);
  for (const hash of ofBefore) {
    assert.equal(hashes.isSame(hash, request), true);
    assert.equal(hashes.isSame(hash, other), false);
    const sealed = hashes.seal(hash);
    assert.ok(!sealed.includes(hash.subarray(-32)));
    assert.deepEqual(hashes.seal(sealed), sealed, 'once');
    assert.equal(hashes.isSame(sealed, request), true);
    assert.equal(hashes.isSame(sealed, other), false);
    assert.equal(createRequestHashes([two, one]).isSame(sealed, request), true);
    assert.equal(createRequestHashes([two]).isSame(sealed, request), false);
  }
  const [asSent] = ofBefore;
  const otherwise = idempotentRequest('key', { phone: '238 991 23 45' }, () => ({
    phone: '+2389912345',
  }))!;
  assert.equal(hashes.isSame(asSent, otherwise), false, 'the first version knew no meaning');
});

test('finds a sealed key that names a phone, and looks for no other', () => {
  const hashes = createRequestHashes([one]);
  const key = 'order of +238 991 23 45';
  assert.deepEqual(hashes.sealedKeys(key), [hashes.sealKey(key)]);
  assert.match(hashes.sealKey(key), /^sealed [\w-]{50}$/);
  const rotated = createRequestHashes([two, one]);
  assert.ok(rotated.sealedKeys(key).includes(hashes.sealKey(key)));
  for (const none of ['order 1234567', '01234567-0123-4123-8123-012345678901', 'first']) {
    assert.deepEqual(hashes.sealedKeys(none), []);
  }
});

test('recognises hashes under the secret keys beside the digest key, and falls back to them', async () => {
  const three = Buffer.alloc(32, 3);
  const keys = { current: one, previous: two };
  const withKey = await openRequestHashes({ digestKey: { open: async () => three }, keys });
  const without = await openRequestHashes({ digestKey: { open: async () => undefined }, keys });
  assert.deepEqual(withKey.of(request), createRequestHashes([three]).of(request));
  assert.deepEqual(without.of(request), createRequestHashes([one]).of(request));
  for (const root of [one, two, three]) {
    assert.equal(withKey.isSame(createRequestHashes([root]).of(request), request), true);
  }
});

test('finds a phone in any spelling, but not within a longer number', () => {
  const pattern = new RegExp(phoneInText('+2389912345'));
  const apart = ['00238 991 23 45', '(238) 991-23.45', '+238/991/2345', '+238 - 991 - 2345'];
  for (const text of ['+2389912345', 'x2389912345y', ...apart]) {
    assert.ok(pattern.test(text), text);
  }
  for (const text of ['12389912345', '23899123456', '2389912346', '9912345']) {
    assert.ok(!pattern.test(text), text);
  }
});

test('distinguishes text written as a phone from bare digits and numbers', () => {
  const pattern = new RegExp(phoneWrittenInText('+2389912345'));
  const written = ['+2389912345', '%2B2389912345', '002389912345', '238 991 2345', '238.991.23.45'];
  for (const text of written) assert.ok(pattern.test(text), text);
  const others = [
    '2389912345',
    '0.2389912345',
    '238.9912345',
    '1238 991 2345',
    '["238","9912345"]',
  ];
  for (const text of others) assert.ok(!pattern.test(text), text);
});

test('masks only the phone of the payment in its JSON', () => {
  const json = (phone: string) =>
    JSON.stringify({
      externalId: '"operatorPhone":"+2389911111"',
      operatorPhone: phone,
      metadata: { operatorPhone: '+2389922222' },
    });
  assert.equal(maskJson(json('+2389912345')), json('+238•••••45'));
  assert.equal(maskJson(json(erasedPhone)), json(erasedPhone));
});
