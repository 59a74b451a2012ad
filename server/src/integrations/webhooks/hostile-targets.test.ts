import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { hostileHosts, hostileNames, spellingsOfIpv4 } from '../../../test/support/hostile.ts';
import { listen, receive, requestTo, senderFor } from '../../../test/support/webhook-receiver.ts';

const lookup = async (hostname: string) => {
  const addresses = hostileNames[hostname];
  assert.ok(addresses, `${hostname} is looked up, and is no name of the table`);
  return addresses.map((address) => ({ address }));
};

const notPublic =
  'the target address is not public: set WEBHOOK_ALLOW_PRIVATE=true to send webhooks to your own network';

const guardedSender = (t: TestContext) =>
  senderFor(t, { allowPrivate: { live: false, test: false }, lookup, timeoutMs: 5_000 });

/** On every local address; without IPv6, on those of IPv4. */
function listenEverywhere(t: TestContext) {
  const server = createServer((_request, response) => response.end());
  return listen(t, server, '::').catch(() => listen(t, server, '0.0.0.0'));
}

test(`reaches a local receiver by none of ${hostileHosts.length} hostile targets, over http or https`, async (t) => {
  assert.ok(new Set(hostileHosts).size >= 300);
  const receiver = await listenEverywhere(t);
  const sender = guardedSender(t);
  const urls = hostileHosts.flatMap((host) =>
    ['http', 'https'].map((protocol) => `${protocol}://${host}:${receiver.port}/hook`),
  );
  await Promise.all(
    urls.map(async (url) => {
      const { error, delivered } = await sender.send(requestTo(url));
      assert.deepEqual({ delivered, error }, { delivered: false, error: notPublic }, url);
    }),
  );
  assert.equal(receiver.connections(), 0);
});

test('reaches the receiver by each spelling of 127.0.0.1 in the table, if allowed', async (t) => {
  const receiver = await listenEverywhere(t);
  const sender = senderFor(t);
  for (const host of spellingsOfIpv4('127.0.0.1')) {
    const url = `http://${host}:${receiver.port}/hook`;
    assert.equal((await sender.send(requestTo(url))).error, null, url);
  }
});

test('opens no forbidden address on any port', async (t) => {
  const sender = guardedSender(t);
  for (const port of [0, 1, 22, 25, 53, 80, 443, 2375, 5432, 6379, 8080, 9200, 11211, 65535]) {
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '169.254.169.254']) {
      const url = `http://${host}:${port}/`;
      assert.equal((await sender.send(requestTo(url))).error, notPublic, url);
    }
  }
});

test('reaches the same receiver if private targets are allowed, and only in that mode', async (t) => {
  const receiver = await receive(t, (_request, response) => response.end());
  const sender = senderFor(t, { allowPrivate: { live: false, test: true } });
  const reached = await sender.send(requestTo(receiver.url, 'test'));
  assert.equal(reached.delivered, true);
  const https = receiver.url.replace('http:', 'https:');
  const refused = await sender.send(requestTo(https, 'live'));
  assert.equal(refused.error, notPublic);
  assert.equal(receiver.connections(), 1);
});

test('does not send to a url that could not be stored today', async (t) => {
  const receiver = await receive(t, (_request, response) => response.end());
  const sender = senderFor(t, { allowPrivate: { live: true, test: true } });
  const host = `127.0.0.1:${receiver.port}`;
  const urls = [
    `http://ann:secret@${host}/`,
    `http://ann@${host}/`,
    `http://:secret@${host}/`,
    `http://shop.example@${host}/`,
    `http://shop.example%40x@${host}/`,
    `http://shop.example:80@${host}/`,
    `http://a:b@c:d@${host}/`,
    `ftp://${host}/`,
    `gopher://${host}/_POST`,
    `file://${host}/etc/passwd`,
    `data:text/plain,${host}`,
    `ws://${host}/`,
    `//${host}/`,
    `http:${host}/`,
    `http:/\\${host}/`,
    `http:\\\\${host}/`,
    `\thttp://${host}/`,
    `http://127.0.0.1:${receiver.port}\r\nX-Injected: 1/`,
    `http://127.0.0.1 .shop.example:${receiver.port}/`,
    `http://${host}/\0`,
    `http://127.0.0.1:99999/`,
    `http://127.0.0.1:-1/`,
    'http://127.0.0.1.1.1/',
    'http://256.0.0.1/',
    'http://0x100000000/',
    'http://[fe80::1%25lo]/',
    'http://[fe80::1%lo]/',
    'http://[::1%250]/',
    'http://[::ffff:127.0.0.1.]/',
    'http://[::1]x/',
    'http://[127.0.0.1]/',
    'nonsense',
    '',
  ];
  for (const url of urls) {
    const result = await sender.send(requestTo(url));
    assert.equal(result.delivered, false, url);
    assert.match(result.error ?? '', /^url must /, url);
  }
  assert.match((await sender.send(requestTo(receiver.url, 'live'))).error ?? '', /https/);
  assert.equal(receiver.connections(), 0);
});
