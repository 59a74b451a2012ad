import { isLoopback } from '../network/networks.ts';
import { sslModes, urlsOf } from './hosts.ts';

/**
 * The first host that a database URL leads to in clear text over a network; undefined if it stays on this
 * machine, is encrypted, or says itself that it is not to be.
 */
export function clearTextHost(databaseUrl: string): string | undefined {
  return urlsOf(databaseUrl)
    .map(ifInClearText)
    .find((host) => host !== undefined);
}

function ifInClearText(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const { searchParams } = parsed;
  const host = searchParams.get('host') ?? decodeURIComponent(parsed.hostname);
  if (host === '' || host.startsWith('/') || isLoopback(host)) return undefined;
  // Empty ones, as of a template whose variable is not set, say nothing, and `pg` then uses no TLS.
  const isSaid = ['sslmode', 'ssl', 'sslrootcert', 'sslcert'].some((name) =>
    searchParams.get(name),
  );
  return isSaid || sslModes.includes(process.env.PGSSLMODE ?? '') ? undefined : host;
}
