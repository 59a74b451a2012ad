import type { FastifyReply } from 'fastify';
import { DomainError } from '../errors/errors.ts';
import type { Clock } from '../process/clock.ts';
import type { Principal } from './principal.ts';
import type { Allowance, Buckets, RateLimit } from './rate-limit.ts';

/** Undefined: the request is allowed. */
export type Refusal = DomainError | undefined;

/** The bucket of each tenant. */
export interface TenantLimit {
  /**
   * Takes one token for a request, and tells the client how many are left; returns the refusal if none is
   * left.
   */
  take(tenant: Pick<Principal, 'tenantId'>, reply: FastifyReply): Refusal | Promise<Refusal>;
  /** Takes the tokens that a request cost beyond the first, even future ones. */
  charge(tenantId: string, tokens: number): void;
}

export function createTenantLimit(clock: Clock, limit: RateLimit, buckets: Buckets): TenantLimit {
  const { perSecond, burst } = limit;
  const policy = `"default";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
  const tell = (reply: FastifyReply, allowance: Allowance): Refusal => {
    reply.header('ratelimit-policy', policy);
    const fullInSeconds = Math.ceil(allowance.fullInMs / 1000);
    reply.header('ratelimit', `"default";r=${allowance.left};t=${fullInSeconds}`);
    return allowance.allowed ? undefined : tooMany(reply, allowance, 'Too many requests.');
  };
  return {
    take({ tenantId }, reply) {
      const allowance = buckets.take(tenantId, clock.nowMs());
      return allowance instanceof Promise
        ? allowance.then((known) => tell(reply, known))
        : tell(reply, allowance);
    },
    charge(tenantId, tokens) {
      if (tokens > 0) buckets.charge(tenantId, tokens, clock.nowMs());
    },
  };
}

export function tooMany(
  reply: FastifyReply,
  { retryInMs }: Allowance,
  reason: string,
): DomainError {
  const seconds = Math.max(1, Math.ceil(retryInMs / 1000));
  reply.header('retry-after', String(seconds));
  return new DomainError('RATE_LIMITED', `${reason} Try again in ${seconds} s.`);
}
