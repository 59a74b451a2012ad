import type { Static } from 'typebox';
import { notFound } from '../../platform/errors/errors.ts';
import { requirePermission } from '../../platform/http/auth.ts';
import { authorOf } from '../../platform/http/author.ts';
import { actHeaders, idempotencyHeaders } from '../../platform/http/idempotency-key.ts';
import { rangedListQuery, rangedPageOf } from '../../platform/http/list-range.ts';
import { listOf, pathId, sendPage } from '../../platform/http/lists.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { answerAct } from '../../platform/idempotency/respond-once.ts';
import type { RunAct } from '../../platform/idempotency/run-once.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { readsPhones } from '../../platform/values/phone.ts';
import type { CreateEndpoint } from './create-endpoint.ts';
import type { DeleteEndpoint } from './delete-endpoint.ts';
import { endpointView } from './endpoint.ts';
import { findEndpoint, listEndpoints } from './endpoint-store.ts';
import type { RotateSecret, RotationThen } from './rotate-secret.ts';
import {
  createBody,
  createdSchema,
  endpointSchema,
  idParams,
  rotateBody,
  rotatedSchema,
  tags,
  updateBody,
} from './schemas.ts';
import type { EndpointChange, UpdateEndpoint } from './update-endpoint.ts';

export interface WebhookRouteDependencies {
  database: Database;
  createEndpoint: CreateEndpoint;
  updateEndpoint: UpdateEndpoint;
  deleteEndpoint: DeleteEndpoint;
  rotateSecret: RotateSecret;
  rotationThen: RotationThen;
  runAct: RunAct;
}

export function webhookRoutes(scope: HttpScope, dependencies: WebhookRouteDependencies): void {
  createRoute(scope, dependencies);
  listRoute(scope, dependencies);
  getRoute(scope, dependencies);
  updateRoute(scope, dependencies);
  deleteRoute(scope, dependencies);
  rotateRoute(scope, dependencies);
}

function createRoute(scope: HttpScope, { createEndpoint }: WebhookRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'Only this answer shows the secret. A repetition under the same Idempotency-Key shows it again until the secret is rotated; ' +
      'after that, it shows the endpoint as it is now, without `secret`. After the endpoint is deleted, a repetition gets 404.',
    headers: idempotencyHeaders,
    body: createBody,
    response: { 200: createdSchema },
  };
  const errors = [
    'NOT_FOUND' as const,
    'IDEMPOTENCY_KEY_REUSED' as const,
    'LIMIT_REACHED' as const,
  ];
  const config = { permission: 'webhooks:write', errors };
  scope.post('/webhooks', { config, schema }, async (request, reply) => {
    const { body, headers, principal } = request;
    checkPhones(principal, body.events);
    const created = await createEndpoint({
      tenantId: principal.tenantId,
      mode: principal.mode,
      url: body.url,
      events: body.events,
      description: body.description ?? null,
      idempotencyKey: headers['idempotency-key'] ?? null,
      author: authorOf(request),
    });
    if (created.replayed) reply.header('Idempotent-Replayed', 'true');
    sendJson(reply, created.json);
    return reply;
  });
}

function listRoute(scope: HttpScope, { database }: WebhookRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints, newest first',
    querystring: rangedListQuery('we', {}),
    response: { 200: listOf(endpointSchema) },
  };
  const config = { permission: 'webhooks:read' };
  scope.get('/webhooks', { config, schema }, async ({ query, principal }, reply) => {
    const page = rangedPageOf('we', query);
    const rows = await listEndpoints(database, principal.tenantId, page);
    return sendPage(reply, rows, page, (row) => JSON.stringify(endpointView(row)));
  });
}

function getRoute(scope: HttpScope, { database }: WebhookRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    params: idParams,
    response: { 200: endpointSchema },
  };
  const config = { permission: 'webhooks:read' };
  scope.get('/webhooks/:id', { config, schema }, async ({ params, principal }) => {
    const id = pathId('we', params.id, 'webhook endpoint');
    const endpoint = await findEndpoint(database, principal.tenantId, id);
    if (!endpoint) throw notFound('webhook endpoint');
    return endpointView(endpoint);
  });
}

function updateRoute(scope: HttpScope, { updateEndpoint }: WebhookRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'updateWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    description:
      'Fields that you omit stay as they are; null clears the description. ' +
      'Enabling an endpoint sends the deliveries that were waiting for it.',
    params: idParams,
    body: updateBody,
    response: { 200: endpointSchema },
  };
  const config = { permission: 'webhooks:write', errors: ['LIMIT_REACHED' as const] };
  scope.patch('/webhooks/:id', { config, schema }, async (request) => {
    const { params, body, principal } = request;
    const id = pathId('we', params.id, 'webhook endpoint');
    // A new address gets all events that the endpoint subscribes to.
    if (body.url != null) requirePermission(principal, readsPhones);
    if (body.events != null) checkPhones(principal, body.events);
    const change = changeOf(body);
    return endpointView(await updateEndpoint({ ...principal, id }, change, authorOf(request)));
  });
}

const containsPhone = /^(payment|disbursement)\./;

/** Webhooks contain phones: a key that may not read phones may not have them sent to an address of its choice. */
function checkPhones(principal: Principal, events: readonly string[]): void {
  if (events.some((type) => containsPhone.test(type))) requirePermission(principal, readsPhones);
}

function changeOf(body: Static<typeof updateBody>): EndpointChange {
  const { url, events, status, description } = body;
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(status !== undefined && { status }),
    ...(description !== undefined && { description }),
  };
}

function deleteRoute(scope: HttpScope, { deleteEndpoint }: WebhookRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'Its pending deliveries are dropped.',
    params: idParams,
    response: { 204: Type.Null({ description: 'Deleted' }) },
  };
  const config = { permission: 'webhooks:write' };
  scope.delete('/webhooks/:id', { config, schema }, async (request, reply) => {
    const { params, principal } = request;
    const id = pathId('we', params.id, 'webhook endpoint');
    await deleteEndpoint({ tenantId: principal.tenantId, id }, authorOf(request));
    return reply.code(204).send(null);
  });
}

function rotateRoute(scope: HttpScope, dependencies: WebhookRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'Until the overlap ends, X-Service-Signature is made with the old secret and X-Service-Signature-Next ' +
      'with the new one. Until then, another rotation is refused unless it is to end the overlap. ' +
      'A repetition under the same Idempotency-Key shows the secret again until the next rotation.',
    headers: actHeaders,
    params: idParams,
    body: Type.Union([rotateBody, Type.Null()]),
    response: { 200: rotatedSchema },
  };
  const errors = ['INVALID_STATE' as const, 'IDEMPOTENCY_KEY_REUSED' as const];
  const config = { permission: 'webhooks:write', errors };
  const { rotateSecret, rotationThen, runAct } = dependencies;
  scope.post('/webhooks/:id/rotate-secret', { config, schema }, async (request, reply) => {
    const { params, body, principal } = request;
    const id = pathId('we', params.id, 'webhook endpoint');
    const key = { tenantId: principal.tenantId, id };
    const rotation = {
      overlapHours: body?.overlapHours ?? 24,
      endOverlap: body?.endOverlap ?? false,
    };
    const { endpointJson, secret, overlapEndsAtMs } = await answerAct(runAct, request, reply, {
      route: 'webhooks/rotate-secret',
      subjectId: id,
      meaning: rotation,
      perform: (keep) => rotateSecret(key, rotation, authorOf(request), keep),
      replay: (kept) => rotationThen(key, kept),
    });
    const overlapEndsAt = new Date(overlapEndsAtMs).toISOString();
    sendJson(reply, JSON.stringify({ ...JSON.parse(endpointJson), secret, overlapEndsAt }));
    return reply;
  });
}
