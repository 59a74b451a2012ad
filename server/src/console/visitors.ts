import type { FastifyRequest } from 'fastify';
import { localeFor } from '../checkout/page/locale.ts';
import type { Clock } from '../clock.ts';
import { forbidden, notFound } from '../errors.ts';
import { formatId, parseId } from '../ids.ts';
import { findTenant } from '../merchants/store.ts';
import { can, type Permission } from '../people/permissions.ts';
import type { Membership } from '../people/person.ts';
import { findSession, isFreshlyAuthenticated } from '../people/sessions.ts';
import { isStillThere } from '../people/sso/still-there.ts';
import { navigation } from './navigation.ts';
import type { ConsoleServices } from './services.ts';
import { type ConsoleAddress, csrfTokenOf, sessionToken } from './session.ts';
import type { AddressQuery, SentForm, SignedIn, Visit } from './visit.ts';
import { commonWords, type Language } from './words/common.ts';

export interface VisitorDependencies {
  address: ConsoleAddress;
  clock: Clock;
  services: ConsoleServices;
  timeZone: string;
}

/** Tells who asks for a page, and whether they may see it. */
export function makeVisitors(dependencies: VisitorDependencies) {
  const { address, clock, services } = dependencies;
  const { database } = services;

  async function signedIn(request: FastifyRequest): Promise<SignedIn | undefined> {
    const token = sessionToken(request, address);
    const found = token === undefined ? undefined : await findSession({ database, clock }, token);
    if (token === undefined || found === undefined) return undefined;
    if (!(await isStillThere(services.people, found))) return undefined;
    const { personId, name, email, memberships, sso } = found;
    return {
      person: { id: personId, name, email },
      sessionId: found.id,
      isFresh: isFreshlyAuthenticated(found, clock.nowMs()),
      memberships,
      sso: sso === null ? undefined : { issuer: sso.issuer, subject: sso.subject },
      csrfToken: csrfTokenOf(token),
    };
  }

  /**
   * The visit of a page of a merchant; undefined where nobody is signed in.
   * @throws NOT_FOUND the person does not belong to the merchant: it may as well not be there
   * @throws FORBIDDEN the role lacks the permission
   */
  async function visit(
    request: FastifyRequest,
    permission: Permission,
  ): Promise<Visit | undefined> {
    const who = await signedIn(request);
    if (who === undefined) return undefined;
    const { merchant, mode, ...params } = request.params as Record<string, string>;
    const merchantId = parseId('me', merchant ?? '');
    const membership = who.memberships.find((each) => each.merchantId === merchantId);
    if (membership === undefined || (mode !== 'live' && mode !== 'test')) throw notFound('page');
    if (!can(membership.role, permission)) throw forbidden(`lacks ${permission}`);
    const tenant = await findTenant(database, membership.merchantId, mode);
    if (tenant === undefined) throw notFound('tenant');
    const { id: tenantId } = tenant;
    const about = { timeZone: dependencies.timeZone, nowMs: clock.nowMs(), services, params };
    const author = { actor: `person:${formatId('pe', who.person.id)}`, origin: request.ip };
    return {
      ...who,
      author,
      ...about,
      ...placeOf(request, address, { membership, mode }),
      mode,
      tenantId,
    };
  }

  const withNext = (page: string, request: FastifyRequest) =>
    `${address.root}/console/${page}?next=${encodeURIComponent(request.raw.url!)}`;

  return {
    signedIn,
    visit,
    signInAddress: (request: FastifyRequest) => withNext('sign-in', request),
    proofAddress: (request: FastifyRequest) => withNext('prove', request),
  };
}

const entries = navigation.flatMap((group) => group.entries);

/** What a visit takes from the membership, and from the address that was asked for. */
function placeOf(
  request: FastifyRequest,
  { root }: ConsoleAddress,
  { membership, mode }: { membership: Membership; mode: Visit['mode'] },
) {
  const { merchantId, merchantName, role } = membership;
  const language = languageOf(request);
  const path = request.raw.url!;
  const page = path.split('?')[0]!.split('/').slice(4).join('/');
  const base = (each: Visit['mode']) => `${root}/console/${formatId('me', merchantId)}/${each}`;
  return {
    merchant: { id: merchantId, name: merchantName },
    role,
    language,
    words: commonWords[language],
    path,
    page,
    query: queryOf(request),
    can: (each: Permission) => can(role, each),
    to: (name: string, asked?: AddressQuery) =>
      `${base(mode)}${name === '' ? '' : `/${name}`}${queryText(asked)}`,
    address: (other: string) => `${root}${other}`,
    // A thing of one mode is not in the other: its list is, if the role may look at it.
    modeAddress: (each: Visit['mode']) => {
      const [list = ''] = page.split('/');
      const entry = entries.find((one) => one.page === list);
      const isShown = entry === undefined || can(role, entry.permission);
      return list === '' || !isShown ? base(each) : `${base(each)}/${list}`;
    },
  };
}

/** What follows the `?` of the address that was asked for. */
export function queryOf({ raw }: FastifyRequest): URLSearchParams {
  const text = raw.url!.split('?')[1] ?? '';
  return new URLSearchParams(text.replaceAll('%00', '%EF%BF%BD'));
}

function queryText(query: AddressQuery = {}): string {
  const given = Object.entries(query)
    .flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    )
    .filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** The language chosen on the page and kept in a cookie, else the browser's, else Portuguese. */
export function languageOf(request: FastifyRequest): Language {
  const { lang } = request.query as { lang?: string };
  const chosen = lang ?? request.cookies?.zimbo_language ?? null;
  return localeFor(chosen, request.headers['accept-language']).language;
}

/** The form that a request brings; an empty one where it brings none. */
export function formOf({ body }: FastifyRequest): SentForm {
  return formIn(body instanceof URLSearchParams ? body : new URLSearchParams());
}

export function formIn(fields: URLSearchParams): SentForm {
  return {
    text: (name) => withoutNul(fields.get(name) ?? '').trim(),
    all: (name) => fields.getAll(name).map(withoutNul),
  };
}

/** No text of the database holds a NUL. */
const withoutNul = (text: string) => text.replaceAll('\0', '\ufffd');
