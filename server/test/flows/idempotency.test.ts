import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstVersionOf } from '../../src/platform/idempotency/idempotency.ts';
import {
  type Api,
  anotherGateway,
  apiOf,
  eventually,
  reach,
  testGateway,
} from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };

const keyCount = 10;
/**
 * Each request has a connection of its own, and the queue of connections that a busy gateway has not accepted yet
 * holds 511.
 */
const keysAtOnce = 4;

test('creates one payment for 100 requests at once under each of 10 keys, with 100 answers equal to the byte', async (context) => {
  const gateway = await testGateway(context, { environment: { RATE_LIMIT: 'off' } });
  const keys = Array.from({ length: keyCount }, (_, index) => `key ${index}`);
  const originals = new Map<string, string>();
  const hammer = async (key: string) => {
    const headers = { 'idempotency-key': key };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => gateway.api('POST', '/v1/payments', payment, headers)),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(answers.filter(({ headers }) => !headers.has('idempotent-replayed')).length, 1);
    originals.set(key, answers[0]!.text);
  };
  for (let start = 0; start < keyCount; start += keysAtOnce) {
    await Promise.all(keys.slice(start, start + keysAtOnce).map(hammer));
  }
  const count = { text: 'SELECT count(*)::integer AS count FROM payments' };
  assert.deepEqual(await gateway.database.query(count), [{ count: keyCount }]);

  const replayAll = async (api: Api) => {
    for (const key of keys) {
      const again = await api('POST', '/v1/payments', payment, { 'idempotency-key': key });
      assert.equal(again.text, originals.get(key));
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    }
  };
  await eventually('all payments are debited', async () => {
    const text = `SELECT status FROM payments WHERE status <> 'DEBITED'`;
    return (await gateway.database.query({ text })).length === 0;
  });
  await replayAll(gateway.api);
  const restarted = await anotherGateway(context, gateway.databaseUrl);
  await replayAll(apiOf(restarted.url, gateway.key));
});

test('ignores the order of keys in the body, but not their values', async () => {
  const { api } = await sharedGateway();
  const headers = { 'idempotency-key': 'order-1' };
  const first = await api(
    'POST',
    '/v1/payments',
    { ...payment, metadata: { a: 1, b: 2 } },
    headers,
  );
  const { operatorPhone, operator, amount } = payment;
  const reordered = { metadata: { b: 2, a: 1 }, operatorPhone, operator, amount };
  assert.equal((await api('POST', '/v1/payments', reordered, headers)).text, first.text);
  const other = await api('POST', '/v1/payments', { ...payment, amount: 10_001 }, headers);
  assert.equal(other.status, 409);
  assert.equal(other.body.error.code, 'IDEMPOTENCY_KEY_REUSED');
});

function meansTheSame(path: string, one: object, other: object): void {
  test(`treats two notations of the same request to ${path} as one request`, async (context) => {
    const { api } = await testGateway(context);
    const headers = { 'idempotency-key': 'the same' };
    const first = await api('POST', path, one, headers);
    const again = await api('POST', path, other, headers);
    assert.deepEqual([first.status, again.status], [200, 200], again.text);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  });
}

meansTheSame('/v1/payments', payment, {
  ...payment,
  operatorPhone: '(+238) 991.23-45',
  currency: 'CVE',
  metadata: null,
  description: null,
});
meansTheSame('/v1/payments', payment, {
  ...payment,
  operatorPhone: 'tel:\u202a00238–991–23–4５\u202c',
});
meansTheSame(
  '/v1/payments',
  { ...payment, operatorPhone: '+244 923 456 789' },
  { ...payment, operatorPhone: '+244923456789', currency: 'AOA' },
);
meansTheSame(
  '/v1/checkout/sessions',
  { items: [{ name: 'Café', quantity: 1, unitPrice: 100 }] },
  {
    items: [{ name: 'Café', quantity: 1, unitPrice: 100, description: null, productId: null }],
    amount: null,
    currency: 'CVE',
    expiresInMinutes: 1440,
    metadata: null,
  },
);
meansTheSame(
  '/v1/products',
  { name: 'Café', price: 100 },
  { name: 'Café', price: 100, currency: 'CVE', active: true, description: null },
);
meansTheSame(
  '/v1/webhooks',
  { url: 'http://127.0.0.1:9/', events: ['payment.debited'] },
  { url: 'http://127.0.0.1:9/', events: ['payment.debited'], description: null },
);

test('treats a body with another meaning as another request', async () => {
  const { api } = await sharedGateway();
  const headers = { 'idempotency-key': 'other' };
  const original = { ...payment, metadata: { a: null } };
  assert.equal((await api('POST', '/v1/payments', original, headers)).status, 200);
  for (const change of [
    { metadata: {} },
    { metadata: null },
    { currency: 'AOA' },
    { operatorPhone: '+2389912346' },
    { description: '' },
  ]) {
    const other = await api('POST', '/v1/payments', { ...original, ...change }, headers);
    assert.deepEqual([other.status, other.body.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  }
});

test('compares and answers requests of an older release by the rules of that release', async (context) => {
  const { api, database } = await testGateway(context);
  const headers = { 'idempotency-key': 'of before' };
  const asSent = { ...payment, operatorPhone: '+238 991 23 45', metadata: null };
  const first = await api('POST', '/v1/payments', asSent, headers);
  const asked = { amount: 1, description: 'a field that came later' };
  const session = await api('POST', '/v1/checkout/sessions', asked, headers);
  const older = (table: string) => ({
    text: `UPDATE ${table} SET rendering = 1, request_hash = $1`,
  });
  await database.query(older('payments'), [firstVersionOf(asSent)]);
  await database.query(older('checkout_sessions'), [firstVersionOf(asked)]);
  const again = await api('POST', '/v1/payments', asSent, headers);
  assert.equal(again.text, first.text);
  const sessionAgain = await api('POST', '/v1/checkout/sessions', asked, headers);
  assert.equal(
    sessionAgain.text,
    session.text.replace(`,"description":"${asked.description}"`, ''),
  );
  assert.equal('description' in sessionAgain.body, false);
  const otherwise = await api('POST', '/v1/payments', payment, headers);
  assert.equal(otherwise.status, 409, 'its key is compared with the body as it was sent');
  const { body } = await api('GET', `/v1/checkout/sessions/${session.body.id}`);
  assert.equal(body.description, asked.description, 'a get shows what there is by now');
});

test('replays a refund or a settlement with the fields of its release', async (context) => {
  const { api, zimbo, database } = await testGateway(context);
  const { id: paymentIntentId } = await zimbo.payments.create({ ...payment, operator: 'MOCK' });
  await reach(zimbo.payments, paymentIntentId, 'DEBITED');
  const asked = { refunds: { paymentIntentId, amount: 1_000 }, settlements: { currency: 'CVE' } };
  const paths = { refunds: '/v1/refunds', settlements: '/v1/settlements/process' };
  for (const table of ['refunds', 'settlements'] as const) {
    const ask = () => api('POST', paths[table], asked[table], { 'idempotency-key': 'a day' });
    const first = await ask();
    assert.equal(first.status, 200, first.text);
    assert.equal((await ask()).text, first.text);
    // No field was shown before the first rendering: as if all had been added since.
    await database.query({ text: `UPDATE ${table} SET rendering = 0` });
    const again = await ask();
    assert.deepEqual([again.status, again.text], [200, '{}']);
    const { body } = await api('GET', `/v1/${table}/${first.body.id}`);
    assert.deepEqual(
      Object.keys(body),
      Object.keys(first.body),
      'a get shows what there is by now',
    );
  }
});

test('forgets the key of a refused request', async () => {
  const { api } = await sharedGateway();
  const headers = { 'idempotency-key': 'refused-1' };
  const refused = await api('POST', '/v1/payments', { ...payment, amount: 0 }, headers);
  assert.equal(refused.status, 400);
  assert.equal((await api('POST', '/v1/payments', payment, headers)).status, 200);
});

test('accepts a key of 1 to 255 printable ASCII characters', async () => {
  const { api } = await sharedGateway();
  for (const key of ['k', ' x ', 'k'.repeat(255)]) {
    const headers = { 'idempotency-key': key };
    assert.equal((await api('POST', '/v1/payments', payment, headers)).status, 200, key);
  }
  for (const key of ['', 'k'.repeat(256), 'é', 'a\tb']) {
    const headers = { 'idempotency-key': key };
    assert.equal((await api('POST', '/v1/payments', payment, headers)).status, 400, key);
  }
});

test('accepts a key for webhook endpoints too, and repeats the secret in the replay', async () => {
  const { api } = await sharedGateway();
  const headers = { 'idempotency-key': 'we-1' };
  const endpoint = { url: 'http://127.0.0.1:9/', events: ['payment.debited'] };
  const first = await api('POST', '/v1/webhooks', endpoint, headers);
  const again = await api('POST', '/v1/webhooks', endpoint, headers);
  assert.equal(again.text, first.text);
  assert.equal((await api('GET', '/v1/webhooks')).body.data.length, 1);
});
