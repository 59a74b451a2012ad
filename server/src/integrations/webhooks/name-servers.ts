import { Resolver } from 'node:dns/promises';
import type { Lookup } from './connector.ts';
import { HostsFile } from './hosts-file.ts';

export interface NameServerOptions {
  /** `address:port`; by default the system's. */
  servers?: readonly string[];
  hosts?: HostsFile;
  /** The time limit of the first of two tries, for each server. */
  tryMs?: number;
  /** The time limit of the whole look-up. */
  longestMs?: number;
}

/**
 * Resolves names like the system, from the hosts file and then by name servers, but without libuv's few threads: a
 * name whose servers never answer delays no other, and is given up in time.
 */
export function createNameServerLookup(options: NameServerOptions = {}): Lookup {
  const { servers, hosts = new HostsFile(), tryMs = 2_000, longestMs = 8_000 } = options;
  return async (hostname) => {
    const known = hosts.addressesOf(hostname);
    if (known.length > 0) return known.map((address) => ({ address }));
    // A new resolver each time: it uses the system's present name servers, and can be cancelled separately.
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

/** The addresses of either kind; many names have only one kind. */
function addressesIn(answers: PromiseSettledResult<string[]>[]): { address: string }[] {
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map((address) => ({ address }));
  const isMissing = answers.every(
    (answer) => answer.status === 'fulfilled' || isOfNoName(answer.reason),
  );
  throw isMissing ? notFound() : lookupFailed();
}

const isOfNoName = ({ code }: { code?: string }) => code === 'ENOTFOUND' || code === 'ENODATA';

// In the form of the system's own look-up.
const notFound = () => Object.assign(new Error('name not found'), { code: 'ENOTFOUND' });
const lookupFailed = () => Object.assign(new Error('name look-up failed'), { code: 'EAI_AGAIN' });
