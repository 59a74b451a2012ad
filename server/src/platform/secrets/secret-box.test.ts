import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSecretBox, isUnder, parseSecretKey } from './secret-box.ts';

const key = randomBytes(32);
const box = createSecretBox(key);

test('decrypts what it encrypted, into different boxes each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
      const encrypted = box.encrypt(plain, context);
      assert.equal(box.decrypt(encrypted, context), plain);
      assert.ok(!box.encrypt(plain, context).equals(encrypted));
    }),
  );
});

test('names the format and the key in a box, but not its content', () => {
  const encrypted = box.encrypt('whsec_hello', 'webhook:1');
  const keyId = createHash('sha256').update(key).digest().subarray(0, 4);
  assert.deepEqual(encrypted.subarray(0, 5), Buffer.concat([Buffer.of(1), keyId]));
  assert.equal(encrypted.length, 5 + 12 + 16 + 'whsec_hello'.length);
  assert.ok(!encrypted.includes('whsec'));
});

test('opens a box only in its own context', () => {
  const encrypted = box.encrypt('whsec_hello', 'webhook:1');
  assert.throws(() => box.decrypt(encrypted, 'webhook:2'), /belongs to another record/);
});

test('detects a change of any byte', () => {
  const encrypted = box.encrypt('whsec_hello', 'webhook:1');
  for (const index of encrypted.keys()) {
    const changed = Buffer.from(encrypted);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    assert.throws(
      () => box.decrypt(changed, 'webhook:1'),
      /^Error: The stored secret /,
      `${index}`,
    );
  }
  for (const length of encrypted.keys())
    assert.throws(
      () => box.decrypt(encrypted.subarray(0, length), 'webhook:1'),
      /^Error: The stored/,
    );
});

test('recognises a wrong key, without secrets in the message', () => {
  const encrypted = box.encrypt('whsec_hello', 'webhook:1');
  const other = createSecretBox(randomBytes(32));
  assert.throws(() => other.decrypt(encrypted, 'webhook:1'), {
    message: 'The stored secret was encrypted with another key: configure that key.',
  });
});

test('decrypts with both keys during a rotation, and encrypts with the new one', () => {
  const next = createSecretBox(randomBytes(32), key);
  const old = box.encrypt('whsec_hello', 'webhook:1');
  assert.equal(next.decrypt(old, 'webhook:1'), 'whsec_hello');
  const made = next.encrypt('whsec_hello', 'webhook:1');
  assert.equal(next.decrypt(made, 'webhook:1'), 'whsec_hello');
  assert.deepEqual(
    [isUnder(made, next), isUnder(old, next), isUnder(old, box)],
    [true, false, true],
  );
  assert.throws(() => box.decrypt(made, 'webhook:1'), /another key/);
  assert.throws(() => next.decrypt(old, 'webhook:2'), /belongs to another record/);
});

test('accepts a key as 64 hex characters or the base64 of 32 bytes', () => {
  const base64 = key.toString('base64');
  const spellings = [key.toString('hex'), key.toString('hex').toUpperCase(), base64, `${base64}\n`];
  for (const text of [...spellings, base64.replace('=', '')])
    assert.deepEqual(parseSecretKey(text), key);
  const others = ['', 'secret', 'a'.repeat(63), 'g'.repeat(64), randomBytes(31).toString('base64')];
  for (const text of [...others, randomBytes(33).toString('base64'), `${base64}=`])
    assert.equal(parseSecretKey(text), undefined, text);
});

test('refuses a key of another length', () => {
  assert.throws(() => createSecretBox(randomBytes(16)), /must have 32 bytes/);
});
