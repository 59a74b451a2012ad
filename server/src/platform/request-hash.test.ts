import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestHash } from './canonical-json.ts';
import { idempotentRequest } from './idempotency.ts';
import { erasedPhone, maskJson, phoneInText, phoneWrittenInText } from './phone.ts';
import { createRequestHashes, plainHashes } from './request-hash.ts';

const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const requestOf = (phone: string) =>
  idempotentRequest('key', { phone, name: null }, () => ({ phone }))!;
const request = requestOf('+2389912345');
const other = requestOf('+2389912346');

test('a sealed hash is known again with its key only', () => {
  const hashes = createRequestHashes({ current: one, previous: undefined });
  const rotated = createRequestHashes({ current: two, previous: one });
  const foreign = createRequestHashes({ current: two, previous: undefined });
  // Of each version that a hash can have.
  for (const hash of [request.requestHash, requestHash(request.asSent)]) {
    const sealed = hashes.seal(hash);
    assert.ok(!sealed.includes(hash));
    assert.deepEqual(hashes.seal(sealed), sealed, 'once');
    assert.equal(hashes.isSame(sealed, request), true);
    assert.equal(hashes.isSame(sealed, other), false);
    assert.equal(hashes.isSame(hash, request), true, 'a plain one too');
    assert.equal(hashes.isSame(null, request), false);
    assert.equal(plainHashes.isSame(sealed, request), false);
    assert.equal(rotated.isSame(sealed, request), true);
    assert.equal(rotated.isSame(sealed, other), false);
    assert.equal(foreign.isSame(sealed, request), false);
  }
});

test('a key that names a phone is found when it is sealed, and no other is looked for', () => {
  const hashes = createRequestHashes({ current: one, previous: undefined });
  const key = 'order of +238 991 23 45';
  assert.deepEqual(hashes.sealedKeys(key), [hashes.sealKey(key)]);
  assert.match(hashes.sealKey(key), /^sealed [\w-]{50}$/);
  const rotated = createRequestHashes({ current: two, previous: one });
  assert.ok(rotated.sealedKeys(key).includes(hashes.sealKey(key)));
  for (const none of ['order 1234567', '01234567-0123-4123-8123-012345678901', 'first']) {
    assert.deepEqual(hashes.sealedKeys(none), []);
  }
});

test('a phone is found however it is written, and no longer number is taken for it', () => {
  const pattern = new RegExp(phoneInText('+2389912345'));
  const apart = ['00238 991 23 45', '(238) 991-23.45', '+238/991/2345', '+238 - 991 - 2345'];
  for (const text of ['+2389912345', 'x2389912345y', ...apart]) {
    assert.ok(pattern.test(text), text);
  }
  for (const text of ['12389912345', '23899123456', '2389912346', '9912345']) {
    assert.ok(!pattern.test(text), text);
  }
});

test('what is written as a phone is told from bare digits and from numbers', () => {
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

test('only the phone of the payment is masked in its JSON', () => {
  const json = (phone: string) =>
    JSON.stringify({
      externalId: '"operatorPhone":"+2389911111"',
      operatorPhone: phone,
      metadata: { operatorPhone: '+2389922222' },
    });
  assert.equal(maskJson(json('+2389912345')), json('+238•••••45'));
  assert.equal(maskJson(json(erasedPhone)), json(erasedPhone));
});
