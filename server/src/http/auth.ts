import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Clock } from '../clock.ts';
import { DomainError, forbidden, noSuchRoute, unauthorized } from '../errors.ts';
import { AddressLimiter } from './address.ts';
import type { Authenticate, Principal } from './principal.ts';
import type { Allowance, RateLimit } from './rate-limit.ts';
import { type TenantLimit, tooMany } from './tenant-limit.ts';

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
  tenantLimit?: TenantLimit | undefined;
  /** By which keys expire; `clock` only measures how long ago something was. */
  calendar: Clock;
  /** Hears of each key that opened the door. */
  onUse?: ((principal: Principal) => void) | undefined;
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
const expiredKey = unauthorized('This API key has expired.');
const wrongAddress = new DomainError(
  'ADDRESS_NOT_ALLOWED',
  'This API key may not be used from this address.',
);
const tooLongUrl = new DomainError(
  'VALIDATION_ERROR',
  `The path and query must not be longer than ${longestUrl} characters.`,
);

export function createGate(options: GateOptions): Gate {
  const { authenticate, clock, rateLimits, tenantLimit, calendar, onUse } = options;
  const failures = failureCounter(clock, rateLimits);
  return (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    const key = bearer.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined || !keyShape.test(key)) {
      const allowance = failures.count(request);
      done(refusal(reply, allowance, key === undefined ? missingKey : malformedKey));
      return;
    }
    let paid: Allowance | undefined;
    const admit = () => {
      paid = failures.count(request);
      return paid.allowed;
    };
    const found = (principal: Principal | undefined) => {
      if (principal === undefined) {
        done(refusal(reply, paid ?? failures.count(request), unknownKey));
        return;
      }
      request.principal = principal;
      // Before the rate: a key that does not work here uses up nobody's allowance.
      const unfit = refusalOf(principal, request.ip, calendar);
      if (unfit !== undefined) {
        done(refusal(reply, paid ?? failures.count(request), unfit));
        return;
      }
      if (paid) failures.forgive(request);
      onUse?.(principal);
      const tooOften = tenantLimit?.take(principal, reply);
      if (tooOften !== undefined) done(tooOften);
      else if (request.raw.url!.length > longestUrl) done(tooLongUrl);
      else if (request.is404) done(noSuchRoute());
      else done();
    };
    const failed = (error: Error) => {
      if (paid) failures.forgive(request);
      done(error);
    };
    authenticate(key, admit).then(found, failed);
  };
}

function refusalOf({ key }: Principal, address: string, calendar: Clock): DomainError | undefined {
  if (key.expiresAtMs !== null && key.expiresAtMs <= calendar.nowMs()) return expiredKey;
  return key.allowsAddress === null || key.allowsAddress(address) ? undefined : wrongAddress;
}

/** Refuses a permission that the key lacks. */
export function requirePermission({ permissions }: Principal, permission: string): void {
  if (!permissions.has(permission)) {
    throw forbidden(`This API key lacks the permission ${permission}.`);
  }
}

const unlimited: Allowance = { allowed: true, left: 1, fullInMs: 0, retryInMs: 0 };

/**
 * Failures of one address. A key that nobody knows pays for its look-up beforehand, so that guessing
 * costs the database nothing once the bucket is empty; one that turns out to be valid gets it back.
 */
function failureCounter(clock: Clock, limits: RateLimits | 'off') {
  const limiter = limits === 'off' ? undefined : new AddressLimiter(limits.unauthenticated);
  return {
    count: ({ ip }: FastifyRequest) => limiter?.take(ip, clock.nowMs()) ?? unlimited,
    forgive: ({ ip }: FastifyRequest) => limiter?.giveBack(ip, clock.nowMs()),
  };
}

function refusal(reply: FastifyReply, allowance: Allowance, error: DomainError): DomainError {
  if (!allowance.allowed) {
    return tooMany(
      reply,
      allowance,
      'Too many requests without a valid API key from this address.',
    );
  }
  if (error.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
  return error;
}
