import type { onRequestHookHandler } from 'fastify';
import type { Author } from '../../platform/audit/record.ts';
import { DomainError, noSuchRoute } from '../../platform/errors/errors.ts';
import { createOpenLimit, noLimit } from '../../platform/http/anonymous-limit.ts';
import { createGate, type Gate, type RateLimits } from '../../platform/http/auth.ts';
import { registerDocs } from '../../platform/http/docs.ts';
import { unavailable } from '../../platform/http/errors.ts';
import { observeOpenApi } from '../../platform/http/openapi.ts';
import type { KeyHolder } from '../../platform/http/principal.ts';
import type { MakeBuckets } from '../../platform/http/rate-limit.ts';
import { makeRouteRules } from '../../platform/http/route-rules.ts';
import { buildPlainServer, type HttpScope, speakJson } from '../../platform/http/server.ts';
import { createTenantLimit } from '../../platform/http/tenant-limit.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { homeName } from '../../tenants/cells/cell.ts';
import type { StaffCells } from '../../tenants/cells/staff-cells.ts';
import type { AuthenticateDependencies } from '../../tenants/merchants/authenticate.ts';
import { staffPermissions } from '../../tenants/people/staff-permissions.ts';
import { adminKeys, makeAuthenticateAdmin } from './authenticate.ts';
import { adminOpenApi } from './openapi.ts';
import { adminRoutes } from './routes.ts';
import type { AdminServices } from './services.ts';

export interface AdminApi {
  /** The database of the keys. */
  keys: AuthenticateDependencies;
  clock: Clock;
  /** The clock for the expiry of keys. */
  calendar: Clock;
  onUse(holder: KeyHolder): void;
  rateLimits: RateLimits | 'off';
  makeBuckets: MakeBuckets;
  /** The API's address, for its document. */
  url: string;
  services: AdminServices;
}

const prefix = '/admin/v1';
const onlyCell: StaffCells = { own: homeName, names: [homeName] };
const noSuchCell = new DomainError('NOT_FOUND', 'This gateway has no cell of this name.');

/** The limit for one key: enough for a program of ours, too little to crawl all data. */
const perKey = { perSecond: 50, burst: 500 };

/** Serves `/admin/v1`, and its reference under `/admin/docs`; all of it requires an admin key. */
export function registerAdmin(app: HttpScope, api: AdminApi): void {
  const { clock, rateLimits, makeBuckets } = api;
  const document = observeOpenApi(app, adminOpenApi(api.url));
  app.decorate('adminOpenApi', document);
  const limit = rateLimits === 'off' ? noLimit : createOpenLimit(clock, 'admin docs', makeBuckets);
  registerDocs(app, { document, limit, prefix: '/admin', title: 'Zimbo admin API' });
  app.register(async (scope: HttpScope) => registerV1(scope, api), { prefix });
}

/**
 * A request that names another cell arrives here only if no cell took it. Strangers do not learn
 * which cells exist.
 */
function namesThisCell({ own, names }: StaffCells): onRequestHookHandler {
  return ({ headers }, _reply, done) => {
    const name = headers['zimbo-cell'];
    if (name === undefined || name === own) done();
    else done(names.includes(String(name)) ? unavailable : noSuchCell);
  };
}

function registerV1(scope: HttpScope, { keys, services, ...rest }: AdminApi): void {
  const { clock, makeBuckets } = rest;
  const limits = rest.rateLimits === 'off' ? undefined : rest.rateLimits;
  const keyLimit = limits && createTenantLimit(clock, perKey, makeBuckets('admin', perKey));
  const gate = createGate<KeyHolder>({
    ...rest,
    kind: adminKeys,
    authenticate: makeAuthenticateAdmin(keys),
    failures: limits && makeBuckets('admin keys', limits.unauthenticated),
    recognize: (request, holder) => {
      request.adminKey = holder;
    },
    limit: keyLimit && (({ key }, reply) => keyLimit.take({ tenantId: key.id }, reply)),
  });
  serveRoutes(scope, gate, services);
}

function serveRoutes(scope: HttpScope, gate: Gate, services: AdminServices): void {
  speakJson(scope);
  scope.decorateRequest('adminKey');
  scope.addHook('onRequest', gate);
  const cells = services.cells ?? onlyCell;
  scope.addHook('onRequest', namesThisCell(cells));
  scope.addHook(
    'onRoute',
    makeRouteRules(({ adminKey }) => adminKey),
  );
  scope.setNotFoundHandler(() => {
    throw noSuchRoute(prefix);
  });
  adminRoutes(scope, services);
}

/**
 * The same routes without a listener, for a person at a shell of this machine: no key is asked for, and every permission
 * is given. @param onError sees why a request failed, which responses do not say
 */
export async function buildLocalAdmin(
  services: AdminServices,
  author: Author,
  onError: (error: unknown) => void,
): Promise<HttpScope> {
  const app = buildPlainServer({ logger: services.log });
  const key = { id: nobody, expiresAtMs: null, allowsAddress: null };
  const holder: KeyHolder = { permissions: new Set(staffPermissions), key, author };
  const gate: Gate = (request, _reply, done) => {
    request.adminKey = holder;
    done();
  };
  const serve = async (scope: HttpScope) => {
    scope.setErrorHandler((error, _request, reply) => {
      onError(error);
      void reply.code(500).send();
    });
    serveRoutes(scope, gate, services);
  };
  app.register(serve, { prefix });
  await app.ready();
  return app;
}

const nobody = '00000000-0000-0000-0000-000000000000';
