import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countStatements } from '../support/count-statements.ts';
import {
  anotherGateway,
  eventually,
  gatewayDatabase,
  plainStart,
  processCount,
  testGateway,
  testKey,
} from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';

/** One bucket that is soon empty, and does not fill up while a test looks. */
const narrow = { environment: { RATE_LIMIT_UNAUTHORIZED: '1/5' } };
const guesses = (count: number) =>
  Array.from({ length: count }, (_, guess) => `sk_live_${String(guess).padStart(32, '0')}`);

async function statusOf(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/v1/payments`, { headers: { authorization: `Bearer ${key}` } });
  await answer.text();
  return answer.status;
}

/** Requests of one address, some at once. */
async function statusesOf(url: string, keys: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (let from = 0; from < keys.length; from += 50) {
    const some = keys.slice(from, from + 50);
    statuses.push(...(await Promise.all(some.map((key) => statusOf(url, key)))));
  }
  return statuses;
}

test('limits database look-ups of a thousand unknown keys to their bucket', async (context) => {
  // The burst of the default; it fills up slowly, so that a busy machine does not count for more.
  const environment = { ZIMBO_ROLE: 'api', RATE_LIMIT_UNAUTHORIZED: '1/100' };
  const { url } = await testGateway(context, { environment });
  const statements = countStatements();
  const { counts } = statements;
  context.after(() => statements.stop());
  const statuses = await statusesOf(url, guesses(1_000));
  assert.deepEqual(new Set(statuses), new Set([401, 429]));
  const compared = statuses.filter((status) => status === 401).length;
  const lookups = counts.get('api_keys.find_by_hash') ?? 0;
  const all = counts.values().reduce((sum, count) => sum + count, 0);
  context.diagnostic(`${compared} keys compared, ${lookups} looked up, ${all} statements`);
  assert.ok(compared >= 100 && compared < 500, `${compared} keys compared`);
  assert.ok(lookups >= 100 && lookups <= compared, `${lookups} lookups`);
  assert.ok(all < 1_000, `${all} statements`);
});

test('locks out nobody behind an address with one wrong key', async (context) => {
  const gateway = await testGateway(context, narrow);
  assert.equal(await statusOf(gateway.url, gateway.key), 200);
  const statuses = await statusesOf(
    gateway.url,
    Array.from({ length: 30 }, () => guesses(1)[0]!),
  );
  assert.ok(statuses.includes(429));
  assert.equal(await statusOf(gateway.url, gateway.key), 200);
});

test('accepts recently used keys after a restart', async (context) => {
  const { url: databaseUrl, database } = await gatewayDatabase(context);
  const key = await testKey(database);
  const first = await anotherGateway(context, databaseUrl, narrow);
  assert.equal(await statusOf(first.url, key), 200);
  await first.gateway.stop();
  const { url } = await anotherGateway(context, databaseUrl, narrow);
  const authorization = `Bearer ${guesses(1)[0]}`;
  const refused = await eventually('the bucket is empty', async () => {
    const answer = await fetch(`${url}/v1/payments`, { headers: { authorization } });
    const body = (await answer.json()) as { error: { message: string } };
    return answer.status === 429 && body.error.message;
  });
  assert.match(refused, /from this address/);
  assert.equal(await statusOf(url, key), 200);
});

test('does not charge the bucket for new keys used concurrently', async (context) => {
  const gateway = await testGateway(context, narrow);
  for (let round = 0; round < 4; round++) {
    const keys = await Promise.all([1, 2, 3].map(() => testKey(gateway.database)));
    const statuses = await statusesOf(gateway.url, keys);
    assert.deepEqual(statuses, [200, 200, 200]);
  }
});

const proxied = { 'x-forwarded-for': '203.0.113.7' };

test('blocks private addresses for test keys once a proxy is detected', {
  skip:
    processCount > 1 && 'several processes never deliver there unless WEBHOOK_ALLOW_PRIVATE is set',
}, async (context) => {
  const { api } = await testGateway(context, { environment: plainStart });
  const receiver = await testReceiver(context);
  const events = ['payment.created'];
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  const payment = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' };
  await api('POST', '/v1/payments', payment);
  await eventually('a gateway of this machine delivers here', () => receiver.received.length === 1);
  await api('POST', '/v1/payments', payment, proxied);
  await eventually('the delivery is refused', async () => {
    const { body } = await api('GET', `/v1/webhooks/${endpoint.id}/deliveries`);
    return /not public|private/.test(body.data[0].error ?? '');
  });
  assert.equal(receiver.received.length, 1);
});

test('blocks private addresses for test keys in all gateways that share a database', async (context) => {
  const environment = { WEBHOOK_ALLOW_PRIVATE: '' };
  const { api, database, databaseUrl } = await testGateway(context, {
    environment: { ...environment, ZIMBO_ROLE: 'api' },
  });
  const worker = { ...environment, ZIMBO_ROLE: 'worker' };
  await anotherGateway(context, databaseUrl, { environment: worker });
  const receiver = await testReceiver(context);
  const events = ['payment.created'];
  const refused = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  assert.equal(refused.status, 400);
  const { body: endpoint } = await api('POST', '/v1/webhooks', {
    url: 'https://shop.example/',
    events,
  });
  await database.query({ text: 'UPDATE webhook_endpoints SET url = $1' }, [receiver.url]);
  const payment = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' };
  await api('POST', '/v1/payments', payment, proxied);
  const error = await eventually('the delivery is refused', async () => {
    const { body } = await api('GET', `/v1/webhooks/${endpoint.id}/deliveries`);
    return (body.data[0].error as string | null) ?? false;
  });
  assert.match(error, /not public: set WEBHOOK_ALLOW_PRIVATE=true/);
  assert.equal(receiver.received.length, 0);
});

test('allows private addresses behind a proxy if the setting says so', async (context) => {
  const { api } = await testGateway(context, { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const receiver = await testReceiver(context);
  await api('POST', '/v1/webhooks', { url: receiver.url, events: ['payment.created'] });
  const payment = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' };
  await api('POST', '/v1/payments', payment, proxied);
  await eventually('it arrives', () => receiver.received.length === 1);
});
