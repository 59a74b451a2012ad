import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { DomainError, forbidden, noSuchRoute, unauthorized } from '../errors/errors.ts';
import type { Clock } from '../process/clock.ts';
import { AddressLimiter } from './address-limit.ts';
import type { Authenticate, KeyHolder, Principal } from './principal.ts';
import { type Allowance, type Buckets, type RateLimit, whenKnown } from './rate-limit.ts';
import { type Refusal, tooMany } from './tenant-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route of `/v1`, where nothing runs before authentication. */
    principal: Principal;
    /** Set on every route of `/admin/v1`, also before authentication. */
    adminKey: KeyHolder;
  }
}

export interface RateLimits {
  /** The limit for requests of one tenant. */
  tenant: RateLimit;
  /** The limit for requests without a valid key from one address. */
  unauthenticated: RateLimit;
}

export const defaultRateLimits: RateLimits = {
  tenant: { perSecond: 1000, burst: 5000 },
  unauthenticated: { perSecond: 10, burst: 100 },
};

/** The format of the keys of an API, and the errors for keys that it refuses. */
export interface KeyKind {
  shape: RegExp;
  missing: DomainError;
  malformed: DomainError;
  /** The path prefix for the error about an unknown route. */
  paths: string;
}

export interface GateOptions<Holder extends KeyHolder> {
  kind: KeyKind;
  authenticate: Authenticate<Holder>;
  clock: Clock;
  /** Limits addresses that send no valid key; undefined: they are not limited. */
  failures: Buckets | undefined;
  /** Records the key's holder on the request, before the key's restrictions are checked. */
  recognize: (request: FastifyRequest, holder: Holder) => void;
  /** Counts one request of this holder; returns the refusal if there were too many. */
  limit?: ((holder: Holder, reply: FastifyReply) => Refusal | Promise<Refusal>) | undefined;
  /** The clock that decides when keys expire; `clock` only measures elapsed time. */
  calendar: Clock;
  /** Called with each accepted key. */
  onUse?: ((holder: Holder) => void) | undefined;
}

/** An onRequest hook: 401 and 429 come before all other errors. */
export type Gate = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void;

const longestUrl = 4096;
const bearer = /^bearer +(.*)$/i;

/** The API keys of merchants, for `/v1`. */
export const merchantKeys: KeyKind = {
  shape: /^sk_(?:live|test)_[0-9A-Za-z]{32}$/,
  missing: unauthorized('Send your API key in the header "Authorization: Bearer sk_…".'),
  malformed: unauthorized(
    'This is not an API key: a key is sk_live_ or sk_test_ and 32 letters and digits.',
  ),
  paths: '/v1',
};

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

export function createGate<Holder extends KeyHolder>(options: GateOptions<Holder>): Gate {
  const { kind, authenticate, clock, recognize, limit, calendar, onUse } = options;
  const failures = failureCounter(clock, options.failures);
  return (request, reply, goOn) => {
    reply.header('cache-control', 'no-store');
    let isDone = false;
    const done = (error?: Error) => {
      isDone = true;
      goOn(error);
    };
    const key = bearer.exec(request.headers.authorization ?? '')?.[1];
    let paid: Allowance | undefined;
    const refuse = (error: DomainError) =>
      whenKnown(paid ?? failures.count(request), (allowance) =>
        done(refusal(reply, allowance, error)),
      );
    if (key === undefined || !kind.shape.test(key)) {
      refuse(key === undefined ? kind.missing : kind.malformed);
      return;
    }
    const pay = (allowance: Allowance) => {
      paid = allowance;
      return allowance.allowed;
    };
    const admit = () => {
      const allowance = failures.count(request);
      return allowance instanceof Promise ? allowance.then(pay) : pay(allowance);
    };
    const found = (holder: Holder | undefined) => {
      if (holder === undefined) {
        refuse(unknownKey);
        return;
      }
      recognize(request, holder);
      // Checked before the rate limit: a key refused here must not use up its tenant's limit.
      const unfit = unfitness(holder, request.ip, calendar);
      if (unfit !== undefined) {
        refuse(unfit);
        return;
      }
      if (paid) failures.forgive(request);
      onUse?.(holder);
      whenKnown(limit?.(holder, reply), (tooOften) => {
        if (tooOften !== undefined) done(tooOften);
        else if (request.raw.url!.length > longestUrl) done(tooLongUrl);
        else if (request.is404) done(noSuchRoute(kind.paths));
        else done();
      });
    };
    const failed = (error: Error) => {
      if (isDone) {
        // The handlers after authentication answer their own errors, and must not run twice.
        request.log.error({ err: error }, 'a request failed behind the gate');
        return;
      }
      if (paid) failures.forgive(request);
      done(error);
    };
    const answer = authenticate(key, admit);
    if (answer instanceof Promise) answer.then(found).catch(failed);
    else found(answer);
  };
}

/** The key in the request, if it has the right format. */
export function keyIn({ authorization }: IncomingHttpHeaders, { shape }: KeyKind) {
  const key = bearer.exec(authorization ?? '')?.[1];
  return key !== undefined && shape.test(key) ? key : undefined;
}

/** The reason to refuse a known key for this request. */
export function unfitness(
  { key }: KeyHolder,
  address: string,
  calendar: Clock,
): DomainError | undefined {
  if (key.expiresAtMs !== null && key.expiresAtMs <= calendar.nowMs()) return expiredKey;
  return key.allowsAddress === null || key.allowsAddress(address) ? undefined : wrongAddress;
}

/** Refuses a permission that the key lacks. */
export function requirePermission({ permissions }: KeyHolder, permission: string): void {
  if (!permissions.has(permission)) {
    throw forbidden(`This API key lacks the permission ${permission}.`);
  }
}

const unlimited: Allowance = { allowed: true, left: 1, fullInMs: 0, retryInMs: 0 };

/**
 * Counts the failures of one address. An unknown key pays a token before its look-up, so that guessing costs
 * the database nothing once the bucket is empty. A key that turns out to be valid gets its token back.
 */
function failureCounter(clock: Clock, buckets: Buckets | undefined) {
  const limiter = buckets && new AddressLimiter(buckets);
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
