import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { addPage, type ListPage, orderOf, tableOf } from '../../platform/postgres/list-page.ts';
import { type Found, pageStatement } from '../../platform/postgres/page-bytes.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import type { NewEvent } from './event.ts';

/** An event as it was sent: its body is the payload of the contract (section 6.2), to the byte. */
export interface StoredEvent {
  body: string;
}

export interface EventFilter {
  /** Any of these. */
  types?: readonly NewEvent['type'][] | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
}

/** Newest first; a page before an event, oldest first. Returns one row more than the limit if there are more. */
export function listEvents(
  database: Queryable,
  tenantId: string,
  filter: EventFilter,
  page: ListPage,
): Promise<(StoredEvent & Found)[]> {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  addPage(asked, page);
  const ways = asked.each('type', filter.types);
  const text = pageStatement({
    columns: 'body',
    table: tableOf(asked, 'events', filter.ids),
    where: asked.text,
    ways,
    order: orderOf(page),
    bytes: 'octet_length(body)',
  });
  return database.query({ text }, asked.values);
}

export const findEvent = rowQuery<StoredEvent, [tenantId: string, id: string]>({
  name: 'events.find',
  text: 'SELECT body FROM events WHERE tenant_id = $1 AND id = $2',
});

/** An event with its number, which its deliveries carry as a header. */
export const findSentEvent = rowQuery<
  StoredEvent & Pick<NewEvent, 'sequence'>,
  [tenantId: string, id: string]
>({ text: 'SELECT body, sequence FROM events WHERE tenant_id = $1 AND id = $2' });

/** An event without its content. */
export type EventHead = Pick<NewEvent, 'id' | 'type' | 'createdAtMs'>;

/** Like {@link listEvents}, of one type or all. */
export function listEventHeads(
  database: Queryable,
  tenantId: string,
  type: NewEvent['type'] | undefined,
  page: Omit<ListPage, 'endingBefore'>,
): Promise<EventHead[]> {
  const conditions = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  conditions.where('type = ?', type);
  addPage(conditions, page);
  const text = `
SELECT id, type, created_at AS "createdAtMs" FROM events
WHERE ${conditions.text} ORDER BY id DESC LIMIT $2`;
  return database.query<EventHead>({ text }, conditions.values);
}
