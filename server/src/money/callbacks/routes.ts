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
} from './authenticate-sender.ts';
import type { TakeCallback } from './receive.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the callback route, whose body nothing else may read first. */
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

/** An honest operator repeats an outcome a few times; each callback costs us a statement. */
const ofOneReference: RateLimit = { perSecond: 1, burst: 60 };

/** A refusal is worth a log line; a flood of refusals is not. */
const logged: RateLimit = { perSecond: 1 / 60, burst: 5 };

/**
 * Where operators report outcomes, outside `/v1`. The token in the address says what a callback is about; the
 * settings decide how a callback must prove that the operator sent it.
 */
export function callbackRoutes(app: HttpScope, dependencies: CallbackRouteDependencies): void {
  app.register((scope: HttpScope, _options, done) => {
    // The signature covers the raw bytes.
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
  const buckets =
    config.rateLimits === 'off' ? undefined : makeBuckets('callbacks', ofOneReference);
  const handler = async (request: FastifyRequest<Callback>, reply: FastifyReply) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const authenticated = authenticity(request, bytes);
    const { callbackAddress: address } = request;
    // Only after authentication: strangers must not use up the operator's limit.
    const allowance = await buckets?.take(address.reference, clock.nowMs());
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

/** Refuses an unknown address before reading the body; guessing addresses is rate-limited. */
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
      // Another operator may call back with this method.
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

/**
 * When an operator may repeat a callback that exceeded the limit; by then we have queried it, and the callback may be
 * redundant.
 */
const fullMs = 60_000;

const otherMethod = noSuchRoute();
const unknownAddress = unauthorized('This callback address is not one of ours.');
const unproved = unauthorized('This callback is not proven to come from the operator.');

function tooMany(reply: FastifyReply, { retryInMs }: { retryInMs: number }): DomainError {
  reply.header('retry-after', String(Math.max(1, Math.ceil(retryInMs / 1_000))));
  return new DomainError('RATE_LIMITED', 'Too many callbacks.');
}

/** Returns whether a callback is authenticated; throws if the settings require that and it is not. */
function authenticator(dependencies: CallbackRouteDependencies) {
  const { config, metrics } = dependencies;
  const authenticate: AuthenticateCallback = makeAuthenticateCallback(
    config.operators,
    dependencies.adapterOf,
    config.trustProxy,
  );
  const logRefusal = refusalLog(dependencies);
  // Prometheus sees an increase only in a counter that already exists.
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

/** Logs refusals: the first few at once, then one a minute for each operator, with the number of refusals left out. */
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
