import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, parseId, randomIds } from '../../src/platform/values/ids.ts';
import { issueKey, type KeyOrder } from '../../src/tenants/merchants/keys.ts';
import { rollKey } from '../../src/tenants/merchants/roll-key.ts';
import { okPhone, pageOf, reachStatus } from '../support/checkout.ts';
import {
  anotherGateway,
  apiOf,
  eventually,
  reach,
  type TestGateway,
  testGateway,
  zimboOf,
} from '../support/gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: okPhone } as const;

/** Another key of the gateway's first merchant. */
async function keyWith({ database }: TestGateway, order: Partial<KeyOrder> = {}) {
  const [merchant] = await database.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  const dependencies = { database, clock: systemClock, ids: randomIds() };
  return issueKey(dependencies, { merchantId: merchant!.id, mode: 'test', ...order });
}

async function debited({ zimbo }: TestGateway, count: number): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: count }, () => zimbo.payments.create({ ...payment })),
  );
  for (const { id } of made) await reach(zimbo.payments, id, 'DEBITED');
  return made.map(({ id }) => id);
}

test('a key works from its addresses only, whoever the proxy says that asks', async (context) => {
  const gateway = await testGateway(context, { environment: { TRUST_PROXY: '127.0.0.1' } });
  const allowedAddresses = ['192.0.2.7', '198.51.100.0/24', '2001:db8:5::/48'];
  const { key } = await keyWith(gateway, { terms: { allowedAddresses } });
  const from = (address: string) =>
    apiOf(gateway.url, key)('GET', '/v1/balance', undefined, { 'x-forwarded-for': address });
  for (const address of ['192.0.2.7', '198.51.100.255', '2001:db8:5:1::9', '::ffff:192.0.2.7']) {
    assert.equal((await from(address)).status, 200, address);
  }
  for (const address of ['192.0.2.8', '198.51.101.0', '2001:db8:6::', '::ffff:192.0.2.8', '::1']) {
    const answer = await from(address);
    assert.equal(answer.status, 403, address);
    assert.equal(answer.body.error.code, 'ADDRESS_NOT_ALLOWED');
  }
});

test('a client that hangs up while its key is looked up ends its request alone', async (context) => {
  const first = await testGateway(context);
  const { database } = first;
  const { key } = await keyWith(first, { terms: { allowedAddresses: ['192.0.2.7'] } });
  await database.query({ text: 'UPDATE api_keys SET last_used_at = now()' });
  // The gateway has loaded recently used keys, so their look-up charges no address.
  const { url } = await anotherGateway(context, first.databaseUrl);
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE' });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const lines = ['GET /v1/balance HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`, '', ''];
    socket.write(lines.join('\r\n'));
    const text = `SELECT FROM pg_locks WHERE relation = 'api_keys'::regclass AND NOT granted`;
    await eventually('it is looked up', async () => (await transaction.query({ text })).length > 0);
    socket.resetAndDestroy();
    await once(socket, 'close');
    // The process learns of the first change before the second.
    await fetch(`${url}/healthz`);
  });
  const answer = await apiOf(url, key)('GET', '/v1/balance');
  assert.equal(answer.body.error.code, 'ADDRESS_NOT_ALLOWED');
});

test('a rolled key and its successor both work until the overlap ends', async (context) => {
  const gateway = await testGateway(context);
  const { database, url } = gateway;
  const old = await keyWith(gateway);
  const dependencies = { database, clock: systemClock, ids: randomIds() };
  const next = await rollKey(dependencies, old.id, { overlapMs: 3_600_000 });
  for (const { key } of [old, next]) {
    assert.equal((await apiOf(url, key)('GET', '/v1/balance')).status, 200);
  }
  const past = `UPDATE api_keys SET expires_at = now() - interval '1 ms' WHERE id = $1`;
  await database.query({ text: past }, [old.id]);
  await eventually('the old key is refused', async () => {
    const answer = await apiOf(url, old.key)('GET', '/v1/balance');
    return answer.status === 401 && /expired/.test(answer.body.error.message);
  });
  assert.equal((await apiOf(url, next.key)('GET', '/v1/balance')).status, 200);
});

test('a key asks for no payment and no checkout session above its limit', async (context) => {
  const gateway = await testGateway(context);
  const { key } = await keyWith(gateway, { terms: { maxPaymentMinor: 5_000n } });
  const api = apiOf(gateway.url, key);
  const refused = await Promise.all([
    api('POST', '/v1/payments', { ...payment, amount: 5_001 }),
    api('POST', '/v1/checkout/sessions', { amount: 5_001 }),
    api('POST', '/v1/checkout/sessions', {
      items: [{ name: 'Cachupa', quantity: 2, unitPrice: 2_501 }],
    }),
  ]);
  for (const { status, body } of refused) {
    assert.equal(status, 403);
    assert.equal(body.error.code, 'KEY_LIMIT_EXCEEDED');
    assert.match(body.error.message, /at most 5000 centavos \(CVE\)/);
  }
  assert.equal((await api('POST', '/v1/payments', { ...payment, amount: 5_000 })).status, 200);
  assert.equal((await api('POST', '/v1/checkout/sessions', { amount: 5_000 })).status, 200);
});

test('the link of a key charges no more than the key may, however dear its product becomes', async (context) => {
  const gateway = await testGateway(context);
  const { key } = await keyWith(gateway, { terms: { maxPaymentMinor: 5_000n } });
  const product = await gateway.zimbo.products.create({ name: 'Café', price: 4_000 });
  const given = { description: 'Café', productId: product.id };
  const { body: link } = await apiOf(gateway.url, key)('POST', '/v1/payment-links', given);
  const use = async () => {
    const address = `${gateway.url}${new URL(link.url).pathname}`;
    const init = { method: 'POST', redirect: 'manual', body: new URLSearchParams() } as const;
    return (await fetch(address, init)).status;
  };
  assert.equal(await use(), 303);
  await gateway.zimbo.products.update(product.id, { price: 5_001 });
  assert.equal(await use(), 409);
  await gateway.zimbo.products.update(product.id, { price: 5_000 });
  assert.equal(await use(), 303);
});

test('what a key asked for before its limit was lowered keeps its answer', async (context) => {
  const gateway = await testGateway(context);
  const { id, key } = await keyWith(gateway);
  const first = await apiOf(gateway.url, key)('POST', '/v1/payments', payment, {
    'idempotency-key': 'order-1',
  });
  const text = 'UPDATE api_keys SET max_payment_minor = 1 WHERE id = $1';
  await gateway.database.query({ text }, [id]);
  await eventually('the limit holds', async () => {
    const { status } = await apiOf(gateway.url, key)('POST', '/v1/payments', payment);
    return status === 403;
  });
  const again = await apiOf(gateway.url, key)('POST', '/v1/payments', payment, {
    'idempotency-key': 'order-1',
  });
  assert.equal(again.status, 200);
  assert.equal(again.text, first.text);
});

test('refunds of one key exceed its daily limit not even when they come at once', async (context) => {
  const gateway = await testGateway(context);
  const { id, key } = await keyWith(gateway, { terms: { maxRefundedPerDayMinor: 25_000n } });
  const api = apiOf(gateway.url, key);
  const payments = await debited(gateway, 4);
  const answers = await Promise.all(
    payments.map((paymentIntentId) => api('POST', '/v1/refunds', { paymentIntentId })),
  );
  const refused = answers.filter(({ status }) => status === 403);
  const taken = answers.filter(({ status }) => status === 200);
  assert.deepEqual([taken.length, refused.length], [2, 2]);
  for (const { body } of refused) {
    assert.equal(body.error.code, 'KEY_LIMIT_EXCEEDED');
    assert.match(body.error.message, /at most 25000 centavos \(CVE\) a day.*5000 are left/);
  }
  const left = payments[answers.indexOf(refused[0]!)];
  const rest = { paymentIntentId: left, amount: 5_000 };
  assert.equal((await api('POST', '/v1/refunds', rest)).status, 200, 'what is left is left');
  const unlimited = { paymentIntentId: left, amount: 1_000 };
  assert.equal((await gateway.api('POST', '/v1/refunds', unlimited)).status, 200);
  const yesterday = 'UPDATE api_key_refund_days SET day = day - 1 WHERE key_id = $1';
  await gateway.database.query({ text: yesterday }, [id]);
  assert.equal((await api('POST', '/v1/refunds', unlimited)).status, 200, 'a day has its own');
});

test('a refund that is sent again under its key counts once', async (context) => {
  const gateway = await testGateway(context);
  const { key } = await keyWith(gateway, { terms: { maxRefundedPerDayMinor: 10_000n } });
  const [paymentIntentId] = await debited(gateway, 1);
  for (const expected of [undefined, 'true']) {
    const answer = await apiOf(gateway.url, key)(
      'POST',
      '/v1/refunds',
      { paymentIntentId },
      { 'idempotency-key': 'refund-1' },
    );
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('idempotent-replayed') ?? undefined, expected);
  }
});

test('payments, refunds and checkout sessions say which key made them', async (context) => {
  const gateway = await testGateway(context);
  const { database, url } = gateway;
  const { id, key } = await keyWith(gateway);
  const zimbo = zimboOf(url, key);
  const made = await zimbo.payments.create({ ...payment });
  await reach(zimbo.payments, made.id, 'DEBITED');
  const refund = await zimbo.refunds.create({ paymentIntentId: made.id });
  const session = await zimbo.checkout.sessions.create({ amount: 1_000 });
  await pageOf(gateway, session).pay(okPhone);
  const completed = await reachStatus(gateway, session, 'COMPLETED');
  const makers = await database.query({
    text: `SELECT id, created_by_key AS key FROM payments
      UNION ALL SELECT id, created_by_key FROM refunds
      UNION ALL SELECT id, created_by_key FROM checkout_sessions`,
  });
  const uuid = (text: string) => parseId(text.split('_')[0] as 'pi', text)!;
  const all = [made.id, refund.id, session.id, completed.paymentIntentId!];
  assert.deepEqual(
    new Map(makers.map((row) => [(row as { id: string }).id, row])),
    new Map(all.map((each) => [uuid(each), { id: uuid(each), key: id }])),
  );
});

test('the line of a request names the key, and never holds it', async (context) => {
  const lines: string[] = [];
  const log = pino(
    { level: 'debug' },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  const gateway = await testGateway(context, { log });
  const { id, key } = await keyWith(gateway, { permissions: ['events:read'] });
  await apiOf(gateway.url, key)('GET', '/v1/events');
  await apiOf(gateway.url, key)('GET', '/v1/balance');
  const requests = () =>
    lines.filter((line) => line.includes(`"apiKeyId":"${formatId('ak', id)}"`));
  await eventually('both are logged', () => requests().length === 2);
  assert.match(requests()[1]!, /"status":403/);
  assert.ok(!lines.join('').includes(key.slice(8)));
});

test('when a key was used last is written down, and not by requests that it was refused', async (context) => {
  const gateway = await testGateway(context, { timing: { keyUseIntervalMs: 50 } });
  const used = await keyWith(gateway);
  const elsewhere = await keyWith(gateway, { terms: { allowedAddresses: ['192.0.2.7'] } });
  const atOf = async (id: string) => lastUse(gateway, id);
  assert.equal(await atOf(used.id), null);
  const beforeMs = gateway.gateway.clock.nowMs();
  for (const { key } of [elsewhere, used]) await apiOf(gateway.url, key)('GET', '/v1/balance');
  await eventually('it is written', async () => (await atOf(used.id)) !== null);
  assert.ok((await atOf(used.id))! >= beforeMs - 1);
  assert.equal(await atOf(elsewhere.id), null);
});

test('an orderly stop writes down which keys were used', async (context) => {
  const gateway = await testGateway(context);
  const { id, key } = await keyWith(gateway);
  await apiOf(gateway.url, key)('GET', '/v1/balance');
  await gateway.gateway.stop();
  assert.notEqual(await lastUse(gateway, id), null);
});

async function lastUse({ database }: TestGateway, id: string) {
  const text = 'SELECT last_used_at AS at FROM api_keys WHERE id = $1';
  return (await database.query<{ at: number | null }>({ text }, [id]))[0]!.at;
}
