import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { apiOf, eventually, type TestGateway, testGateway, testKey } from '../support/gateway.ts';

const atOnce = 500;
const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
/** A row of some 4 KB. */
const note = { note: 'x'.repeat(3_500) };

const lists = [
  '/v1/payments',
  '/v1/payments?status=CREATED&operator=MOCK',
  '/v1/refunds',
  '/v1/settlements',
  '/v1/checkout/sessions',
  '/v1/products',
  '/v1/payment-links',
  '/v1/webhooks',
  '/v1/events',
];

/** Configured like `npm start`; the later life of the payments is not part of the burst. */
const start = (context: TestContext) =>
  testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });

/** One of each kind, with the fields that a merchant fills. */
async function fill({ api }: TestGateway, count: number) {
  const kinds: [string, object][] = [
    ['/v1/payments', { ...payment, metadata: note }],
    ['/v1/checkout/sessions', { amount: 5_000, metadata: note }],
    ['/v1/products', { name: 'Café', price: 100, metadata: note }],
    ['/v1/payment-links', { description: 'Quota', amount: 100, metadata: note }],
  ];
  const ids: Record<string, string> = {};
  for (const [path, body] of kinds)
    for (let made = 0; made < count; made++) {
      const { status, body: answer, text } = await api('POST', path, body);
      assert.equal(status, 200, text);
      ids[path] = answer.id;
    }
  return ids;
}

/** How many answers of each status there were. */
async function statuses(requests: Promise<{ status: number; text: string }>[]) {
  const answers = await Promise.all(requests);
  const refused = answers.find(({ status }) => status !== 200);
  assert.equal(refused?.text, undefined);
  return answers.length;
}

test('answers 500 lists at once on each route, empty and with rows of 4 KB', async (context) => {
  const gateway = await start(context);
  const ask = (path: string) =>
    statuses(Array.from({ length: atOnce }, () => gateway.api('GET', path)));
  assert.equal(await ask(lists[0]!), atOnce);
  await fill(gateway, 20);
  for (const path of lists) assert.equal(await ask(path), atOnce, path);
});

test('answers 500 creates, gets and lists at once', async (context) => {
  const gateway = await start(context);
  const { api } = gateway;
  const ids = await fill(gateway, 20);
  const asked: ((n: number) => ReturnType<typeof api>)[] = [
    ...lists.map((path) => () => api('GET', path)),
    ...Object.entries(ids).map(
      ([path, id]) =>
        () =>
          api('GET', `${path}/${id}`),
    ),
    (n) =>
      api('POST', '/v1/payments', { ...payment, metadata: note }, { 'idempotency-key': `k${n}` }),
    () => api('POST', '/v1/checkout/sessions', { amount: 5_000, metadata: note }),
    () => api('POST', '/v1/products', { name: 'Café', price: 100, metadata: note }),
  ];
  const requests = Array.from({ length: atOnce }, (_, n) => asked[n % asked.length]!(n));
  assert.equal(await statuses(requests), atOnce);
});

/** Connections that request the largest page, and read nothing of the answer. */
async function readNothing(context: TestContext, { url }: TestGateway, key: string) {
  const { hostname, port } = new URL(url);
  const request = `GET /v1/payments?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  for (let count = 0; count < 20; count++) {
    const socket = connect({ host: hostname, port: Number(port) });
    context.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.pause();
    await once(socket, 'connect');
    socket.write(request);
  }
}

test('does not delay small lists for tenants that read nothing of their large pages, even if those seemed small before', async (context) => {
  const gateway = await start(context);
  const { database } = gateway;
  const heavy = { ...payment, metadata: { note: 'x'.repeat(64 * 1024 - 11) } };
  for (let tenant = 0; tenant < 3; tenant++) {
    const key = await testKey(database);
    const api = apiOf(gateway.url, key);
    assert.equal((await api('GET', '/v1/payments')).status, 200);
    for (let count = 0; count < 100; count++)
      assert.equal((await api('POST', '/v1/payments', heavy)).status, 200);
    await readNothing(context, gateway, key);
  }
  const held = async () => {
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    return Number(/^zimbo_memory_bytes\{use="requests",mode="test"\} (\d+)$/m.exec(metrics)?.[1]);
  };
  await eventually('they hold what they may', async () => (await held()) > 8 * 1024 * 1024);
  const requests = Array.from({ length: 100 }, () => gateway.api('GET', '/v1/payments'));
  assert.equal(await statuses(requests), 100);
});
