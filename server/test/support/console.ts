import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { csrfTokenOf } from '../../src/interfaces/console/session.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import type { Role } from '../../src/tenants/people/permissions.ts';
import { openSession } from '../../src/tenants/people/sessions.ts';
import type { StaffRole } from '../../src/tenants/people/staff-permissions.ts';
import { freePort } from './free-port.ts';
import {
  anotherGateway,
  type TestGateway,
  type TestGatewayOptions,
  testGateway,
} from './gateway.ts';
import { visitor } from './people.ts';
import { asOfOneCell, fetchOfCell } from './staff-browser.ts';

export interface TestConsole {
  gateway: TestGateway;
  /** `http://localhost:PORT`, which is CONSOLE_URL too. */
  origin: string;
  /** The merchant of the gateway's key. */
  merchantId: string;
  /** Below `origin`: `/console/me_…/test`. */
  base: string;
  /** The same for another merchant or mode. */
  baseOf(merchantId: string, mode?: 'live' | 'test'): string;
  /** Signs in a person with this role at the merchant, or at another. */
  signIn(role?: Role, merchantId?: string): Promise<Member>;
  /** Signs in a member of the staff, whose pages are below `/console/staff`. */
  signInStaff(role?: StaffRole): Promise<Member>;
}

/** A member's browser without a screen: it keeps the cookie and submits forms as the pages contain them. */
export interface Member {
  personId: string;
  cookie: string;
  /** @param path below `origin`, or below `base` if it does not begin with a slash */
  get(path: string): Promise<PageAnswer>;
  /** Opens the page and submits its form with these fields. */
  send(path: string, fields: Fields): Promise<PageAnswer>;
  /** Submits a form in this session without loading its page first. */
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<PageAnswer>;
}

type Fields = Record<string, string | readonly string[]>;

export interface PageAnswer {
  status: number;
  text: string;
  headers: Headers;
  /** The target of the redirect. */
  location: string | null;
}

/** A gateway whose console has an address that browsers treat as secure. */
export async function testConsole(
  context: Pick<TestContext, 'after'>,
  options: TestGatewayOptions = {},
): Promise<TestConsole> {
  const port = options.port ?? (await freePort());
  const origin = `http://localhost:${port}`;
  const environment = { CONSOLE_URL: origin, ...options.environment };
  const gateway = await testGateway(context, { ...options, port, environment });
  const text = 'SELECT id FROM merchants ORDER BY id DESC LIMIT 1';
  const [merchant] = await gateway.database.query<{ id: string }>({ text });
  return consoleAs(gateway, origin, merchant!.id);
}

/** The console of a gateway, from the view of one of its merchants. */
export function consoleAs(gateway: TestGateway, origin: string, merchantId: string): TestConsole {
  const { database } = gateway;
  const baseOf = (id: string, mode: 'live' | 'test' = 'test') =>
    `/console/${formatId('me', id)}/${mode}`;
  return {
    gateway,
    origin,
    merchantId,
    base: baseOf(merchantId),
    baseOf,
    signIn: async (role = 'OWNER', at = merchantId) =>
      memberOf(origin, baseOf(at), await sessionOf(database, role, at)),
    signInStaff: (role = 'ADMIN') => staffAt(origin, database, role),
  };
}

/** A signed-in member of the staff, at any gateway on this database. */
export const staffAt = async (origin: string, database: Database, role: StaffRole) =>
  memberOf(origin, '/console/staff', await sessionOf(database, role));

/** A signed-in owner of a merchant, at any gateway on this database. */
export const memberIn = async (origin: string, database: Database, merchantId: string) =>
  memberOf(
    origin,
    `/console/${formatId('me', merchantId)}/live`,
    await sessionOf(database, 'OWNER', merchantId),
  );

/** The same session at another process: sessions work at all of them. */
export const memberAt = (origin: string, { personId, cookie }: Member): Member =>
  memberOf(origin, '/console/staff', { personId, token: cookie.replace('zimbo=', '') });

/** A browser with the session of this token, at the pages of a merchant. */
export const memberWith = (
  site: TestConsole,
  merchantId: string,
  personId: string,
  token: string,
): Member => memberOf(site.origin, site.baseOf(merchantId), { personId, token });

/** Another gateway with a console, on an existing database. @returns its origin */
export async function consoleOn(
  context: Pick<TestContext, 'after'>,
  databaseUrl: string,
  environment: Record<string, string>,
): Promise<string> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const settings = { CONSOLE_URL: origin, ...environment };
  await anotherGateway(context, databaseUrl, { port, environment: settings });
  return origin;
}

/** Creates a person with a role at a merchant or in the staff, and signs them in directly. */
async function sessionOf(database: Database, role: Role | StaffRole, merchantId?: string) {
  const [clock, ids] = [systemClock, randomIds()];
  const personId = ids.next(clock.nowMs());
  const email = `${role.toLowerCase()}.${randomUUID()}@loja.cv`;
  await database.query(
    {
      text: `INSERT INTO people (id, email, name, language, created_at) VALUES ($1, $2, 'Maria Lopes', 'pt', now())`,
    },
    [personId, email],
  );
  const into =
    merchantId === undefined
      ? 'staff (person_id, role, created_at) VALUES ($1, $2, now())'
      : 'memberships (person_id, role, created_at, merchant_id) VALUES ($1, $2, now(), $3)';
  const team = merchantId === undefined ? [] : [merchantId];
  await database.query({ text: `INSERT INTO ${into}` }, [personId, role, ...team]);
  const opening = { ...visitor, personId, signedInWith: 'PASSKEY' } as const;
  const session = await database.transaction((transaction) =>
    openSession(transaction, { clock, ids }, opening),
  );
  if (!session) throw new Error('the session did not open');
  return { personId, token: session.token };
}

function memberOf(
  origin: string,
  base: string,
  { personId, token }: { personId: string; token: string },
): Member {
  const cookie = `zimbo=${token}`;
  const urlOf = (path: string) =>
    origin + (path.startsWith('/') ? path : base + (/^(\?|$)/.test(path) ? path : `/${path}`));
  const ask = async (
    path: string,
    {
      headers: more,
      ...init
    }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<PageAnswer> => {
    const headers = { cookie, 'accept-language': 'en', ...more };
    const answer = await fetchOfCell(urlOf(path), { redirect: 'manual', ...init, headers });
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      text: asOfOneCell(await answer.text()),
      headers: answer.headers,
      location: location && asOfOneCell(location),
    };
  };
  return {
    personId,
    cookie,
    get: (path) => ask(path),
    async send(path, fields) {
      const { text } = await ask(path);
      const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
      const body = bodyOf({ csrf, ...fields });
      return ask(path, { method: 'POST', body, headers: { origin } });
    },
    post(path, fields, headers = { origin }) {
      const body = bodyOf({ csrf: csrfTokenOf(token), ...fields });
      return ask(path, { method: 'POST', body, headers });
    },
  };
}

function bodyOf(fields: Fields): URLSearchParams {
  const pairs = Object.entries(fields).flatMap(([name, given]) =>
    [given].flat().map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs);
}
