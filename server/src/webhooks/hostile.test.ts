import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { lookupAll } from './connector.ts';
import { listen, requestTo, senderFor } from './receiver.fixture.ts';

// Each reaches, or would on some network, a host that no delivery may reach.
const hostileAddresses = `
  127.0.0.1 127.1 127.0.1 127.0.0.1. 127.255.255.254 2130706433 0x7f000001 0x7f.1 0X7F.0x0.0x0.0x1
  0177.1 0177.0.0.1 017700000001 00000177.0.0.01 127.0x1 %31%32%37.0.0.1 １２７.０.０.１ ①②⑦.⓪.⓪.①
  127。0。0。1 127．1 𝟭𝟮𝟳.𝟬.𝟬.𝟭 0 0.0.0.0 0x0 00 10.0.0.1 012.1 10.255.255.255 167772161 100.64.0.1
  100.100.100.200 100.127.255.254 168.63.129.16 169.254.169.254 169.254.43518 2852039166 0xa9fea9fe
  0251.0376.0251.0376 0xa9.0xfe.0xa9.0xfe 172.16.0.1 172.31.255.254 192.0.0.1 192.0.0.192 192.0.2.1
  192.88.99.1 192.168.0.1 192.168.1 3232235521 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
  224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 0xffffffff
  [::] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::0.0.0.1] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [0:0:0:0:0:FFFF:7F00:0001] [::ffff:0.0.0.0] [::ffff:a9fe:a9fe] [::ffff:0:7f00:1] [::127.0.0.1]
  [::7f00:1] [64:ff9b::7f00:1] [64:ff9b::169.254.169.254] [64:ff9b:1::a9fe:a9fe] [2002:7f00:1::]
  [2002:a9fe:a9fe::1] [2001::1] [2001:0:7f00:1::] [2001:10::1] [2001:20::1] [2001:db8::1] [3fff::1]
  [100::1] [5f00::1] [4000::1] [fc00::1] [fd00:ec2::254] [fd20:ce::254] [fe80::1] [febf::1] [fec0::1]
  [ff02::1] [2620:4f:8000::1]`;

const hostileNames: Record<string, string[]> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'private.example': ['10.1.2.3'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'mixed.example': ['8.8.8.8', '127.0.0.1'],
  'mixed-first.example': ['127.0.0.1', '8.8.8.8'],
  'mixed6.example': ['2606:4700::1111', '::1'],
  'mixed46.example': ['8.8.8.8', '2606:4700::1111', 'fd00::1'],
  'zone.example': ['fe80::1%lo'],
  'nothing.example': [],
  'nonsense.example': ['localhost'],
  'localhost.': ['127.0.0.1'],
};

const lookup = async (hostname: string) =>
  hostileNames[hostname]?.map((address) => ({ address })) ?? lookupAll(hostname);

const hosts = [
  ...hostileAddresses.trim().split(/\s+/),
  ...Object.keys(hostileNames),
  'localhost',
  'LOCALHOST',
  'ｌｏｃａｌｈｏｓｔ',
];

test(`none of ${hosts.length} hostile spellings reaches a local receiver, by http or https`, async (t) => {
  const server = createServer((_request, response) => response.end());
  // Where there is no IPv6, the IPv4 side alone listens on every local address.
  const receiver = await listen(t, server, '::').catch(() => listen(t, server, '0.0.0.0'));
  const allowPrivate = { live: false, test: false };
  const sender = senderFor(t, { allowPrivate, lookup, timeoutMs: 2000 });
  for (const host of hosts) {
    for (const protocol of ['http', 'https']) {
      const url = `${protocol}://${host}:${receiver.port}/hook`;
      const { error, delivered } = await sender.send(requestTo(url));
      assert.deepEqual(
        { delivered, error },
        { delivered: false, error: 'the target address is not public' },
        url,
      );
    }
  }
  assert.equal(receiver.connections(), 0);
});

test('the same receiver is reached where private targets are allowed, and in that mode only', async (t) => {
  const receiver = await listen(
    t,
    createServer((_request, response) => response.end()),
  );
  const sender = senderFor(t, { allowPrivate: { live: false, test: true } });
  const reached = await sender.send(requestTo(receiver.url, 'test'));
  assert.equal(reached.delivered, true);
  const https = receiver.url.replace('http:', 'https:');
  const refused = await sender.send(requestTo(https, 'live'));
  assert.equal(refused.error, 'the target address is not public');
  assert.equal(receiver.connections(), 1);
});

test('a url that could not be stored today is not sent to', async (t) => {
  const receiver = await listen(
    t,
    createServer((_request, response) => response.end()),
  );
  const sender = senderFor(t, { allowPrivate: { live: true, test: true } });
  const urls = [
    `http://ann:secret@127.0.0.1:${receiver.port}/`,
    `ftp://127.0.0.1:${receiver.port}/`,
    `//127.0.0.1:${receiver.port}/`,
    'http://[fe80::1%25lo]/',
    'nonsense',
  ];
  for (const url of urls) {
    const result = await sender.send(requestTo(url));
    assert.equal(result.delivered, false);
    assert.match(result.error ?? '', /^url must /);
  }
  assert.match((await sender.send(requestTo(receiver.url, 'live'))).error ?? '', /https/);
  assert.equal(receiver.connections(), 0);
});
