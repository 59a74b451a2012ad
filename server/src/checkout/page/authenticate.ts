import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../clock.ts';
import { DomainError, notFound } from '../../errors.ts';
import { AddressLimiter, networkOf } from '../../http/address.ts';
import type { Allowance, MakeBuckets, RateLimit } from '../../http/rate-limit.ts';
import type { Database } from '../../postgres/database.ts';
import { type Linked, parseToken } from '../link.ts';
import type { LinkSecrets } from '../link-secrets.ts';
import type { SessionHead } from '../session.ts';
import { findLinked } from './load.ts';

export interface LinkDependencies {
  database: Database;
  clock: Clock;
  linkSecrets: LinkSecrets;
  makeBuckets: MakeBuckets;
  /** Of one address; unlimited where it is off. */
  unknownLinks: RateLimit | 'off';
}

/** One customer looks at it, and perhaps a till: whoever asks more often would keep others waiting. */
const perLink: RateLimit = { perSecond: 10, burst: 100 };

/**
 * Finds the session of a link. Those who try links that do not exist are slowed down before the database
 * hears of them. A link that we made opens whatever others behind the same address try, since mobile
 * networks put thousands of customers behind one.
 */
export function linkOpener({ database, linkSecrets, ...rest }: LinkDependencies) {
  return makeOpener<SessionHead>({
    ...rest,
    noun: 'payment page',
    isOurs: async (linked) => linkSecrets.isOurs(linked),
    find: (linked) => findLinked(database, linked),
  });
}

export interface OpenerDependencies<Opened>
  extends Pick<LinkDependencies, 'clock' | 'unknownLinks' | 'makeBuckets'> {
  noun: string;
  isOurs(linked: Linked): Promise<boolean>;
  /** Whether many people have one link, of whom one must not keep the others out. */
  isShared?: boolean;
  /** Undefined where the link opens nothing. */
  find(linked: Linked): Promise<Opened | undefined>;
}

/** Opens links of any kind so. */
export function makeOpener<Opened>(dependencies: OpenerDependencies<Opened>) {
  const { clock, unknownLinks, noun, makeBuckets, isShared = false } = dependencies;
  const limits = unknownLinks === 'off' ? undefined : unknownLinks;
  const failures = limits && new AddressLimiter(makeBuckets(`no ${noun}`, limits));
  const openings = limits && makeBuckets(noun, perLink);
  return async (
    { ip }: Pick<FastifyRequest, 'ip'>,
    reply: FastifyReply,
    token: string,
  ): Promise<Opened> => {
    const linked = parseToken(token);
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

/** So many within a time, of each address; undefined where there is no limit. */
export function quotaLimiter(
  name: string,
  quota: { count: number; windowMs: number } | undefined,
  makeBuckets: MakeBuckets,
) {
  if (!quota) return undefined;
  const { count, windowMs } = quota;
  const limit = { perSecond: (count / windowMs) * 1_000, burst: count };
  return new AddressLimiter(makeBuckets(name, limit));
}

export function tooMany(
  reply: FastifyReply,
  { retryInMs }: Pick<Allowance, 'retryInMs'>,
): DomainError {
  reply.header('retry-after', String(Math.max(1, Math.ceil(retryInMs / 1_000))));
  return new DomainError('RATE_LIMITED', 'Too many requests.');
}
