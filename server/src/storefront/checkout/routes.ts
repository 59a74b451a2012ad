import { notFound } from '../../platform/errors/errors.ts';
import type { Piece } from '../../platform/formats/large-text.ts';
import { authorOf } from '../../platform/http/author.ts';
import { actHeaders, idempotencyHeaders } from '../../platform/http/idempotency-key.ts';
import { metadataOf, rangedPageOf } from '../../platform/http/list-range.ts';
import { readInTime } from '../../platform/http/list-time.ts';
import { listOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { checkMetadata } from '../../platform/http/metadata.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { idempotentRequest, withoutNulls } from '../../platform/idempotency/idempotency.ts';
import { answerAct } from '../../platform/idempotency/respond-once.ts';
import type { RunAct } from '../../platform/idempotency/run-once.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { parseId } from '../../platform/values/ids.ts';
import type { CreateSession, CreateSessionInput } from './create.ts';
import type { ExpireSession } from './expire.ts';
import { findSessionsByMetadata, listSessions, type SessionFilter } from './list.ts';
import { findStoredSession, storedPieces } from './read-session.ts';
import {
  type CreateSessionBody,
  createSessionBody,
  listSessionsQuery,
  sessionSchema,
} from './schemas.ts';
import { creationPieces, sessionPieces } from './session.ts';

export interface CheckoutRouteDependencies {
  database: Database;
  publicUrl: string;
  createSession: CreateSession;
  expireSession: ExpireSession;
  runAct: RunAct;
}

const tags = ['Checkout'];
/** Filters that may take long. */
const unlimited = ['status', 'customer_id', 'payment_intent_id'];
const params = Type.Object({ id: Type.String() });
const response = { 200: sessionSchema };
/** A session has as many items as a request body holds, and is longer by their ids. */
const answerBytes = 4 * 1024 * 1024;
const read = { permission: 'checkout:read', answerBytes };
const list = { permission: 'checkout:read' };
const write = { permission: 'checkout:write' };
const noun = 'checkout session';

export function checkoutRoutes(scope: HttpScope, dependencies: CheckoutRouteDependencies): void {
  createRoute(scope, dependencies);
  listRoute(scope, dependencies);
  getRoute(scope, dependencies);
  expireRoute(scope, dependencies);
}

function createRoute(scope: HttpScope, dependencies: CheckoutRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'createCheckoutSession',
    summary: 'Create a checkout session',
    description:
      'Send the customer to the url of the session. Give exactly one of items and amount.',
    headers: idempotencyHeaders,
    body: createSessionBody,
    response,
  };
  const errors = [
    'NOT_FOUND' as const,
    'KEY_LIMIT_EXCEEDED' as const,
    'IDEMPOTENCY_KEY_REUSED' as const,
  ];
  const config = { ...write, errors, takesTurnsBeneath: true };
  scope.post('/checkout/sessions', { config, schema }, async (request, reply) => {
    const { body, headers, principal } = request;
    const input = inputOf(principal, body, headers['idempotency-key']);
    const created = await dependencies.createSession(input);
    if (created.replayed) reply.header('Idempotent-Replayed', 'true');
    sendJson(reply, ...creationPieces(created.session, dependencies.publicUrl));
    return reply;
  });
}

function inputOf(
  { tenantId, terms, key: apiKey }: Principal,
  body: CreateSessionBody,
  key: string | undefined,
): CreateSessionInput {
  return {
    tenantId,
    items:
      body.items?.map((item) => ({
        productId: item.productId ?? null,
        name: item.name,
        description: item.description ?? null,
        quantity: item.quantity,
        unitPriceMinor: item.unitPrice,
      })) ?? null,
    amountMinor: body.amount ?? null,
    ...defaultsOf(body),
    externalId: body.externalId ?? null,
    customerId: body.customerId ?? null,
    description: body.description ?? null,
    returnUrl: body.returnUrl ?? null,
    completionUrl: body.completionUrl ?? null,
    metadata: body.metadata ? checkMetadata(body.metadata) : null,
    apiKey,
    terms,
    idempotency: idempotentRequest(key, body, () => ({
      ...body,
      ...defaultsOf(body),
      items: body.items?.map(withoutNulls),
    })),
  };
}

const defaultsOf = ({ currency, expiresInMinutes }: CreateSessionBody) => ({
  currency: currency ?? ('CVE' as const),
  expiresInMinutes: expiresInMinutes ?? 1440,
});

function listRoute(scope: HttpScope, dependencies: CheckoutRouteDependencies): void {
  const { database } = dependencies;
  const schema = {
    tags,
    operationId: 'listCheckoutSessions',
    summary: 'List checkout sessions, newest first',
    querystring: listSessionsQuery,
    response: { 200: listOf(sessionSchema) },
  };
  scope.get('/checkout/sessions', { config: list, schema }, async ({ query, principal }, reply) => {
    const page = rangedPageOf('cs', query);
    const { status, customer_id: customerId, external_id: externalId } = query;
    const { payment_intent_id: payment } = query;
    const paymentId = payment === undefined ? undefined : parseId('pi', payment);
    // A malformed id names no payment, so no session belongs to it.
    if (payment !== undefined && paymentId === undefined) return { data: [], hasMore: false };
    const { tenantId } = principal;
    const filter: SessionFilter = { status, customerId, externalId, paymentId };
    const metadata = metadataOf(query, page);
    if (metadata)
      filter.ids = await findSessionsByMetadata(database, tenantId, filter, page, metadata);
    const rows = await readInTime(database, query, unlimited, (queryable) =>
      listSessions(queryable, tenantId, filter, page),
    );
    return sendPage(reply, rows, page, (row) => storedPieces(dependencies, row));
  });
}

function getRoute(scope: HttpScope, dependencies: CheckoutRouteDependencies): void {
  const summary = 'Get a checkout session';
  const schema = { tags, operationId: 'getCheckoutSession', summary, params, response };
  scope.get('/checkout/sessions/:id', { config: read, schema }, async (request, reply) => {
    const id = pathId('cs', request.params.id, noun);
    const session = await findStoredSession(dependencies.database, request.principal.tenantId, id);
    if (!session) throw notFound(noun);
    sendJson(reply, ...storedPieces(dependencies, session));
    return reply;
  });
}

function expireRoute(scope: HttpScope, dependencies: CheckoutRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'expireCheckoutSession',
    summary: 'Expire a checkout session',
    description: 'Ends the session early. Not possible while the customer is paying.',
    headers: actHeaders,
    params,
    response,
  };
  const errors = ['INVALID_STATE' as const, 'IDEMPOTENCY_KEY_REUSED' as const];
  const config = { ...write, answerBytes, errors };
  scope.post('/checkout/sessions/:id/expire', { config, schema }, async (request, reply) => {
    const id = pathId('cs', request.params.id, noun);
    const { tenantId } = request.principal;
    const pieces = await answerAct<Piece[]>(dependencies.runAct, request, reply, {
      route: 'checkout/sessions/expire',
      subjectId: id,
      async perform(keep) {
        const author = authorOf(request);
        const expired = await dependencies.expireSession(tenantId, id, author, keep);
        return sessionPieces(expired, dependencies.publicUrl);
      },
      async replay() {
        const session = await findStoredSession(dependencies.database, tenantId, id);
        if (!session) throw notFound(noun);
        return storedPieces(dependencies, session);
      },
    });
    sendJson(reply, ...pieces);
    return reply;
  });
}
