import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { newWebhookSecret } from './secrets.ts';
import { deliveryHeaders, secretsAt, sign, signStandard } from './signature.ts';

const body = '{"id":"evt_1","data":{"description":"café ☕"}}';

test('signs the raw body as openssl does', (t) => {
  const secret = newWebhookSecret();
  const args = ['dgst', '-sha256', '-hmac', secret];
  const openssl = spawnSync('openssl', args, { input: `1700000000.${body}` });
  if (openssl.error) return t.skip('openssl is not installed');
  const expected = openssl.stdout.toString().trim().split(' ').at(-1);
  assert.equal(sign(secret, 1_700_000_000, body), expected);
  assert.equal(sign(secret, 1_700_000_000, Buffer.from(body)), expected);
});

test('never changes the signature of a known delivery', () => {
  const signature = sign('whsec_c2VjcmV0', 1_700_000_000, body);
  assert.equal(signature, '70d5c33128f386ad420a57138a9d994bbc5ad0e365dfbf3b55fbcc80e852abe3');
});

test('signs like createHmac, for any length of secret and body', () => {
  for (const secretLength of [1, 57, 58, 59, 63, 64, 65, 200]) {
    for (const text of ['', 'a', 'é☕𝄞', 'x'.repeat(100_000)]) {
      const secret = `whsec_${'c2Vj'.repeat(100).slice(0, secretLength)}`;
      const expected = createHmac('sha256', secret).update(`1700000000.${text}`);
      assert.equal(sign(secret, 1_700_000_000, text), expected.digest('hex'));
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const standard = createHmac('sha256', key).update(`evt_1.1.${text}`).digest('base64');
      assert.equal(signStandard(secret, 'evt_1.1.', text), `v1,${standard}`);
    }
  }
});

const attempt = {
  eventId: '019aa5d4-e0fb-7000-8000-000000000001',
  sequence: 3,
  secret: 'whsec_c2VjcmV0',
  timestampSeconds: 1_700_000_000,
  body,
};

test('sets the headers of an attempt', () => {
  assert.deepEqual(deliveryHeaders(attempt), {
    'Content-Type': 'application/json',
    'X-Service-Signature': sign('whsec_c2VjcmV0', 1_700_000_000, body),
    'X-Service-Timestamp': '1700000000',
    'X-Service-Sequence': '3',
    'webhook-id': 'evt_01kajx9r7ve008000000000001',
    'webhook-timestamp': '1700000000',
    'webhook-signature': signStandard(
      'whsec_c2VjcmV0',
      'evt_01kajx9r7ve008000000000001.1700000000.',
      body,
    ),
  });
});

test('signs with the old secret as before and with the new one beside it during an overlap', () => {
  const before = deliveryHeaders(attempt);
  const nextSecret = 'whsec_bmV3';
  const next = deliveryHeaders({ ...attempt, secret: nextSecret });
  assert.deepEqual(deliveryHeaders({ ...attempt, nextSecret }), {
    ...before,
    'X-Service-Signature-Next': next['X-Service-Signature'],
    'webhook-signature': `${before['webhook-signature']} ${next['webhook-signature']}`,
  });
});

test('signs with both secrets until the overlap ends, then with the new one alone', () => {
  const target = { secret: 'whsec_old', next: { secret: 'whsec_new', fromMs: 1_000 } };
  assert.deepEqual(secretsAt({ secret: 'whsec_old', next: undefined }, 999), {
    secret: 'whsec_old',
  });
  assert.deepEqual(secretsAt(target, 999), { secret: 'whsec_old', nextSecret: 'whsec_new' });
  assert.deepEqual(secretsAt(target, 1_000), { secret: 'whsec_new' });
});

test('makes a new secret of whsec_ and 32 random bytes in base64', () => {
  const secret = newWebhookSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(newWebhookSecret(), secret);
});
