import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../platform/network/networks.ts';
import { hashApiKey } from '../../tenants/merchants/api-key.ts';
import { readDemoFile } from '../../tenants/merchants/demo-file.ts';
import { findKeyByHash } from '../../tenants/merchants/store.ts';
import { findSession } from '../../tenants/people/sessions.ts';
import type { Base } from './base.ts';

/**
 * Shows the key of the demo merchant, which exists only in the embedded database, to its members signed in to the
 * console. A gateway with an address outside this machine never shows it.
 */
export function makeShowDemoKey({
  config,
  database,
  home,
  clock,
}: Pick<Base, 'config' | 'database' | 'home' | 'clock'>) {
  const { databaseUrl, dataDir, publicUrl, consoleUrl } = config;
  const isElsewhere = [publicUrl, consoleUrl].some((url) => !isLoopback(new URL(url).hostname));
  if (databaseUrl !== undefined || isElsewhere) return undefined;
  return async (request: FastifyRequest): Promise<string | undefined> => {
    const token = await sessionTokenOf(request, consoleUrl);
    const session = token && (await findSession({ database: home, clock }, token));
    // With single sign-on, the provider would have to confirm that they still have access.
    if (!session || session.sso !== null) return undefined;
    const key = (await readDemoFile(join(dataDir, 'demo.env')))?.key;
    const found = key && (await findKeyByHash(database, hashApiKey(key)));
    if (!found) return undefined;
    const isOwner = session.memberships.some(
      ({ merchantId, role }) => merchantId === found.merchantId && role === 'OWNER',
    );
    return isOwner ? key : undefined;
  };
}

/** The module with the cookie's name is loaded at the first request, like the console. */
async function sessionTokenOf({ headers }: FastifyRequest, consoleUrl: string) {
  const { consoleAddress, sessionCookie } = await import('../../interfaces/console/session.ts');
  const name = `${sessionCookie(consoleAddress(consoleUrl))}=`;
  const cookie = headers.cookie?.split('; ').find((each) => each.startsWith(name));
  return cookie?.slice(name.length);
}
