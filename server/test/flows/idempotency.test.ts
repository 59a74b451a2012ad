import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, anotherGateway, apiOf, eventually, testGateway } from '../gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };

const keyCount = 200;
const keysAtOnce = 10;

test('100 requests at once under each of 200 keys: one payment, 100 answers equal to the byte', async (context) => {
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

test('the order of keys in the body does not matter, their values do', async (context) => {
  const { api } = await testGateway(context);
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

test('a request that was refused leaves no trace of its key', async (context) => {
  const { api } = await testGateway(context);
  const headers = { 'idempotency-key': 'refused-1' };
  const refused = await api('POST', '/v1/payments', { ...payment, amount: 0 }, headers);
  assert.equal(refused.status, 400);
  assert.equal((await api('POST', '/v1/payments', payment, headers)).status, 200);
});

test('a key is 1 to 255 printable ASCII characters', async (context) => {
  const { api } = await testGateway(context);
  for (const key of ['k', ' x ', 'k'.repeat(255)]) {
    const headers = { 'idempotency-key': key };
    assert.equal((await api('POST', '/v1/payments', payment, headers)).status, 200, key);
  }
  for (const key of ['', 'k'.repeat(256), 'é', 'a\tb']) {
    const headers = { 'idempotency-key': key };
    assert.equal((await api('POST', '/v1/payments', payment, headers)).status, 400, key);
  }
});

test('webhook endpoints take a key too, and the secret comes again with the replay', async (context) => {
  const { api } = await testGateway(context);
  const headers = { 'idempotency-key': 'we-1' };
  const endpoint = { url: 'http://127.0.0.1:9/', events: ['payment.debited'] };
  const first = await api('POST', '/v1/webhooks', endpoint, headers);
  const again = await api('POST', '/v1/webhooks', endpoint, headers);
  assert.equal(again.text, first.text);
  assert.equal((await api('GET', '/v1/webhooks')).body.data.length, 1);
});
