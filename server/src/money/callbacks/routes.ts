import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Logger } from 'pino';
import { parseExactly } from '../../integrations/operators/amount.ts';
import type {
  CallbackAddress,
  CallbackTokens,
} from '../../integrations/operators/callback-token.ts';
import type { AdapterOf } from '../../integrations/operators/load-adapters.ts';
import type { Config } from '../../platform/config/config.ts';
import { DomainError, noSuchRoute, unauthorized } from '../../platform/errors/errors.ts';
import { AddressLimiter } from '../../platform/http/address-limit.ts';
import { readAnyJson } from '../../platform/http/body.ts';
import {
  type MakeBuckets,
  type RateLimit,
  RateLimiter,
  whenKnown,
} from '../../platform/http/rate-limit.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import type { Metrics } from '../../platform/observability/metrics.ts';
import type { Clock } from '../../platform/process/clock.ts';
import {
  type AuthenticateCallback,
  makeAuthenticateCallback,
  type Proof,
  proofs,
} from './authenticate.ts';
import type { TakeCallback } from './receive.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the route of callbacks, whose body nobody reads before. */
    callbackAddress: CallbackAddress;
  }
}

export interface CallbackRouteDependencies {
  config: Pick<Config, 'operators' | 'trustProxy' | 'rateLimits'>;
  adapterOf: AdapterOf;
  clock: Clock;
  makeBuckets: MakeBuckets;
  log: Logger;
  metrics: Pick<Metrics, 'refusedCallbacks' | 'unknownCallbacks'>;
  tokens: CallbackTokens;
  takeCallback: TakeCallback;
}

interface Callback {
  Params: { operator: string; token: string };
}

const maxBodyBytes = 64 * 1024;

/** An honest operator tells a few times of one thing; each telling costs us a statement. */
const ofOneReference: RateLimit = { perSecond: 1, burst: 60 };

/** A refusal is worth a line; a flood of them is not. */
const logged: RateLimit = { perSecond: 1 / 60, burst: 5 };

/**
 * Where operators tell of outcomes, outside `/v1`. The token in the address says what a callback is about;
 * that it is the operator's own is proved as the settings ask for.
 */
export function callbackRoutes(app: HttpScope, dependencies: CallbackRouteDependencies): void {
  app.register((scope: HttpScope, _options, done) => {
    // The bytes themselves are what is signed.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      (_request, bytes, parsed) => parsed(null, bytes),
    );
    scope.decorateRequest('callbackAddress');
    registerCallback(scope, dependencies);
    done();
  });
}

function registerCallback(scope: HttpScope, dependencies: CallbackRouteDependencies): void {
  const { clock, takeCallback, config, makeBuckets } = dependencies;
  const authenticity = authenticator(dependencies);
  const told = config.rateLimits === 'off' ? undefined : makeBuckets('callbacks', ofOneReference);
  const handler = async (request: FastifyRequest<Callback>, reply: FastifyReply) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const authenticated = authenticity(request, bytes);
    const { callbackAddress: address } = request;
    // Only then: strangers must not use up what the operator may say.
    const allowance = await told?.take(address.reference, clock.nowMs());
    if (allowance?.allowed === false) throw tooMany(reply, allowance);
    const sent = { address, authenticated, body: readAnyJson(request, bytes, parseExactly) };
    if ((await takeCallback(sent)) === 'TOO_MANY') throw tooMany(reply, { retryInMs: fullMs });
    return reply.code(204).send();
  };
  const methods = Object.values(dependencies.adapterOf).map(({ callbacks }) => callbacks.method);
  scope.route<Callback>({
    method: [...new Set(methods)],
    url: '/operators/:operator/callbacks/:token',
    schema: { hide: true },
    bodyLimit: maxBodyBytes,
    onRequest: addressReader(dependencies),
    handler,
  });
}

/** Refuses an address that is not ours before its body is read; those who guess are slowed down. */
function addressReader(dependencies: CallbackRouteDependencies) {
  const { adapterOf, tokens, metrics, clock, makeBuckets } = dependencies;
  const { rateLimits } = dependencies.config;
  const failures =
    rateLimits === 'off'
      ? undefined
      : new AddressLimiter(makeBuckets('callback addresses', rateLimits.unauthenticated));
  return (
    request: FastifyRequest<Callback>,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): void => {
    const { operator, token } = request.params;
    const address = tokens.read(operator, token);
    if (address) {
      request.callbackAddress = address;
      // Another operator may call back by this method.
      done(
        adapterOf[address.operator].callbacks.method === request.method ? undefined : otherMethod,
      );
      return;
    }
    metrics.unknownCallbacks.inc();
    whenKnown(failures?.take(request.ip, clock.nowMs()), (allowance) =>
      done(allowance?.allowed === false ? tooMany(reply, allowance) : unknownAddress),
    );
  };
}

/** When an operator may send again what found no room; by then it was asked, and may have nothing left to tell. */
const fullMs = 60_000;

const otherMethod = noSuchRoute();
const unknownAddress = unauthorized('This callback address is not one of ours.');
const unproved = unauthorized('This callback is not proven to come from the operator.');

function tooMany(reply: FastifyReply, { retryInMs }: { retryInMs: number }): DomainError {
  reply.header('retry-after', String(Math.max(1, Math.ceil(retryInMs / 1_000))));
  return new DomainError('RATE_LIMITED', 'Too many callbacks.');
}

/** Whether a callback is authenticated; one that should be and is not is refused. */
function authenticator(dependencies: CallbackRouteDependencies) {
  const { config, metrics } = dependencies;
  const authenticate: AuthenticateCallback = makeAuthenticateCallback(
    config.operators,
    dependencies.adapterOf,
    config.trustProxy,
  );
  const logRefusal = refusalLog(dependencies);
  // An alert sees a counter rise only where it has been seen before.
  for (const operator of Object.keys(config.operators)) {
    for (const proof of proofs) metrics.refusedCallbacks.inc({ operator, proof }, 0);
  }
  return (request: FastifyRequest<Callback>, body: Buffer): boolean => {
    const { ip, headers, socket, callbackAddress: address } = request;
    const { operator } = address;
    const peer = socket.remoteAddress ?? '';
    const authenticity = authenticate(operator, { ip, peer, headers, body });
    if (authenticity.verdict !== 'REFUSED') return authenticity.verdict === 'AUTHENTIC';
    const { lacking } = authenticity;
    for (const proof of lacking) metrics.refusedCallbacks.inc({ operator, proof });
    logRefusal(address, ip, lacking);
    throw unproved;
  };
}

/** Logs refusals, a few at once and then one a minute for each operator, with how many were left out. */
function refusalLog({ log, clock }: CallbackRouteDependencies) {
  const limiter = new RateLimiter(logged);
  const leftOut = new Map<string, number>();
  return (
    { operator, tenantId, reference, kind }: CallbackAddress,
    ip: string,
    lacking: Proof[],
  ) => {
    const unlogged = leftOut.get(operator) ?? 0;
    if (!limiter.take(operator, clock.nowMs()).allowed) {
      leftOut.set(operator, unlogged + 1);
      return;
    }
    leftOut.delete(operator);
    log.warn(
      { operator, tenantId, reference, kind, ip, lacking, unlogged },
      `A callback was refused: it is not proven to come from ${operator}`,
    );
  };
}
