import type { Clock } from '../../clock.ts';
import { invalid, notFound } from '../../errors.ts';
import { givenInstantMs } from '../../formats/instant.ts';
import { authorOf } from '../../http/author.ts';
import { listOf, pageOf, pathId, sendPage } from '../../http/lists.ts';
import type { HttpScope } from '../../http/server.ts';
import type { Database } from '../../postgres/database.ts';
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
import { deliveryView } from './delivery.ts';
import { findDelivery, listDeliveries } from './list.ts';
import type { Redeliver } from './redeliver.ts';
import type { SendTestEvent } from './test-event.ts';

export interface DeliveryRouteDependencies {
  database: Database;
  clock: Clock;
  redeliver: Redeliver;
  sendTestEvent: SendTestEvent;
}

const noun = 'webhook endpoint';
const response = { 200: deliverySchema };
const write = { permission: 'webhooks:write', errors: ['INVALID_STATE' as const] };

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
    const { tenantId } = request.principal;
    const page = pageOf('dl', request.query);
    const id = pathId('we', request.params.id, noun);
    if (!(await findEndpoint(database, tenantId, id))) throw notFound(noun);
    const rows = await listDeliveries(database, { tenantId, id }, request.query.status, page);
    return sendPage(reply, rows, page.limit, (row) =>
      JSON.stringify(deliveryView(row, request.principal)),
    );
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

function redeliverRoute(scope: HttpScope, { redeliver }: DeliveryRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'redeliverWebhookDelivery',
    summary: 'Deliver an event again',
    description: 'Sends the same event with the same body, in a new series of attempts.',
    params: deliveryParams,
    response,
  };
  const path = '/webhooks/:id/deliveries/:deliveryId/redeliver';
  scope.post(path, { config: write, schema }, async (request) => {
    const { params, principal } = request;
    const id = pathId('we', params.id, noun);
    const eventId = pathId('dl', params.deliveryId, 'delivery');
    const key = { tenantId: principal.tenantId, id };
    return deliveryView(await redeliver.one(key, eventId, authorOf(request)), principal);
  });
}

function redeliverRangeRoute(
  scope: HttpScope,
  { redeliver, clock }: DeliveryRouteDependencies,
): void {
  const schema = {
    tags,
    operationId: 'redeliverWebhookEvents',
    summary: 'Deliver the events of a period again',
    description:
      'For use after an outage. Without a status, sends every event of the range that the endpoint is ' +
      'subscribed to, including those it missed while it was disabled.',
    params: idParams,
    body: redeliverBody,
    response: { 200: redeliveredSchema },
  };
  const path = '/webhooks/:id/redeliver';
  scope.post(path, { config: write, schema }, async (request) => {
    const { params, body, principal } = request;
    const id = pathId('we', params.id, noun);
    const sinceMs = givenInstantMs(body.since);
    const untilMs = body.until == null ? clock.nowMs() : givenInstantMs(body.until);
    if (untilMs < sinceMs) throw invalid('until', 'must not be before since');
    const range = { sinceMs, untilMs, status: body.status ?? undefined };
    const { count, nextSinceMs } = await redeliver.range(
      { tenantId: principal.tenantId, id },
      range,
      authorOf(request),
    );
    const nextSince = nextSinceMs === null ? null : new Date(nextSinceMs).toISOString();
    return { count, nextSince };
  });
}

function testRoute(scope: HttpScope, { sendTestEvent }: DeliveryRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test event',
    description:
      'Sends an event of the type webhook.test, whose data is the endpoint. Returns the delivery.',
    params: idParams,
    response,
  };
  scope.post('/webhooks/:id/test', { config: write, schema }, async (request) => {
    const { params, principal } = request;
    const id = pathId('we', params.id, noun);
    const key = { tenantId: principal.tenantId, id };
    return deliveryView(await sendTestEvent(key, authorOf(request)), principal);
  });
}
