import { BlockList, isIP } from 'node:net';

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/** An address, or a name that can stand in a URL: 10.0.0.256 is neither. */
export const isHost = (text: string): boolean =>
  isIP(text) !== 0 || (/^[\w-]+(\.[\w-]+)*\.?$/.test(text) && URL.canParse(`http://${text}`));

/** Tells whether an address, as a socket names it, lies in one of these addresses and networks. */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const block = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    block.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return (address) => {
    // BlockList ignores zones, and treats text that is not an address as outside.
    if (address.includes('%')) return false;
    return isIP(address) !== 0 && block.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  };
}

/** An address, or a network as 192.0.2.0/24 or 2001:db8::/48; a network of all addresses is refused. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return false;
  const most = version === 4 ? 32 : 128;
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= most);
}
