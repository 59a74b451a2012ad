import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deliveryHeaders as headersOf,
  type SignedDelivery,
  sign,
} from '../../../server/src/integrations/webhooks/signature.ts';
import { signWebhook, verifyWebhook, type WebhookHeaders } from './webhook.ts';

const secret = 'whsec_3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=';
const timestampSeconds = 1_795_253_402;
const body = '{"id":"evt_1","type":"payment.debited","data":{"id":"pi_1","description":"São"}}';
const at = (seconds: number) => ({ now: new Date((timestampSeconds + seconds) * 1_000) });
/** Signs any event like the gateway. */
const deliveryHeaders = (delivery: Omit<SignedDelivery, 'eventId' | 'sequence'>) =>
  headersOf({ eventId: '019aa5d4-e0fb-7000-8000-000000000001', sequence: 1, ...delivery });
const headers = deliveryHeaders({ secret, timestampSeconds, body });
const reason = (name: string) => ({ name: 'WebhookVerificationError', reason: name });

test('accepts a signed delivery, as text or bytes', async () => {
  const bytes = Buffer.from(body);
  for (const raw of [body, bytes, new Uint8Array(bytes), new Uint8Array(bytes).buffer]) {
    const event = await verifyWebhook(raw, headers, secret, at(0));
    assert.deepEqual(event, JSON.parse(body));
  }
});

test("accepts headers as a record in any case, with Node's lists, or as Headers", async () => {
  const renamed = (change: (name: string) => string) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]));
  const forms: WebhookHeaders[] = [
    renamed((name) => name.toLowerCase()),
    renamed((name) => name.toUpperCase()),
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    new Headers(headers),
    { ...headers, accept: undefined, 'set-cookie': ['a', 'b'] },
  ];
  for (const form of forms) await verifyWebhook(body, form, secret, at(0));
});

test('accepts either secret during a rotation, and no third', async () => {
  const nextSecret = 'whsec_next';
  const both = deliveryHeaders({ secret, nextSecret, timestampSeconds, body });
  assert.ok(both['X-Service-Signature-Next']);
  await verifyWebhook(body, both, secret, at(0));
  await verifyWebhook(body, both, nextSecret, at(0));
  const wrong = verifyWebhook(body, both, 'whsec_third', at(0));
  await assert.rejects(wrong, reason('WRONG_SIGNATURE'));
});

test('rejects a change of any byte, of the timestamp or of the secret', async () => {
  const refused = async (raw: string, form: WebhookHeaders, key = secret) =>
    assert.rejects(verifyWebhook(raw, form, key, at(0)), reason('WRONG_SIGNATURE'));
  for (let index = 0; index < body.length; index++) {
    await refused(`${body.slice(0, index)}~${body.slice(index + 1)}`, headers);
  }
  await refused(`${body} `, headers);
  await refused(body, { ...headers, 'X-Service-Timestamp': `${timestampSeconds + 1}` });
  await refused(body, headers, secret.slice('whsec_'.length));
});

test('rejects a signature that is wrong, too short, too long or not hex', async () => {
  const genuine = headers['X-Service-Signature']!;
  const forged = [
    '',
    ' ',
    genuine.slice(2),
    genuine.slice(0, -2),
    genuine.slice(1),
    `${genuine}00`,
    `${genuine}, ${genuine}`,
    `${genuine.slice(0, -1)}${genuine.endsWith('0') ? '1' : '0'}`,
    'z'.repeat(64),
    sign('whsec_other', timestampSeconds, body),
  ];
  for (const signature of forged) {
    const form = { ...headers, 'X-Service-Signature': signature, 'X-Service-Signature-Next': '' };
    await assert.rejects(
      verifyWebhook(body, form, secret, at(0)),
      reason('WRONG_SIGNATURE'),
      signature,
    );
  }
  const shouted = { ...headers, 'X-Service-Signature': genuine.toUpperCase() };
  await verifyWebhook(body, shouted, secret, at(0));
});

test('rejects a timestamp more than 5 minutes before or after now', async () => {
  const verdict = (seconds: number, toleranceSeconds?: number) =>
    verifyWebhook(body, headers, secret, { ...at(seconds), toleranceSeconds });
  for (const seconds of [-300, -1, 0, 299, 300]) await verdict(seconds);
  for (const seconds of [-301, 301, 300.5, 4_000, Number.NaN]) {
    await assert.rejects(verdict(seconds), reason('STALE_TIMESTAMP'), `${seconds} s`);
  }
  await verdict(10, 10);
  await assert.rejects(verdict(11, 10), reason('STALE_TIMESTAMP'));
  await assert.rejects(verdict(0, Number.NaN), reason('STALE_TIMESTAMP'));
  const now = Math.floor(Date.now() / 1_000);
  await verifyWebhook(body, deliveryHeaders({ secret, timestampSeconds: now, body }), secret);
});

test('treats a signed timestamp that is not a number as stale', async () => {
  const signature = sign(secret, 'soon' as unknown as number, body);
  const form = { 'x-service-timestamp': 'soon', 'x-service-signature': signature };
  await assert.rejects(verifyWebhook(body, form, secret, at(0)), reason('STALE_TIMESTAMP'));
});

test('rejects a missing or repeated header', async () => {
  for (const name of ['X-Service-Signature', 'X-Service-Timestamp']) {
    for (const value of [undefined, [], [headers[name]!, headers[name]!]]) {
      const refused = verifyWebhook(body, { ...headers, [name]: value }, secret, at(0));
      await assert.rejects(refused, reason('MISSING_HEADER'));
    }
  }
});

test('signs as the gateway does, for tests of receivers', async () => {
  const now = new Date(timestampSeconds * 1_000 + 999);
  const signed = await signWebhook(body, secret, { now });
  assert.deepEqual(signed, {
    'x-service-timestamp': String(timestampSeconds),
    'x-service-signature': sign(secret, timestampSeconds, body),
  });
  assert.equal(
    (await verifyWebhook(body, await signWebhook(body, secret), secret)).id,
    JSON.parse(body).id,
  );
});

test('reports a parsed body and an empty secret as mistakes of the program', async () => {
  const parsed = JSON.parse(body);
  await assert.rejects(verifyWebhook(parsed, headers, secret), /not parsed/);
  await assert.rejects(verifyWebhook(body, headers, ''), /is it set/);
});

test('rejects a signed body that is not an event', async () => {
  for (const raw of ['', '{}', 'null', '{"id":1,"type":"x"}', Buffer.from([0x22, 0xff, 0x22])]) {
    const form = {
      'x-service-timestamp': String(timestampSeconds),
      'x-service-signature': sign(secret, timestampSeconds, raw),
    };
    await assert.rejects(verifyWebhook(raw, form, secret, at(0)), reason('NOT_AN_EVENT'));
  }
});
