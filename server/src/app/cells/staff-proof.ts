import type { IncomingMessage } from 'node:http';
import { adminKeys, makeAuthenticateAdmin } from '../../interfaces/admin/authenticate.ts';
import { consoleAddress, sessionCookie } from '../../interfaces/console/session.ts';
import { keyIn, unfitness } from '../../platform/http/auth.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { findSession } from '../../tenants/people/sessions.ts';
import type { Gateway } from '../compose.ts';
import { addressIn } from './request-target.ts';

/** Verifies with the home that a request comes from staff; undefined if the request has no credentials. */
export type StaffProof = (
  request: IncomingMessage,
  address: string | undefined,
) => (() => Promise<boolean>) | undefined;

/**
 * Limits look-ups by id to staff, because they search all merchants. The object's cell then checks
 * the permissions.
 */
export function makeStaffProof(home: Gateway, consoleUrl: string): StaffProof {
  const { database, clock } = home;
  const authenticate = makeAuthenticateAdmin({ database, clock: monotonicClock });
  const cookieName = sessionCookie(consoleAddress(consoleUrl));

  async function isAdmin(key: string, address: string | undefined): Promise<boolean> {
    const holder = await authenticate(key);
    return holder !== undefined && unfitness(holder, address ?? '', clock) === undefined;
  }

  async function isStaff(token: string): Promise<boolean> {
    const session = await findSession({ database, clock }, token);
    return session !== undefined && session.staffRole !== null;
  }

  return (request, address) => {
    const { headers } = request;
    if (addressIn(request).startsWith('/admin/v1/')) {
      const key = keyIn(headers, adminKeys);
      return key === undefined ? undefined : () => isAdmin(key, address);
    }
    const token = cookieIn(headers.cookie ?? '', `${cookieName}=`);
    return token === undefined ? undefined : () => isStaff(token);
  };
}

/** Session tokens contain no characters that cookies would encode. */
function cookieIn(header: string, start: string): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}
