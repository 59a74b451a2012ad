import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkMatcher } from './networks.ts';

test('an address is in a network, or is the address itself', () => {
  const isIn = networkMatcher(['203.0.113.7', '198.51.100.64/26', '2001:db8::/32', '::1']);
  for (const inside of [
    '203.0.113.7',
    '198.51.100.64',
    '198.51.100.127',
    '2001:db8::1',
    '2001:0DB8:ffff::',
    '::1',
    // As a socket that listens on both families names an IPv4 peer.
    '::ffff:203.0.113.7',
    '::ffff:198.51.100.100',
  ]) {
    assert.equal(isIn(inside), true, inside);
  }
  for (const outside of [
    '203.0.113.6',
    '203.0.113.70',
    '198.51.100.63',
    '198.51.100.128',
    '2001:db9::1',
    '::ffff:203.0.113.8',
    '::2',
    '2001:db8::1%eth0',
    '203.0.113.7, 203.0.113.7',
    ' 203.0.113.7',
    '203.0.113.7:443',
    '0203.0.113.7',
    'localhost',
    '',
  ]) {
    assert.equal(isIn(outside), false, outside);
  }
  assert.equal(networkMatcher([])('203.0.113.7'), false);
});

test('a network may be written with bits beyond its prefix, or in the other family', () => {
  assert.equal(networkMatcher(['10.1.2.3/8'])('10.200.0.1'), true);
  assert.equal(networkMatcher(['::ffff:10.0.0.0/104'])('10.200.0.1'), true);
  assert.equal(networkMatcher(['::ffff:10.0.0.7'])('10.0.0.7'), true);
  assert.equal(networkMatcher(['2001:db8::/32'])('1.2.3.4'), false);
});
