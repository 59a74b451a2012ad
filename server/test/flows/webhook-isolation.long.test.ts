import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { type Api, apiOf, eventually, testGateway, testKey } from '../support/gateway.ts';
import { type Receiver, testReceiver } from '../support/receiver.ts';

const events = ['payment.created'];
const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912159' };

/** The initial limit of an endpoint, before it is known to hang. */
const beginning = 2;

/** Accepts connections and requests, and never answers. */
async function hangingReceiver(context: TestContext) {
  const sockets = new Set<Socket>();
  let opened = 0;
  /** How many were open at once, after the first few. */
  let most = 0;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).resume());
    socket.on('close', () => sockets.delete(socket));
    opened += 1;
    if (opened > beginning) most = Math.max(most, sockets.size);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Before the gateway stops, which waits for sends under way.
  cleanUp(context, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    connections: () => sockets.size,
    opened: () => opened,
    most: () => most,
  };
}

async function register(api: Api, url: string, count = 1): Promise<void> {
  for (let number = 0; number < count; number++) {
    const { status } = await api('POST', '/v1/webhooks', {
      url: new URL(`/${number}`, url).href,
      events,
    });
    assert.equal(status, 200);
  }
}

/** Creates payments, ten at a time, and returns their ids. */
async function pay(api: Api, count: number): Promise<string[]> {
  const create = async () => (await api('POST', '/v1/payments', payment)).body.id as string;
  const ids: string[] = [];
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: 10 }, create))));
  return ids;
}

const arrived = (receiver: Receiver, ids: string[]) =>
  eventually('everything arrives at the healthy endpoint', () => {
    const got = new Set(receiver.received.map(({ event }) => event.data.id));
    return ids.every((id) => got.has(id));
  });

test('delivers everything to one endpoint while the nine others of its tenant hang', async (context) => {
  // Longer than the test waits: no hanging request ends before the healthy endpoint has everything.
  const { api } = await testGateway(context, { timing: { deliveryTimeoutMs: 60_000 } });
  const hanging = await hangingReceiver(context);
  const healthy = await testReceiver(context);
  await register(api, hanging.url, 9);
  await register(api, healthy.url);
  await arrived(healthy, await pay(api, 200));
  await eventually('the nine others hang', () => hanging.connections() >= 9);
});

test('protects a tenant from thirty hanging endpoints of another, at first and while they are probed', async (context) => {
  const { url, api, database } = await testGateway(context, {
    environment: { WEBHOOK_ENDPOINTS_PER_HOST: '30' },
    timing: { deliveryTimeoutMs: 1_000 },
  });
  const other = apiOf(url, await testKey(database));
  const hanging = await hangingReceiver(context);
  const healthy = await testReceiver(context);
  await register(other, hanging.url, 30);
  await register(api, healthy.url);
  await pay(other, 20);
  await arrived(healthy, await pay(api, 100));
  await eventually('all thirty are known to hang', async () => {
    const text =
      'SELECT DISTINCT endpoint_id FROM deliveries WHERE attempt_count > 0 AND last_error IS NOT NULL';
    return (await database.query({ text })).length === 30;
  });
  await pay(other, 20);
  await arrived(healthy, await pay(api, 100));
});

test('keeps one delivery under way to an endpoint that hangs, however many have waited in vain', async (context) => {
  const { api } = await testGateway(context, { timing: { deliveryTimeoutMs: 300 } });
  const hanging = await hangingReceiver(context);
  await register(api, hanging.url);
  await pay(api, 100);
  await eventually(
    'it was probed for longer than a lease',
    () => hanging.opened() >= beginning + 6,
  );
  // Connections from the beginning may still be closing.
  assert.ok(hanging.most() < 4 * beginning, `${hanging.most()} at once`);
});

test('treats an endpoint that answers 200 just before the time-out like one that never answers', async (context) => {
  const { api } = await testGateway(context, { timing: { deliveryTimeoutMs: 1_500 } });
  let underWay = 0;
  let answered = 0;
  /** How many were under way at once, after those of the beginning. */
  let most = 0;
  const server = createHttpServer((request, response) => {
    request.resume();
    underWay += 1;
    if (answered >= beginning) most = Math.max(most, underWay);
    setTimeout(() => {
      underWay -= 1;
      answered += 1;
      response.end();
    }, 700);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => server.close());
  await register(api, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await pay(api, 20);
  await eventually('some were answered', () => answered >= beginning + 4);
  assert.equal(most, 1, 'it is only probed');
});
