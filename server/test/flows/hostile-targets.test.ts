import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  type Api,
  apiOf,
  eventually,
  plainStart,
  testGateway,
  testKey,
} from '../support/gateway.ts';
import { hostileHosts } from '../support/hostile.ts';
import { testReceiver } from '../support/receiver.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { listen } from '../support/webhook-receiver.ts';

const events = ['payment.debited'];

function listenEverywhere(t: TestContext) {
  return listen(t, createServer(), '::').catch(() => listen(t, createServer(), '0.0.0.0'));
}

/** The error of the first attempt to send the endpoint a test event. */
async function errorOfTest(api: Api, id: string): Promise<string> {
  const { body: sent } = await api('POST', `/v1/webhooks/${id}/test`);
  return eventually('the attempt is recorded', async () => {
    const { body } = await api('GET', `/v1/webhooks/${id}/deliveries/${sent.id}`);
    return body.attempts[0]?.error;
  });
}

test('never reaches a hostile target from an endpoint of a live key, in any spelling', async (context) => {
  const { url, database } = await testGateway(context, { environment: plainStart });
  const live = apiOf(url, await testKey(database, 'live'));
  const receiver = await listenEverywhere(context);
  // Only the tests give the names of the table their addresses.
  const hosts = hostileHosts.filter(
    (host) => !/\.(example|internal)$|^localhost(\.|%2e)$/.test(host),
  );
  const sample = hosts.filter((_, index) => index % 8 === 0 || index > hosts.length - 4);
  assert.ok(sample.length >= 50);
  await Promise.all(
    sample.map(async (host) => {
      const target = `https://${host}:${receiver.port}/hook`;
      const { status, body } = await live('POST', '/v1/webhooks', { url: target, events });
      // Addresses are refused at once; the addresses of a name are checked at each delivery.
      if (status === 400) {
        assert.match(body.error.message, /^url must lead to a public address/, host);
        return;
      }
      assert.equal(status, 200, target);
      const error = await errorOfTest(live, body.id);
      assert.match(error, /^the target address is not public/, host);
    }),
  );
  assert.equal(receiver.connections(), 0);
});

test('rejects a target of a live key with http or user info', async (context) => {
  const { url, database } = await testGateway(context, { environment: plainStart });
  const live = apiOf(url, await testKey(database, 'live'));
  for (const target of [
    'http://127.0.0.1/',
    'https://user:password@shop.example/',
    'https://shop.example@127.0.0.1/',
    'https://[fe80::1%25lo]/',
    'gopher://127.0.0.1/',
    'file:///etc/passwd',
  ]) {
    const { status, body } = await live('POST', '/v1/webhooks', { url: target, events });
    assert.equal(status, 400, target);
    assert.match(body.error.message, /^url must /, target);
  }
});

test('records a redirect to a hostile target as a redirect, and does not follow it', async (context) => {
  const { api } = await sharedGateway();
  const hostile = await listenEverywhere(context);
  const receiver = await testReceiver(context);
  const { body } = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  receiver.headers = { location: `http://127.0.0.1:${hostile.port}/` };
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.answer = () => status;
    const error = await errorOfTest(api, body.id);
    assert.equal(error, `answered ${status}; redirects are not followed`);
  }
  assert.equal(hostile.connections(), 0);
});
