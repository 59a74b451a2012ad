import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadAdapters } from '../../integrations/operators/load-adapters.ts';
import { signatureOf } from '../../integrations/operators/signature.ts';
import type { CallbackAuth } from '../../platform/config/callback-settings.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import {
  type CallbackRequest,
  makeAuthenticateCallback,
  provesSender,
} from './authenticate-sender.ts';

const adapterOf = await loadAdapters({});
const secret = 'a secret of the operator';
const fingerprint = 'ab'.repeat(32);
const nothing: CallbackAuth = { addresses: [], secret: undefined, certificates: [] };
const body = Buffer.from('{"transactionStatus":"completed"}');

const authenticator = (auth: Partial<CallbackAuth>, trustProxy = ['10.0.0.7']) => {
  const CVMOVEL = { callbackAuth: { ...nothing, ...auth } } as OperatorConfigs['CVMOVEL'];
  const authenticate = makeAuthenticateCallback({ CVMOVEL: CVMOVEL! }, adapterOf, trustProxy);
  return (request: Partial<CallbackRequest> = {}) => {
    const ofProxy = { ip: '203.0.113.7', peer: '10.0.0.7', headers: {}, body };
    const authenticity = authenticate('CVMOVEL', { ...ofProxy, ...request });
    return authenticity.verdict === 'REFUSED' ? authenticity.lacking : authenticity.verdict;
  };
};

const signed = (signature: string | string[]) => ({
  headers: { 'x-callback-signature': signature },
});
const certified = (certificate: string | string[]) => ({
  headers: { 'x-client-certificate-sha256': certificate },
});

test('authenticates nothing where the settings require no proof', () => {
  assert.equal(authenticator({})(), 'NOT_CONFIGURED');
  const authenticate = makeAuthenticateCallback({}, adapterOf, []);
  const request = { ip: '203.0.113.7', peer: '203.0.113.7', headers: {}, body };
  assert.deepEqual(authenticate('UNITEL_TMAIS', request), { verdict: 'NOT_CONFIGURED' });
});

test('checks the client address behind trusted proxies, not the address of the proxy', () => {
  const by = authenticator({ addresses: ['203.0.113.0/24', '2001:db8::1'] });
  assert.equal(by(), 'AUTHENTIC');
  assert.equal(by({ ip: '2001:db8::1' }), 'AUTHENTIC');
  assert.equal(by({ ip: '::ffff:203.0.113.9' }), 'AUTHENTIC');
  assert.deepEqual(by({ ip: '198.51.100.1', peer: '203.0.113.7' }), ['ADDRESS']);
  assert.deepEqual(by({ ip: '' }), ['ADDRESS']);
});

test('accepts a signature only over these exact bytes with this secret', () => {
  const by = authenticator({ secret });
  const right = signatureOf(secret, body);
  assert.equal(by(signed(right)), 'AUTHENTIC');
  assert.equal(by(signed(right.toUpperCase())), 'AUTHENTIC');
  assert.deepEqual(by(), ['SIGNATURE']);
  const flipped = `${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`;
  for (const wrong of [
    flipped,
    signatureOf('another secret of another', body),
    signatureOf(secret, Buffer.from('')),
    right.slice(0, -2),
    `${right}00`,
    `sha256=${right}`,
    Buffer.from(right, 'hex').toString('base64'),
    `${right}, ${right}`,
    [right],
    '',
    'é'.repeat(64),
  ]) {
    assert.deepEqual(by(signed(wrong)), ['SIGNATURE'], String(wrong));
  }
  const spaced = Buffer.from('{"transactionStatus": "completed"}');
  assert.deepEqual(by({ ...signed(right), body: spaced }), ['SIGNATURE']);
});

test('matches the documented example of checking a signature', () => {
  const page = readFileSync(
    join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'operators.md'),
    'utf8',
  );
  const [, body, key] = /^body='(.+)'\nsecret='(.+)'\nprintf '%s' "\$body" \| openssl/m.exec(page)!;
  const [, printed] = /The output ends with `([0-9a-f]{64})`/.exec(page)!;
  assert.equal(signatureOf(key!, Buffer.from(body!)), printed);
});

test('accepts a certificate only if a trusted proxy reports it', () => {
  const by = authenticator({ certificates: [fingerprint, '0f'.repeat(32)] });
  assert.equal(by(certified(fingerprint)), 'AUTHENTIC');
  assert.equal(by(certified('AB:'.repeat(32).slice(0, -1))), 'AUTHENTIC');
  assert.equal(by(certified('0f'.repeat(32))), 'AUTHENTIC', 'the next one, too');
  for (const wrong of ['', 'cd'.repeat(32), `${fingerprint}, ${fingerprint}`, [fingerprint]]) {
    assert.deepEqual(by(certified(wrong)), ['CERTIFICATE'], String(wrong));
  }
  assert.deepEqual(by(), ['CERTIFICATE']);
  assert.deepEqual(by({ ...certified(fingerprint), peer: '203.0.113.7' }), ['CERTIFICATE']);
  const untrusting = authenticator({ certificates: [fingerprint] }, []);
  assert.deepEqual(untrusting(certified(fingerprint)), ['CERTIFICATE']);
});

test('requires every configured proof and names the one that fails', () => {
  const by = authenticator({ addresses: ['203.0.113.7'], secret, certificates: [fingerprint] });
  const headers = {
    ...signed(signatureOf(secret, body)).headers,
    ...certified(fingerprint).headers,
  };
  assert.equal(by({ headers }), 'AUTHENTIC');
  assert.deepEqual(by({ headers, ip: '203.0.113.8' }), ['ADDRESS']);
  assert.deepEqual(by({ headers, body: Buffer.from('{}') }), ['SIGNATURE']);
  assert.deepEqual(by({ headers, peer: '10.0.0.8' }), ['CERTIFICATE']);
  assert.deepEqual(by({ ip: '203.0.113.8' }), ['ADDRESS', 'SIGNATURE', 'CERTIFICATE']);
});

test('does not take a signature alone as proof of the sender', () => {
  assert.equal(provesSender({ ...nothing, secret }), false);
  assert.equal(provesSender({ ...nothing, secret, addresses: ['203.0.113.7'] }), true);
  assert.equal(provesSender({ ...nothing, certificates: [fingerprint] }), true);
});
