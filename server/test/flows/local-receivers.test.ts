/** The default targets of test keys' webhooks on a developer's machine. */
import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { eventually, plainStart, processCount, testGateway } from '../support/gateway.ts';
import { receive } from '../support/webhook-receiver.ts';

const skip =
  processCount > 1 && 'several processes never deliver there unless WEBHOOK_ALLOW_PRIVATE is set';
const events = ['payment.created'];
const payment = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' };

/** The first attempt to deliver to an address. */
async function attemptAt(api: Awaited<ReturnType<typeof testGateway>>['api'], url: string) {
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url, events });
  await api('POST', '/v1/payments', payment);
  return eventually(`an attempt at ${url}`, async () => {
    const { body } = await api('GET', `/v1/webhooks/${endpoint.id}/deliveries`);
    const { body: one } = await api(
      'GET',
      `/v1/webhooks/${endpoint.id}/deliveries/${body.data[0]?.id}`,
    );
    return one?.attempts?.[0] ?? false;
  });
}

const talkative = (t: TestContext) =>
  receive(t, (_request, response) => response.writeHead(500).end('root:x:0:0'));

test('sends webhooks of test keys to a receiver on this machine, and hides its answers', {
  skip,
}, async (t) => {
  const { api } = await testGateway(t, { environment: plainStart });
  const { port } = await talkative(t);
  for (const host of ['127.0.0.1', 'localhost']) {
    const attempt = await attemptAt(api, `http://${host}:${port}/hook`);
    assert.equal(attempt.statusCode, 500, host);
    assert.equal(attempt.response, null, host);
  }
});

test('sends no webhook of a test key to the gateway itself, its database, or the local network', {
  skip,
}, async (t) => {
  const operations = await freePort();
  const environment = { ...plainStart, OPERATIONS_PORT: String(operations) };
  const { api, url, gateway, databaseUrl } = await testGateway(t, { environment });
  await gateway.operations!.listen({ port: operations, host: '127.0.0.1' });
  const ports = [new URL(url).port, operations, new URL(databaseUrl).port || 5432];
  const addresses = Object.values(networkInterfaces()).flat();
  const other = addresses.find((found) => found?.family === 'IPv4' && !found.internal)?.address;
  const { port } = await talkative(t);
  const targets = ports.flatMap((each) => [
    `http://127.0.0.1:${each}/`,
    `http://localhost:${each}/`,
    `http://[::1]:${each}/`,
  ]);
  for (const target of targets) {
    const attempt = await attemptAt(api, target);
    assert.match(attempt.error, /not public/, target);
  }
  const elsewhere = [
    `http://0.0.0.0:${port}/`,
    `http://[::ffff:10.0.0.1]:${port}/`,
    'http://169.254.169.254/',
    ...(other === undefined ? [] : [`http://${other}:${port}/`]),
  ];
  for (const target of elsewhere) {
    const refused = await api('POST', '/v1/webhooks', { url: target, events });
    assert.deepEqual([refused.status, refused.body.error.param], [400, 'url'], target);
  }
});

test('shows the answers of private addresses if the setting allows those', async (t) => {
  const { api } = await testGateway(t, { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const { url } = await talkative(t);
  assert.equal((await attemptAt(api, url)).response, 'root:x:0:0');
});
