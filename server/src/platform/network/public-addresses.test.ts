import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress } from './public-addresses.ts';

test('the first and the last address of every special range are not public', () => {
  const ranges = `
    0.0.0.0 0.255.255.255  10.0.0.0 10.255.255.255  100.64.0.0 100.127.255.255
    127.0.0.0 127.255.255.255  168.63.129.16 168.63.129.16  169.254.0.0 169.254.255.255
    172.16.0.0 172.31.255.255  192.0.0.0 192.0.0.255  192.0.2.0 192.0.2.255
    192.31.196.0 192.31.196.255  192.52.193.0 192.52.193.255  192.88.99.0 192.88.99.255
    192.168.0.0 192.168.255.255  192.175.48.0 192.175.48.255  198.18.0.0 198.19.255.255
    198.51.100.0 198.51.100.255  203.0.113.0 203.0.113.255  224.0.0.0 239.255.255.255
    240.0.0.0 255.255.255.255
    :: ::1  ::ffff:0:0 ::ffff:ffff:ffff  64:ff9b:: 64:ff9b::ffff:ffff
    64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff  100:: 100::ffff:ffff:ffff:ffff
    2001:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
    2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
    2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
    2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff
    3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff  5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff
    fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff
    fec0:: feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
    1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 4000::`;
  for (const address of ranges.trim().split(/\s+/))
    assert.equal(isPublicAddress(address), false, address);
});

test('their neighbours are public', () => {
  const addresses = `
    1.0.0.0 1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0
    191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255
    192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
    223.255.255.255
    2000:: 2001:200:: 2001:4860:4860::8888 2001:db7:ffff:: 2001:db9:: 2003:: 2606:4700::1111
    2620:4f:7fff:: 2620:4f:8001:: 2a00:: 3ffe:ffff:: 3fff:1000::`;
  for (const address of addresses.trim().split(/\s+/))
    assert.equal(isPublicAddress(address), true, address);
});

test('no IPv6 spelling that carries an IPv4 address is public', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ipv4) => {
      const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
      const high = ((a << 8) | b).toString(16);
      const low = ((c << 8) | d).toString(16);
      const spellings = [
        `::${ipv4}`,
        `::ffff:${ipv4}`,
        `::ffff:${high}:${low}`,
        `::ffff:0:${ipv4}`,
        `64:ff9b::${ipv4}`,
        `64:ff9b:1::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::1`,
      ];
      for (const spelling of spellings) assert.equal(isPublicAddress(spelling), false, spelling);
    }),
  );
});

test('what is not a plain address is not public', () => {
  const others = ['', 'localhost', '8.8.8', '08.8.8.8', '8.8.8.8:80', '[2a00::1]', '2a00::1%eth0'];
  for (const text of others) assert.equal(isPublicAddress(text), false, text);
});
