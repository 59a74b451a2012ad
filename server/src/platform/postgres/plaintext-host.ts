import { isLoopback } from '../network/networks.ts';
import { sslModes, urlsOf } from './hosts.ts';

/**
 * The first host that a database URL reaches unencrypted over a network; undefined if the connection stays on this
 * machine, is encrypted, or is unencrypted explicitly.
 */
export function plaintextHost(databaseUrl: string): string | undefined {
  return urlsOf(databaseUrl)
    .map(hostIfPlaintext)
    .find((host) => host !== undefined);
}

function hostIfPlaintext(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const { searchParams } = parsed;
  const host = searchParams.get('host') ?? decodeURIComponent(parsed.hostname);
  if (host === '' || host.startsWith('/') || isLoopback(host)) return undefined;
  // Empty values, such as from an unset variable in a template, mean nothing, and `pg` then uses no TLS.
  const isExplicit = ['sslmode', 'ssl', 'sslrootcert', 'sslcert'].some((name) =>
    searchParams.get(name),
  );
  return isExplicit || sslModes.includes(process.env.PGSSLMODE ?? '') ? undefined : host;
}
