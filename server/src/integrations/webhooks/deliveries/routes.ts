import { invalid, notFound } from '../../../platform/errors/errors.ts';
import { givenInstantMs } from '../../../platform/formats/instant.ts';
import { authorOf } from '../../../platform/http/author.ts';
import { actHeaders } from '../../../platform/http/idempotency-key.ts';
import { rangedPageOf } from '../../../platform/http/list-range.ts';
import { readInTime } from '../../../platform/http/list-time.ts';
import { listOf, pathId, sendPage } from '../../../platform/http/lists.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { answerAct } from '../../../platform/idempotency/respond-once.ts';
import { keepNothing, type RunAct } from '../../../platform/idempotency/run-once.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { findEndpoint } from '../endpoint-store.ts';

import {
  deliveryParams,
  deliverySchema,
  idParams,
  listDeliveriesQuery,
  redeliverBody,
  redeliveredSchema,
  tags,
} from '../schemas.ts';
import { deliveryView, type StoredDelivery } from './delivery.ts';
import { findDelivery, listDeliveries } from './list.ts';
import type { Redeliver, Redelivered } from './redeliver.ts';
import type { SendTestEvent } from './send-test-event.ts';

export interface DeliveryRouteDependencies {
  database: Database;
  clock: Clock;
  redeliver: Redeliver;
  sendTestEvent: SendTestEvent;
  runAct: RunAct;
}

const noun = 'webhook endpoint';
const response = { 200: deliverySchema };
const errors = ['INVALID_STATE' as const, 'IDEMPOTENCY_KEY_REUSED' as const];
const write = { permission: 'webhooks:write', errors };
const deliveryThen = (kept: object) => kept as StoredDelivery;

export function deliveryRoutes(scope: HttpScope, dependencies: DeliveryRouteDependencies): void {
  listRoute(scope, dependencies);
  getRoute(scope, dependencies);
  redeliverRoute(scope, dependencies);
  redeliverRangeRoute(scope, dependencies);
  testRoute(scope, dependencies);
}

function listRoute(scope: HttpScope, { database }: DeliveryRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook endpoint, newest event first',
    params: idParams,
    querystring: listDeliveriesQuery,
    response: { 200: listOf(deliverySchema) },
  };
  // Twenty attempts, each with the first KiB of its answer.
  const config = { permission: 'webhooks:read', rowBytes: 80 * 1024 };
  scope.get('/webhooks/:id/deliveries', { config, schema }, async (request, reply) => {
    const { query, principal } = request;
    const { tenantId } = principal;
    const page = rangedPageOf('dl', query);
    const id = pathId('we', request.params.id, noun);
    if (!(await findEndpoint(database, tenantId, id))) throw notFound(noun);
    const rows = await readInTime(database, query, ['status'], (queryable) =>
      listDeliveries(queryable, { tenantId, id }, query.status, page),
    );
    return sendPage(reply, rows, page, (row) => JSON.stringify(deliveryView(row, principal)));
  });
}

function getRoute(scope: HttpScope, { database }: DeliveryRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery',
    params: deliveryParams,
    response,
  };
  const config = { permission: 'webhooks:read' };
  scope.get('/webhooks/:id/deliveries/:deliveryId', { config, schema }, async (request) => {
    const { params, principal } = request;
    const endpointId = pathId('we', params.id, noun);
    const eventId = pathId('dl', params.deliveryId, 'delivery');
    const { tenantId } = principal;
    if (!(await findEndpoint(database, tenantId, endpointId))) throw notFound(noun);
    const delivery = await findDelivery(database, { tenantId, endpointId, eventId });
    if (!delivery) throw notFound('delivery');
    return deliveryView(delivery, principal);
  });
}

function redeliverRoute(scope: HttpScope, { redeliver, runAct }: DeliveryRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'redeliverWebhookDelivery',
    summary: 'Deliver an event again',
    description: 'Sends the same event with the same body, in a new series of attempts.',
    headers: actHeaders,
    params: deliveryParams,
    response,
  };
  const path = '/webhooks/:id/deliveries/:deliveryId/redeliver';
  scope.post(path, { config: write, schema }, async (request, reply) => {
    const { params, principal } = request;
    const id = pathId('we', params.id, noun);
    const eventId = pathId('dl', params.deliveryId, 'delivery');
    const key = { tenantId: principal.tenantId, id };
    const delivery = await answerAct(runAct, request, reply, {
      route: 'webhooks/deliveries/redeliver',
      subjectId: eventId,
      meaning: { id },
      perform: (keep) => redeliver.one(key, eventId, authorOf(request), keep),
      replay: deliveryThen,
    });
    return deliveryView(delivery, principal);
  });
}

function redeliverRangeRoute(
  scope: HttpScope,
  { redeliver, clock, runAct }: DeliveryRouteDependencies,
): void {
  const schema = {
    tags,
    operationId: 'redeliverWebhookEvents',
    summary: 'Deliver the events of a period again',
    description:
      'For use after an outage. Without a status, sends every event of the range that the endpoint is ' +
      'subscribed to, including those it missed while it was disabled.',
    headers: actHeaders,
    params: idParams,
    body: redeliverBody,
    response: { 200: redeliveredSchema },
  };
  const path = '/webhooks/:id/redeliver';
  const config = { ...write, takesTurnsBeneath: true };
  scope.post(path, { config, schema }, async (request, reply) => {
    const { params, body, principal } = request;
    const id = pathId('we', params.id, noun);
    const sinceMs = givenInstantMs(body.since);
    const untilMs = body.until == null ? clock.nowMs() : givenInstantMs(body.until);
    if (untilMs < sinceMs) throw invalid('until', 'must not be before since');
    const range = { sinceMs, untilMs, status: body.status ?? undefined };
    const key = { tenantId: principal.tenantId, id };
    const { count, nextSinceMs } = await answerAct(runAct, request, reply, {
      route: 'webhooks/redeliver',
      subjectId: id,
      meaning: body,
      perform: (keep) =>
        redeliver.range(key, range, authorOf(request), keep === keepNothing ? undefined : keep),
      replay: (kept) => kept as Redelivered,
    });
    const nextSince = nextSinceMs === null ? null : new Date(nextSinceMs).toISOString();
    return { count, nextSince };
  });
}

function testRoute(scope: HttpScope, { sendTestEvent, runAct }: DeliveryRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test event',
    description:
      'Sends an event of the type webhook.test, whose data is the endpoint. Returns the delivery.',
    headers: actHeaders,
    params: idParams,
    response,
  };
  scope.post('/webhooks/:id/test', { config: write, schema }, async (request, reply) => {
    const { params, principal } = request;
    const id = pathId('we', params.id, noun);
    const key = { tenantId: principal.tenantId, id };
    const delivery = await answerAct(runAct, request, reply, {
      route: 'webhooks/test',
      subjectId: id,
      perform: (keep) => sendTestEvent(key, authorOf(request), undefined, keep),
      replay: deliveryThen,
    });
    return deliveryView(delivery, principal);
  });
}
