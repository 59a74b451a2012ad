import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { AddressLimiter, networkOf } from '../../../platform/http/address-limit.ts';
import type {
  Allowance,
  Buckets,
  MakeBuckets,
  RateLimit,
} from '../../../platform/http/rate-limit.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { type LinkClaims, parseToken } from '../link.ts';
import type { LinkSecrets } from '../link-secrets.ts';
import type { SessionHead } from '../session.ts';
import { findLinked } from './load.ts';

export interface LinkDependencies {
  database: Database;
  clock: Clock;
  linkSecrets: LinkSecrets;
  makeBuckets: MakeBuckets;
  /** The limit of one address; unlimited if the limit is off. */
  unknownLinks: RateLimit | 'off';
}

/** One customer opens a link, and perhaps a till: more requests than that would keep others waiting. */
const perLink: RateLimit = { perSecond: 10, burst: 100 };

/**
 * Finds the session of a link. Clients that try links that do not exist are slowed down before we query the database.
 * A link that we made opens whatever others behind the same address try, since mobile networks put thousands of
 * customers behind one address.
 */
export function linkOpener({ database, linkSecrets, ...rest }: LinkDependencies) {
  return makeOpener<SessionHead>({
    ...rest,
    noun: 'payment page',
    parse: parseToken,
    isOurs: async (linked) => linkSecrets.isOurs(linked),
    find: (linked) => findLinked(database, linked),
  });
}

export interface OpenerDependencies<Opened, Claims = LinkClaims>
  extends Pick<LinkDependencies, 'clock' | 'unknownLinks' | 'makeBuckets'> {
  noun: string;
  /** Undefined for a malformed token. */
  parse(token: string): Claims | undefined;
  /** Whether the link is known to be right without asking the database. */
  isOurs(linked: Claims): Promise<boolean>;
  /** Whether many people share one link: then none of them may lock the others out. */
  isShared?: boolean;
  /** Undefined if the link opens nothing. */
  find(linked: Claims): Promise<Opened | undefined>;
}

/** Opens links of any kind with these checks. */
export function makeOpener<Opened, Claims = LinkClaims>(
  dependencies: OpenerDependencies<Opened, Claims>,
) {
  const { clock, unknownLinks, noun, makeBuckets, isShared = false } = dependencies;
  const limits = unknownLinks === 'off' ? undefined : unknownLinks;
  const failures = limits && new AddressLimiter(makeBuckets(`no ${noun}`, limits));
  const openings = limits && makeBuckets(noun, perLink);
  return async (
    { ip }: Pick<FastifyRequest, 'ip'>,
    reply: FastifyReply,
    token: string,
  ): Promise<Opened> => {
    const linked = dependencies.parse(token);
    const isOurs = linked !== undefined && (await dependencies.isOurs(linked));
    const paid = isOurs ? undefined : await failures?.take(ip, clock.nowMs());
    if (paid?.allowed === false) throw tooMany(reply, paid);
    const opener = isShared ? `${token} ${networkOf(ip)}` : token;
    const opened = isOurs ? await openings?.take(opener, clock.nowMs()) : undefined;
    if (opened?.allowed === false) throw tooMany(reply, opened);
    const found = linked && (await dependencies.find(linked));
    if (!found) throw notFound(noun);
    if (paid) failures?.giveBack(ip, clock.nowMs());
    return found;
  };
}

type Quota = { count: number; windowMs: number } | undefined;

/** A mobile network puts the customers of many shops behind one address. */
const shopsPerAddress = 10;

/**
 * This many within a period, for each address at each shop, and ten times as many in all; unlimited if there is no
 * quota.
 */
export class CustomerLimiter {
  readonly #perShop: Buckets | undefined;
  readonly #overall: Buckets | undefined;

  constructor(name: string, quota: Quota, makeBuckets: MakeBuckets) {
    if (!quota) return;
    const { count, windowMs } = quota;
    const limitOf = (burst: number) => ({ perSecond: (burst / windowMs) * 1_000, burst });
    this.#perShop = makeBuckets(name, limitOf(count));
    this.#overall = makeBuckets(`${name} at all shops`, limitOf(shopsPerAddress * count));
  }

  /** Undefined if allowed; otherwise an error that says when to retry. */
  async refusal(address: string, tenantId: string, nowMs: number): Promise<Allowance | undefined> {
    const network = networkOf(address);
    const atShop = await this.#perShop?.take(`${network} ${tenantId}`, nowMs);
    if (atShop?.allowed === false) return atShop;
    const atAll = await this.#overall?.take(network, nowMs);
    if (atAll?.allowed !== false) return undefined;
    this.#perShop?.giveBack(`${network} ${tenantId}`, nowMs);
    return atAll;
  }

  /** Returns a token that was taken without need. */
  giveBack(address: string, tenantId: string, nowMs: number): void {
    const network = networkOf(address);
    this.#perShop?.giveBack(`${network} ${tenantId}`, nowMs);
    this.#overall?.giveBack(network, nowMs);
  }
}

export function tooMany(
  reply: FastifyReply,
  { retryInMs }: Pick<Allowance, 'retryInMs'>,
): DomainError {
  reply.header('retry-after', String(Math.max(1, Math.ceil(retryInMs / 1_000))));
  return new DomainError('RATE_LIMITED', 'Too many requests.');
}
