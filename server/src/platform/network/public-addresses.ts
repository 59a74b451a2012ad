import { BlockList, isIP } from 'node:net';

// The IANA special-purpose registry (all of it: what is "globally reachable" there is still no
// merchant's server), multicast, reserved, and the platform address of Azure, public by its look only.
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

// Only this block is ever given to hosts on the internet, so loopback, mapped, NAT64, discard,
// unique local, link-local and multicast addresses need no rule of their own.
const globalIpv6 = '2000::/3';
const specialIpv6 = [
  '2001::/23', // Teredo, benchmarking, ORCHID, drone ids
  '2001:db8::/32',
  '2002::/16', // 6to4: carries any IPv4 address
  '2620:4f:8000::/48',
  '3fff::/20',
];

const blockOf = (ranges: readonly string[]) => {
  const block = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    block.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return block;
};

const ipv4Special = blockOf(specialIpv4);
const ipv6Global = blockOf([globalIpv6]);
const ipv6Special = blockOf(specialIpv6);

/** Whether a host on the public internet can have this address; anything but a plain IP address is not. */
export function isPublicAddress(address: string): boolean {
  // BlockList answers false for text it cannot parse, and ignores zones: neither may pass for public.
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !ipv4Special.check(address, 'ipv4');
  if (family === 6) return ipv6Global.check(address, 'ipv6') && !ipv6Special.check(address, 'ipv6');
  return false;
}

/** The address if the host is an IP literal; undefined if it is a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return bare;
  return /(^|\.)localhost\.?$/.test(bare) ? '127.0.0.1' : undefined;
}
