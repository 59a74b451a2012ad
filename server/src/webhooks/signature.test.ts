import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { newWebhookSecret } from './secrets.ts';
import { deliveryHeaders, sign } from './signature.ts';

const body = '{"id":"evt_1","data":{"description":"café ☕"}}';

test('the signature is what openssl computes over the raw body', (t) => {
  const secret = newWebhookSecret();
  const args = ['dgst', '-sha256', '-hmac', secret];
  const openssl = spawnSync('openssl', args, { input: `1700000000.${body}` });
  if (openssl.error) return t.skip('openssl is not installed');
  const expected = openssl.stdout.toString().trim().split(' ').at(-1);
  assert.equal(sign(secret, 1_700_000_000, body), expected);
  assert.equal(sign(secret, 1_700_000_000, Buffer.from(body)), expected);
});

test('the signature of a known delivery never changes', () => {
  const signature = sign('whsec_c2VjcmV0', 1_700_000_000, body);
  assert.equal(signature, '70d5c33128f386ad420a57138a9d994bbc5ad0e365dfbf3b55fbcc80e852abe3');
});

test('the headers of an attempt', () => {
  const headers = deliveryHeaders({ secret: 'whsec_a', timestampSeconds: 1_700_000_000, body });
  assert.deepEqual(headers, {
    'Content-Type': 'application/json',
    'X-Service-Signature': sign('whsec_a', 1_700_000_000, body),
    'X-Service-Timestamp': '1700000000',
  });
});

test('while secrets overlap, the old one signs as before and the new one beside it', () => {
  const attempt = { secret: 'whsec_old', timestampSeconds: 1_700_000_000, body };
  const headers = deliveryHeaders({ ...attempt, nextSecret: 'whsec_new' });
  assert.deepEqual(headers, {
    ...deliveryHeaders(attempt),
    'X-Service-Signature-Next': sign('whsec_new', 1_700_000_000, body),
  });
});

test('a new secret is whsec_ and 32 random bytes in base64', () => {
  const secret = newWebhookSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(newWebhookSecret(), secret);
});
