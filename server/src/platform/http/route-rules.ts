import type { FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { type ErrorCode, invalid } from '../errors/errors.ts';
import { requirePermission } from './auth.ts';
import type { KeyHolder } from './principal.ts';
import { coerceQuery, coercionsOf, refuseUnsafeQuery } from './query-string.ts';
import { Type } from './type.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The permission that a key needs to call this route, such as `payments:write`; every route of an API
     * names one.
     */
    permission?: string;
    /** Codes beyond the usual ones that this route may answer with, for its documentation. */
    errors?: ErrorCode[];
  }
}

const emptyQuery = Type.Object({}, { additionalProperties: false });
/** An empty JSON object is accepted on routes without a body. */
export const emptyBody = Type.Unsafe<unknown>({ type: ['object', 'null'], maxProperties: 0 });

const withBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The rules of every route of an API, prepared once when the route is registered.
 * @param holderOf returns the holder of the authenticated key
 */
export const makeRouteRules =
  (holderOf: (request: FastifyRequest) => KeyHolder) =>
  (route: RouteOptions): void =>
    applyRouteRules(route, holderOf);

function applyRouteRules(
  route: RouteOptions,
  holderOf: (request: FastifyRequest) => KeyHolder,
): void {
  const permission = route.config?.permission;
  const methods = [route.method].flat();
  if (permission === undefined) {
    throw new Error(`${methods.join()} ${route.url} names no permission in its config`);
  }
  const querystring = route.schema?.querystring ?? emptyQuery;
  const takesBody = methods.every((method) => withBody.has(method));
  const body = route.schema?.body ?? (takesBody ? emptyBody : undefined);
  route.schema = { ...route.schema, querystring, ...(body !== undefined && { body }) };
  const coercions = coercionsOf(querystring);
  const check = requestCheck({ permission, coercions, holderOf });
  route.onRequest = [check, ...[route.onRequest ?? []].flat()];
}

interface Check {
  permission: string;
  coercions: ReturnType<typeof coercionsOf>;
  holderOf: (request: FastifyRequest) => KeyHolder;
}

function requestCheck({ permission, coercions, holderOf }: Check) {
  return (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void => {
    try {
      requirePermission(holderOf(request), permission);
      refuseUnsafeQuery(request.raw.url!);
      coerceQuery(request.query as Record<string, unknown>, coercions);
      ignoreTypeOfEmptyBody(request);
      refuseRepeatedKey(request);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
}

/** Node joins repeated headers with commas, so two keys would look like a third. */
function refuseRepeatedKey({ raw }: FastifyRequest): void {
  const name = 'idempotency-key';
  if (!raw.headers[name]?.includes(',')) return;
  if ((raw.headersDistinct[name]?.length ?? 0) > 1) {
    throw invalid('Idempotency-Key', 'must be given only once');
  }
}

/** Otherwise Fastify would refuse an ill-formed Content-Type even without a body. */
function ignoreTypeOfEmptyBody({ raw: { headers } }: FastifyRequest): void {
  const length = headers['content-length'];
  if (headers['transfer-encoding'] !== undefined) return;
  if (length === undefined || length === '0') delete headers['content-type'];
}
