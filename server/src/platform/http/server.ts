import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HookHandlerDoneFunction,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
} from 'fastify';
import { DomainError, noSuchRoute } from '../errors/errors.ts';
import type { Room } from '../memory/admission-control.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Clock } from '../process/clock.ts';
import { createOpenLimit, noLimit } from './anonymous-limit.ts';
import { createGate, defaultRateLimits, type Gate, merchantKeys, type RateLimits } from './auth.ts';
import { parseJsonBody, refuseOtherBody } from './body.ts';
import { type DocsOptions, registerDocs } from './docs.ts';
import { sendError } from './errors.ts';
import { type Annex, withAnnex } from './lazy-app.ts';
import { boundMemory, createRoom } from './memory-limit.ts';
import type { Front } from './middleware.ts';
import { createNodeServer } from './node-server.ts';
import { type OpenApiOptions, observeOpenApi } from './openapi.ts';
import type { Authenticate, Principal } from './principal.ts';
import type { ProxyHooks } from './proxies.ts';
import { type MakeBuckets, ownBuckets } from './rate-limit.ts';
import { refuseClientError } from './refuse-connection.ts';
import { type OnAnswer, reportAnswers } from './report-responses.ts';
import { RequestLog, sharedLogger } from './request-log.ts';
import { makeRouteRules } from './route-rules.ts';
import { ajvOptions, compilersFactory } from './schema-compilers.ts';
import { createTenantLimit, type TenantLimit } from './tenant-limit.ts';
import { traceRequests } from './trace-requests.ts';
import { type Part, validationError } from './validation-message.ts';
import { boundActs } from './write-concurrency.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of `/v1`. */
    openApi(): Promise<object>;
  }
}

/** A scope in which routes are registered; schemas made with TypeBox type their handlers. */
export type HttpScope = FastifyInstance<
  Server,
  RawRequestDefaultExpression<Server>,
  RawReplyDefaultExpression<Server>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export interface HttpTimeouts {
  /** The time limit for a whole request to arrive. */
  requestMs: number;
  headersMs: number;
  /** The time limit without any traffic, even while a request is being processed. */
  idleMs: number;
  keepAliveMs: number;
  /** The time limit after `close()` for requests in flight. */
  closeMs: number;
  /** The same after draining: other processes serve the port, so a slow request may still arrive. */
  leaveMs: number;
}

const defaultTimeouts: HttpTimeouts = {
  requestMs: 30_000,
  headersMs: 15_000,
  idleMs: 60_000,
  // Longer than the usual 60 s of load balancers, which would otherwise use connections just closed.
  keepAliveMs: 72_000,
  closeMs: 10_000,
  // Longer than a request may take to arrive, shorter than the primary waits for a process that leaves.
  leaveMs: 40_000,
};

export interface HttpServerOptions {
  logger: FastifyBaseLogger;
  clock: Clock;
  /** The clock for the expiry of keys, if it differs: the clock of the database. */
  calendar?: Clock;
  authenticate: Authenticate;
  /** Called with each accepted key. */
  onUse?: (principal: Principal) => void;
  /** Called for each answered request with a known key. */
  onAnswer?: OnAnswer;
  rateLimits?: RateLimits | 'off';
  makeBuckets?: MakeBuckets;
  /** Addresses of proxies whose `X-Forwarded-For` is trusted; by default none. */
  trustProxy?: string[];
  /** Detects a proxy missing from the settings. */
  proxies?: ProxyHooks;
  timeouts?: Partial<HttpTimeouts>;
  openApi: OpenApiOptions;
  /** False: the docs are served elsewhere, or nowhere. */
  docs?: boolean;
  /** The demo's key for readers of the docs on this machine: {@link registerDocs}. */
  demoKey?: DocsOptions['demoKey'];
  tracing?: Tracing | undefined;
  /** The memory budget for large requests and responses. */
  room?: Room;
  /** An app that shares the listener. */
  annex?: Annex;
  /** Sees each request before the routes do. */
  front?: Front | undefined;
  /** Registers the routes of `/v1`. */
  v1(scope: HttpScope): void;
}

export type PlainServerOptions = Pick<
  HttpServerOptions,
  'logger' | 'trustProxy' | 'proxies' | 'timeouts' | 'tracing' | 'annex' | 'front'
>;

const oneMiB = 1024 * 1024;
const requestIdShape = /^[\w.-]{1,64}$/;

/** The HTTP server with all general promises of `/v1`, independent of its routes; not listening yet. */
export function buildHttpServer(options: HttpServerOptions): HttpScope {
  const { clock, rateLimits = defaultRateLimits, calendar = clock } = options;
  const { makeBuckets = ownBuckets } = options;
  const limits = rateLimits === 'off' ? undefined : rateLimits;
  const tenantLimit =
    limits && createTenantLimit(clock, limits.tenant, makeBuckets('tenants', limits.tenant));
  const gate = createGate<Principal>({
    ...options,
    kind: merchantKeys,
    failures: limits && makeBuckets('keys', limits.unauthenticated),
    calendar,
    recognize: (request, principal) => {
      request.principal = principal;
    },
    limit: tenantLimit && ((principal, reply) => tenantLimit.take(principal, reply)),
  });
  const app = buildPlainServer(options, gate);
  speakJson(app);
  const document = observeOpenApi(app, options.openApi);
  app.decorate('openApi', document);
  if (options.docs ?? true) {
    const limit = limits ? createOpenLimit(clock, 'docs', makeBuckets) : noLimit;
    registerDocs(app, { document, limit, demoKey: options.demoKey });
  }
  // Asynchronous, so that a route that breaks the rules rejects the start.
  app.register(async (scope: HttpScope) => registerV1(scope, { gate, tenantLimit }, options), {
    prefix: '/v1',
  });
  return app;
}

/** Accepts only JSON; sends responses as the routes make them. */
export function speakJson(scope: HttpScope): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody);
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, refuseOtherBody);
}

/** A server with our error format, but without routes. */
export function buildPlainServer(options: PlainServerOptions, gate: Gate = noGate): HttpScope {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const app = createApp(options, timeouts, gate);
  app.decorateRequest('errorCode');
  app.addHook('onRequest', markAnswer);
  if (options.tracing) traceRequests(app, options.tracing);
  if (options.proxies) app.addHook('onRequest', options.proxies.onRequest);
  if (options.proxies) app.addHook('preHandler', options.proxies.preHandler);
  if (options.front) app.addHook('onRequest', options.front.onRequest);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw noSuchRoute();
  });
  closeSoon(app, timeouts);
  return app;
}

const noGate: Gate = (_request, _reply, done) => done(noSuchRoute());

function createApp(options: PlainServerOptions, timeouts: HttpTimeouts, gate: Gate): HttpScope {
  return fastify({
    loggerInstance: options.logger,
    logController: new RequestLog(),
    childLoggerFactory: sharedLogger,
    genReqId: requestId,
    bodyLimit: oneMiB,
    routerOptions: { maxParamLength: 200 },
    trustProxy: options.trustProxy ?? false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    serverFactory: (handler) => {
      const cannotOpen = (error: unknown) => options.logger.error(error, 'an app cannot be made');
      const own = withAnnex(handler, options.annex, cannotOpen);
      return createNodeServer(options.front ? options.front.before(own) : own, timeouts);
    },
    clientErrorHandler: refuseClientError,
    frameworkErrors: (_error, request, reply) =>
      refuseBadPath(gate, request as FastifyRequest, reply as unknown as FastifyReply),
    schemaController: { compilersFactory },
    schemaErrorFormatter: (errors, part) => validationError(errors, part as Part),
    ajv: ajvOptions,
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as HttpScope;
}

function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && requestIdShape.test(given) ? given : randomUUID();
}

/** The headers of every response, and the requirements for every request. */
function markAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  // Pages of other sites must not embed our responses.
  reply.header('cross-origin-resource-policy', 'same-origin');
  const { headers, httpVersion } = request.raw;
  if (headers.host === undefined && httpVersion === '1.1')
    done(badHeader('A Host header is required.'));
  else if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    done(badHeader('The only Expect header that is understood is 100-continue.'));
  } else done();
}

const badHeader = (message: string) => new DomainError('VALIDATION_ERROR', message);

/** A path with broken percent-encoding or an over-long id is a 404; in `/v1` the key is checked first. */
function refuseBadPath(gate: Gate, request: FastifyRequest, reply: FastifyReply): void {
  const refuse = (error?: Error) => sendError(error ?? noSuchRoute(), request, reply);
  markAnswer(request, reply, (error) => {
    if (error !== undefined) refuse(error);
    else if (request.raw.url!.startsWith('/v1/')) gate(request, reply, refuse);
    else refuse();
  });
}

function registerV1(
  scope: HttpScope,
  { gate, tenantLimit }: { gate: Gate; tenantLimit: TenantLimit | undefined },
  options: HttpServerOptions,
): void {
  scope.decorateRequest('principal');
  if (options.onAnswer) reportAnswers(scope, options.onAnswer);
  scope.addHook('onRequest', gate);
  scope.addHook(
    'onRoute',
    makeRouteRules((request) => request.principal),
  );
  boundMemory(scope, options.room ?? createRoom(), tenantLimit);
  boundActs(scope);
  scope.setNotFoundHandler(() => {
    throw noSuchRoute();
  });
  options.v1(scope);
}

/**
 * Connections with a request in flight at `close()` become idle later, and silent ones never end. They are closed right
 * after the event loop has read what had arrived: a late process would take busy connections for idle ones.
 */
function closeSoon(app: HttpScope, { closeMs, leaveMs }: HttpTimeouts): void {
  let hasListened = false;
  app.server.once('listening', () => {
    hasListened = true;
  });
  app.addHook('preClose', (done) => {
    // A draining server no longer listens, but still has earlier connections.
    if (!hasListened) {
      done();
      return;
    }
    const closeIdle = () => app.server.closeIdleConnections();
    const idle = setInterval(() => setImmediate(closeIdle), 50);
    const limitMs = app.server.listening ? closeMs : leaveMs;
    const all = setTimeout(() => app.server.closeAllConnections(), limitMs);
    app.server.once('close', () => {
      clearInterval(idle);
      clearTimeout(all);
    });
    setImmediate(done);
  });
}
