import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressLimiter, networkOf } from './address-limit.ts';
import { RateLimiter } from './rate-limit.ts';

const networks: [address: string, network: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['64:ff9b::192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['no address', 'no address'],
  ['', ''],
];

test('maps an IPv4 address to itself and an IPv6 address to its /64', () => {
  for (const [address, network] of networks) assert.equal(networkOf(address), network, address);
});

test('gives each /64 one shared bucket', async () => {
  const limiter = new AddressLimiter(new RateLimiter({ perSecond: 1, burst: 2 }));
  const passes = async (address: string) => (await limiter.take(address, 0)).allowed;
  for (const [address, allowed] of [
    ['2001:db8::1', true],
    ['2001:db8::2', true],
    ['2001:db8::3', false],
  ] as const) {
    assert.equal(await passes(address), allowed);
  }
  assert.equal(await passes('2001:db8:0:1::1'), true);
  limiter.giveBack('2001:db8::4', 0);
  assert.equal(await passes('2001:db8::5'), true);
});
