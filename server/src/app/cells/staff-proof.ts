import type { IncomingMessage } from 'node:http';
import { adminKeys, makeAuthenticateAdmin } from '../../interfaces/admin/authenticate.ts';
import { consoleAddress, sessionCookie } from '../../interfaces/console/session.ts';
import { keyIn, unfitness } from '../../platform/http/auth.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { findSession } from '../../tenants/people/sessions.ts';
import type { Gateway } from '../compose.ts';
import { addressIn } from './sought.ts';

/** Asks the home whether a request is one of the staff; undefined where it brings nothing that could say so. */
export type StaffProof = (
  request: IncomingMessage,
  address: string | undefined,
) => (() => Promise<boolean>) | undefined;

/**
 * Who may have a thing looked for by its id alone, which costs a look at every merchant there is. What else they may,
 * their cell says.
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

/** Tokens of sessions have nothing in them that cookies would have to encode. */
function cookieIn(header: string, start: string): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}
