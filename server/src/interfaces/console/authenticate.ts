import type { FastifyRequest } from 'fastify';
import { kindsOf } from '../../operations/notifications/audience.ts';
import {
  countUnread,
  mostCounted,
  type Shelf,
} from '../../operations/notifications/list-notices.ts';
import { forbidden, notFound } from '../../platform/errors/errors.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { chooseLanguage } from '../../platform/text/choose-language.ts';
import { formatId, parseId } from '../../platform/values/ids.ts';
import { termsOf } from '../../tenants/merchants/change-terms.ts';
import { findVisitedTenant } from '../../tenants/merchants/store.ts';
import {
  always,
  ownCurrencyOf,
  type TimeZones,
  timeZoneAt,
  timeZonesOf,
} from '../../tenants/merchants/time-zone.ts';
import { holds, type Permission } from '../../tenants/people/permissions.ts';
import { findSession, isFreshlyAuthenticated } from '../../tenants/people/sessions.ts';
import { isStillThere } from '../../tenants/people/sso/revalidate-session.ts';
import {
  type StaffPermission,
  type StaffRole,
  staffCan,
} from '../../tenants/people/staff-permissions.ts';
import type { Pace } from './limits.ts';
import { navigation, OpensNothing, startPage } from './navigation.ts';
import { addressesBelow } from './page-urls.ts';
import { everywhere } from './query-all-cells.ts';
import type {
  MerchantContext,
  RequestContext,
  SentForm,
  SignedIn,
  StaffContext,
} from './request-context.ts';
import type { ConsoleServices } from './services.ts';
import { type ConsoleAddress, csrfTokenOf, sessionToken, tillOf } from './session.ts';
import { commonWords, type Language } from './words/common.ts';

export interface VisitorDependencies {
  address: ConsoleAddress;
  clock: Clock;
  services: ConsoleServices;
  timeZone: string;
  pace: Pace;
  /** The path of this cell's staff pages; `/console/staff` with a single cell. */
  staffFolder: string;
}

/** Identifies the visitor of a page, and checks the permissions. */
export function makeVisitors(dependencies: VisitorDependencies) {
  const { address, services, staffFolder } = dependencies;

  const signedIn = oncePerRequest((request) => whoAsks(dependencies, request));
  /**
   * The visit to a merchant's page; undefined for strangers.
   * @throws NOT_FOUND if the person does not belong to the merchant, as for an unknown merchant
   * @throws FORBIDDEN if the role lacks any of the permissions
   */
  async function visit(
    request: FastifyRequest,
    ...needed: Permission[]
  ): Promise<MerchantContext | undefined> {
    const who = await signedIn(request);
    if (who === undefined) return undefined;
    const { merchant = '', mode, ...params } = request.params as Record<string, string>;
    const membership = membershipAt(who, merchant);
    if (membership === undefined || (mode !== 'live' && mode !== 'test')) throw notFound('page');
    const can = (each: Permission) => holds(membership, each);
    requireAll(needed, can);
    const tenant = await findVisitedTenant(services.database, membership.merchantId, mode);
    if (tenant === undefined) throw notFound('tenant');
    const folder = `/console/${formatId('me', membership.merchantId)}`;
    const timeZones = timeZonesOf(tenant, dependencies.timeZone);
    const below = { base: `${folder}/${mode}`, params, timeZones };
    const common = visitBelow(dependencies, request, who, below);
    return {
      ...common,
      unread: await unreadOf(services, who, { tenantId: tenant.id, kinds: kindsOf(membership) }),
      merchant: { id: membership.merchantId, name: membership.merchantName },
      held: membership,
      mode,
      tenantId: tenant.id,
      ownCurrency: ownCurrencyOf(tenant),
      terms: termsOf(tenant),
      can,
      modeAddress: (each) => `${address.root}${folder}/${each}${listIn(common.page, can)}`,
    };
  }

  /**
   * The visit to a staff page; undefined for strangers.
   * @throws NOT_FOUND if the person is not staff, as for an unknown page
   * @throws FORBIDDEN if the role lacks any of the permissions
   */
  async function staffVisit(
    request: FastifyRequest,
    ...needed: StaffPermission[]
  ): Promise<StaffContext | undefined> {
    const who = await signedIn(request);
    if (who === undefined) return undefined;
    const { staffRole } = who;
    if (staffRole === null) throw notFound('page');
    requireAll(needed, (each) => staffCan(staffRole, each));
    const below = { base: staffFolder, params: request.params as Record<string, string> };
    const common = visitBelow(dependencies, request, who, below);
    const unread = await unreadEverywhere(common, staffRole);
    return { ...common, unread, staffRole, can: (each) => staffCan(staffRole, each) };
  }

  return {
    signedIn,
    visit,
    staffVisit,
    startElsewhere: async (request: FastifyRequest) =>
      startElsewhere(dependencies, request, await signedIn(request)),
    signInAddress: (request: FastifyRequest) => withNext(address, 'sign-in', request),
    proofAddress: (request: FastifyRequest) => withNext(address, 'prove', request),
  };
}

function requireAll<Permitted extends string>(
  needed: readonly Permitted[],
  can: (permission: Permitted) => boolean,
): void {
  for (const each of needed) if (!can(each)) throw forbidden(`lacks ${each}`);
}

/** The membership at the merchant of an address, `me_…`. */
function membershipAt({ memberships }: SignedIn, merchant: string) {
  const id = parseId('me', merchant);
  return memberships.find(({ merchantId }) => merchantId === id);
}

/**
 * Where somebody begins who may not see the home page: undefined for people who may, and for strangers.
 * @throws OpensNothing
 */
function startElsewhere(
  { address: { root }, services }: VisitorDependencies,
  request: FastifyRequest,
  who: SignedIn | undefined,
): string | undefined {
  const { merchant = '', mode = '' } = request.params as Record<string, string>;
  const membership = who && membershipAt(who, merchant);
  if (membership === undefined) return undefined;
  const start = startPage((permission) => holds(membership, permission), services);
  if (start === undefined) throw new OpensNothing();
  return start ? `${root}/console/${merchant}/${mode}/${start}` : undefined;
}

/** A page that leads back to the requested one. */
const withNext = ({ root }: ConsoleAddress, page: string, { raw }: FastifyRequest) =>
  `${root}/console/${page}?next=${encodeURIComponent(raw.url!)}`;

const unreadOf = (
  { database }: ConsoleServices,
  { person }: SignedIn,
  shelf: Omit<Shelf, 'personId'>,
) => countUnread(database, { ...shelf, personId: person.id });

/** On the home's pages, the notices of all cells. */
async function unreadEverywhere(
  visit: Omit<RequestContext, 'unread'>,
  staffRole: StaffRole,
): Promise<number> {
  const shelf = { personId: visit.person.id, tenantId: null, kinds: kindsOf({ staffRole }) };
  const counts = await everywhere(visit, async (database) => [
    { count: await countUnread(database, shelf) },
  ]);
  const unread = counts.reduce((sum, { count }) => sum + count, 0);
  return Math.min(unread, mostCounted);
}

const menuEntries = navigation.flatMap((group) => group.entries);

/** An object does not exist in the other mode, so link to its list, if the role may see that. */
function listIn(page: string, can: (permission: Permission) => boolean): string {
  const [list = ''] = page.split('/');
  const entry = menuEntries.find((one) => one.page === list);
  const isShown = list !== '' && (entry === undefined || can(entry.permission));
  return isShown ? `/${list}` : '';
}

function oncePerRequest<Result>(ask: (request: FastifyRequest) => Promise<Result>) {
  const asked = new WeakMap<FastifyRequest, Promise<Result>>();
  return (request: FastifyRequest): Promise<Result> => {
    const answer = asked.get(request) ?? ask(request);
    asked.set(request, answer);
    return answer;
  };
}

/** The session of the request; undefined for strangers. */
async function whoAsks(
  { address, clock, pace, services: { people } }: VisitorDependencies,
  request: FastifyRequest,
): Promise<SignedIn | undefined> {
  const token = sessionToken(request, address);
  const { database } = people;
  const found = token === undefined ? undefined : await findSession({ database, clock }, token);
  if (token === undefined || found === undefined) return undefined;
  await pace(found.id);
  if (!(await isStillThere(people, found))) return undefined;
  const { personId, name, email, memberships, staffRole, sso } = found;
  return {
    person: { id: personId, name, email },
    sessionId: found.id,
    isFresh: isFreshlyAuthenticated(found, clock.nowMs()),
    memberships,
    staffRole,
    isAtTill: found.till !== null,
    isOnTill: tillOf(request, address) !== undefined,
    sso: sso === null ? undefined : { issuer: sso.issuer, subject: sso.subject },
    csrfToken: csrfTokenOf(token),
  };
}

interface Below {
  /** The path above the page, from the console's folder on. */
  base: string;
  params: RequestContext['params'];
  /** The installation's, unless given. */
  timeZones?: TimeZones;
}

/** The common part of visits. */
function visitBelow(
  { address, clock, services, timeZone }: VisitorDependencies,
  request: FastifyRequest,
  who: SignedIn,
  { base, params, timeZones = always(timeZone) }: Below,
): Omit<RequestContext, 'unread'> {
  const language = languageOf(request);
  const path = request.raw.url!;
  const [asked = ''] = path.split('?');
  const nowMs = clock.nowMs();
  return {
    ...who,
    author: { actor: `person:${formatId('pe', who.person.id)}`, origin: request.ip },
    timeZone: timeZoneAt(timeZones, nowMs),
    timeZones,
    nowMs,
    services,
    params,
    language,
    words: commonWords[language],
    path,
    page: asked.split('/').slice(base.split('/').length).join('/'),
    query: queryOf(request),
    to: addressesBelow(`${address.root}${base}`),
    address: (other) => `${address.root}${other}`,
  };
}

/** The query string of the requested address. */
export function queryOf({ raw }: FastifyRequest): URLSearchParams {
  const text = raw.url!.split('?')[1] ?? '';
  return new URLSearchParams(text.replaceAll('%00', '%EF%BF%BD'));
}

/** The language from the page's cookie, otherwise from the browser, otherwise Portuguese. */
export function languageOf(request: FastifyRequest): Language {
  const { lang } = request.query as { lang?: string };
  const chosen = lang ?? request.cookies?.zimbo_language ?? null;
  return chooseLanguage(chosen, request.headers['accept-language']);
}

/** The form of a request; empty without a body. */
export function formOf({ body }: FastifyRequest): SentForm {
  const isForm = body instanceof URLSearchParams || body instanceof FormData;
  return formIn(isForm ? body : new URLSearchParams());
}

export function formIn(fields: URLSearchParams | FormData): SentForm {
  const textOf = (value: string | File | null) =>
    typeof value === 'string' ? withoutNul(value) : '';
  return {
    text: (name) => textOf(fields.get(name)).trim(),
    all: (name) => fields.getAll(name).map(textOf),
    async file(name) {
      const value = fields.get(name);
      const isChosen = value !== null && typeof value !== 'string' && value.size > 0;
      return isChosen ? Buffer.from(await value.arrayBuffer()) : undefined;
    },
  };
}

/** PostgreSQL's text cannot contain NUL. */
const withoutNul = (text: string) => text.replaceAll('\0', '\ufffd');
