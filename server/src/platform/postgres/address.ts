import { hostOf, urlsOf } from './hosts.ts';

/** Hosts and database of a connection string, without user and password. */
export function addressOf(databaseUrl: string): string {
  const urls = urlsOf(databaseUrl);
  return `${urls.map(hostOf).join(',')}${new URL(urls[0]!).pathname}`;
}
