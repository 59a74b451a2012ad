import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Clock } from '../clock.ts';
import { DomainError, forbidden, noSuchRoute, unauthorized } from '../errors.ts';
import type { Authenticate, Principal } from './principal.ts';
import { type Allowance, type RateLimit, RateLimiter } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route of `/v1`, where nothing runs before authentication. */
    principal: Principal;
  }
}

export interface RateLimits {
  /** Requests of one tenant. */
  tenant: RateLimit;
  /** Requests without a valid key from one address. */
  unauthenticated: RateLimit;
}

export const defaultRateLimits: RateLimits = {
  tenant: { perSecond: 1000, burst: 5000 },
  unauthenticated: { perSecond: 10, burst: 100 },
};

export interface GateOptions {
  authenticate: Authenticate;
  clock: Clock;
  rateLimits: RateLimits | 'off';
}

/** An onRequest hook: 401 and 429 come before anything else is said about a request to `/v1`. */
export type Gate = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void;

const longestUrl = 4096;
const bearer = /^bearer +(.*)$/i;
const keyShape = /^sk_(?:live|test)_[0-9A-Za-z]{32}$/;

const missingKey = unauthorized('Send your API key in the header "Authorization: Bearer sk_…".');
const malformedKey = unauthorized(
  'This is not an API key: one is sk_live_ or sk_test_ and 32 letters and digits.',
);
const unknownKey = unauthorized('This API key is unknown or was revoked.');
const tooLongUrl = new DomainError(
  'VALIDATION_ERROR',
  `The path and query must not be longer than ${longestUrl} characters.`,
);

export function createGate({ authenticate, clock, rateLimits }: GateOptions): Gate {
  const refuse = refuser(clock, rateLimits);
  const limit = tenantLimit(clock, rateLimits);
  return (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    const key = bearer.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined || !keyShape.test(key)) {
      done(refuse(request, reply, key === undefined ? missingKey : malformedKey));
      return;
    }
    authenticate(key).then((principal) => {
      if (principal === undefined) {
        done(refuse(request, reply, unknownKey));
        return;
      }
      request.principal = principal;
      const refusal = limit?.(principal, reply);
      if (refusal !== undefined) done(refusal);
      else if (request.raw.url!.length > longestUrl) done(tooLongUrl);
      else if (request.is404) done(noSuchRoute());
      else done();
    }, done);
  };
}

/** Refuses a permission that the key lacks. */
export function requirePermission({ permissions }: Principal, permission: string): void {
  if (!permissions.has(permission)) {
    throw forbidden(`This API key lacks the permission ${permission}.`);
  }
}

/** A valid key is never held up by failures from the same address: only failures are counted here. */
function refuser(clock: Clock, limits: RateLimits | 'off') {
  const failures = limits === 'off' ? undefined : new RateLimiter(limits.unauthenticated);
  return (request: FastifyRequest, reply: FastifyReply, error: DomainError): DomainError => {
    const allowance = failures?.take(request.ip ?? '', clock.nowMs());
    if (allowance?.allowed === false) {
      return tooMany(reply, allowance, 'Too many requests without a valid API key.');
    }
    reply.header('www-authenticate', 'Bearer');
    return error;
  };
}

function tenantLimit(clock: Clock, limits: RateLimits | 'off') {
  if (limits === 'off') return undefined;
  const limiter = new RateLimiter(limits.tenant);
  const { perSecond, burst } = limits.tenant;
  const policy = `"default";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`;
  return ({ tenantId }: Principal, reply: FastifyReply): DomainError | undefined => {
    const allowance = limiter.take(tenantId, clock.nowMs());
    reply.header('ratelimit-policy', policy);
    const fullInSeconds = Math.ceil(allowance.fullInMs / 1000);
    reply.header('ratelimit', `"default";r=${allowance.left};t=${fullInSeconds}`);
    return allowance.allowed ? undefined : tooMany(reply, allowance, 'Too many requests.');
  };
}

function tooMany(reply: FastifyReply, { retryInMs }: Allowance, reason: string): DomainError {
  const seconds = Math.max(1, Math.ceil(retryInMs / 1000));
  reply.header('retry-after', String(seconds));
  return new DomainError('RATE_LIMITED', `${reason} Try again in ${seconds} s.`);
}
