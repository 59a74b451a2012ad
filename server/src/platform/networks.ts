import { BlockList, isIP } from 'node:net';

/** Tells whether an address, as a socket names it, lies in one of these addresses and networks. */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const block = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    block.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return (address) => {
    // BlockList ignores zones, and takes text that is no address for one outside.
    if (address.includes('%')) return false;
    return isIP(address) !== 0 && block.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  };
}
