import { eventTypes, testEventType } from '../../../integrations/events/event.ts';
import { listEventHeads } from '../../../integrations/events/list.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { ConsolePage } from '../page.ts';
import { choice, filtersOf, fromDay, untilDay } from '../parts/filters.ts';
import { instantToSecond } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { words } from './events.words.ts';

/** Events by type and day. */
export const eventsPage: ConsolePage = listPage({
  path: 'events',
  permission: 'events.read',
  words,
  cursor: 'evt',
  filters: (visit, words) =>
    filtersOf(visit, {
      type: choice(visit, words.type, [...eventTypes, testEventType]),
      from: fromDay(visit),
      until: untilDay(visit),
    }),
  load: ({ services, tenantId }, { type, from, until }, page) =>
    listEventHeads(services.database, tenantId, type, {
      ...page,
      createdFromMs: from,
      createdUntilMs: until === undefined ? undefined : until - 1,
    }),
  columns: (visit, words) => [
    {
      head: words.created,
      cell: ({ id, createdAtMs }) =>
        html`<a href="${visit.to(`events/${formatId('evt', id)}`)}">${instantToSecond(visit, createdAtMs)}</a>`,
    },
    { head: words.type, cell: ({ type }) => html`<code>${type}</code>` },
    { head: words.id, cell: ({ id }) => html`<code>${formatId('evt', id)}</code>` },
  ],
  refreshMs: 10_000,
});
