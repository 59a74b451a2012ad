import { notFound } from '../../platform/errors/errors.ts';
import { rangedPageOf } from '../../platform/http/list-range.ts';
import { readInTime } from '../../platform/http/list-time.ts';
import { listOf, pathId, sendPage } from '../../platform/http/lists.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { parseId } from '../../platform/values/ids.ts';
import { maskJson, readsPhones } from '../../platform/values/phone.ts';
import { findEventsOfObject, objectPrefixes } from './find-by-object.ts';
import { findEvent, listEvents } from './list.ts';
import { eventSchema, listEventsQuery, typesOf } from './schemas.ts';

const tags = ['Events'];
/** The same bytes as in webhooks, unless the key may not read phones. */
const shownTo = ({ permissions }: Principal) =>
  permissions.has(readsPhones) ? (body: string) => body : maskJson;
const config = { permission: 'events:read' };
/** An event may contain a checkout session, which has as many items as a request body holds. */
const answerBytes = 4 * 1024 * 1024;

export function eventRoutes(scope: HttpScope, { database }: { database: Database }): void {
  listRoute(scope, database);
  getRoute(scope, database);
}

function listRoute(scope: HttpScope, database: Database): void {
  const schema = {
    tags,
    operationId: 'listEvents',
    summary: 'List events, newest first',
    description:
      'Each event looks as it does in a webhook. Events that no endpoint was subscribed to are included. Phones are masked for a key without phones:read.',
    querystring: listEventsQuery,
    response: { 200: listOf(eventSchema) },
  };
  scope.get('/events', { config, schema }, async ({ query, principal }, reply) => {
    const page = rangedPageOf('evt', query);
    const { tenantId } = principal;
    const ids = await idsOf(database, tenantId, query.object_id);
    const filter = { types: typesOf(query.type), ids };
    const events = await readInTime(database, query, ['type'], (queryable) =>
      listEvents(queryable, tenantId, filter, page),
    );
    const show = shownTo(principal);
    return sendPage(reply, events, page, ({ body }) => show(body));
  });
}

/** The events of an object, if one is given. */
async function idsOf(database: Database, tenantId: string, objectId: string | undefined) {
  const prefix = objectPrefixes.find((each) => objectId?.startsWith(`${each}_`));
  if (prefix === undefined) return undefined;
  return findEventsOfObject(database, tenantId, { prefix, id: parseId(prefix, objectId!)! });
}

function getRoute(scope: HttpScope, database: Database): void {
  const schema = {
    tags,
    operationId: 'getEvent',
    summary: 'Get an event',
    description:
      'The same bytes as in a webhook. The phone is masked for a key without phones:read.',
    params: Type.Object({ id: Type.String() }),
    response: { 200: eventSchema },
  };
  scope.get(
    '/events/:id',
    { config: { ...config, answerBytes }, schema },
    async ({ params, principal }, reply) => {
      const id = pathId('evt', params.id, 'event');
      const event = await findEvent(database, principal.tenantId, id);
      if (!event) throw notFound('event');
      sendJson(reply, shownTo(principal)(event.body));
      return reply;
    },
  );
}
