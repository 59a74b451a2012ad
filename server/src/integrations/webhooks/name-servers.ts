import { Resolver } from 'node:dns/promises';
import type { Lookup } from './connector.ts';
import { HostsFile } from './hosts-file.ts';

export interface NameServerOptions {
  /** `address:port`; those of the system where none are given. */
  servers?: readonly string[];
  hosts?: HostsFile;
  /** For the first of two tries, of each server. */
  tryMs?: number;
  /** For everything. */
  longestMs?: number;
}

/**
 * Looks names up as the system does, in the hosts file and then at the name servers, but on none of libuv's few
 * threads: a name whose servers never answer holds up nobody else, and is given up in time.
 */
export function createNameServerLookup(options: NameServerOptions = {}): Lookup {
  const { servers, hosts = new HostsFile(), tryMs = 2_000, longestMs = 8_000 } = options;
  return async (hostname) => {
    const known = hosts.addressesOf(hostname);
    if (known.length > 0) return known.map((address) => ({ address }));
    // A new one each time: it knows the name servers that the system has now, and is cancelled alone.
    const resolver = new Resolver({ timeout: tryMs, tries: 2 });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), longestMs);
    try {
      return addressesIn(
        await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]),
      );
    } finally {
      clearTimeout(timer);
    }
  };
}

/** What the name has of either kind; many have only one. */
function addressesIn(answers: PromiseSettledResult<string[]>[]): { address: string }[] {
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map((address) => ({ address }));
  const isMissing = answers.every(
    (answer) => answer.status === 'fulfilled' || isOfNoName(answer.reason),
  );
  throw isMissing ? notFound() : lookupFailed();
}

const isOfNoName = ({ code }: { code?: string }) => code === 'ENOTFOUND' || code === 'ENODATA';

// As the system's own look-up reports them.
const notFound = () => Object.assign(new Error('name not found'), { code: 'ENOTFOUND' });
const lookupFailed = () => Object.assign(new Error('name look-up failed'), { code: 'EAI_AGAIN' });
