import { isIPv6 } from 'node:net';
import type { Allowance, Buckets } from './rate-limit.ts';

/**
 * The client that an address belongs to. The owner of an IPv6 address controls its whole /64, so a /64 counts
 * as one client. An IPv4 address embedded in IPv6 (mapped, or behind NAT64) counts as the IPv4 address.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return address;
  const groups = groupsOf(bare);
  const [first, second] = groups;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const isNat64 =
    first === 0x64 && second === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  if (isMapped || isNat64) {
    const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
    return bytes.join('.');
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = partOf(head);
  if (tail === undefined) return before;
  const after = partOf(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after];
}

function partOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

/** A token bucket for each address, or for each /64 of IPv6. */
export class AddressLimiter {
  #buckets: Buckets;

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
  }

  take(address: string | undefined, nowMs: number): Allowance | Promise<Allowance> {
    return this.#buckets.take(networkOf(address ?? ''), nowMs);
  }

  /** Returns a token for a request that turned out not to count. */
  giveBack(address: string | undefined, nowMs: number): void {
    this.#buckets.giveBack(networkOf(address ?? ''), nowMs);
  }
}
