import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { type Found, pageStatement } from '../../platform/postgres/page-bytes.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { firstUuidAt } from '../../platform/values/ids.ts';
import type { NewEvent } from './event.ts';

/** An event as it was sent: its body is the payload of the contract (section 6.2), to the byte. */
export interface StoredEvent {
  body: string;
}

/** Newest first, after the event with this id. Returns one row more than the limit if there are more. */
export function listEvents(
  database: Queryable,
  tenantId: string,
  type: NewEvent['type'] | undefined,
  page: { limit: number; startingAfter?: string | undefined },
): Promise<(StoredEvent & Found)[]> {
  const values: unknown[] = [tenantId, page.limit + 1];
  const where = (condition: string, value: string | undefined) =>
    value === undefined ? '' : `AND ${condition} $${values.push(value)}`;
  const narrowed = `${where('type =', type)} ${where('id <', page.startingAfter)}`;
  const text = pageStatement({
    columns: 'body',
    table: 'events',
    where: `tenant_id = $1 ${narrowed}`,
    limit: '$2',
    bytes: 'octet_length(body)',
  });
  return database.query({ text }, values);
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

/** Like {@link listEvents}, for a period: from `fromMs`, before `untilMs`. */
export function listEventHeads(
  database: Queryable,
  tenantId: string,
  filter: {
    type?: NewEvent['type'] | undefined;
    fromMs?: number | undefined;
    untilMs?: number | undefined;
  },
  page: { limit: number; startingAfter?: string | undefined },
): Promise<EventHead[]> {
  const { type, fromMs, untilMs } = filter;
  const conditions = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  conditions.where('type = ?', type);
  conditions.where('id >= ?', fromMs === undefined ? undefined : firstUuidAt(fromMs));
  conditions.where('id < ?', untilMs === undefined ? undefined : firstUuidAt(untilMs));
  conditions.where('id < ?', page.startingAfter);
  const text = `
SELECT id, type, created_at AS "createdAtMs" FROM events
WHERE ${conditions.text} ORDER BY id DESC LIMIT $2`;
  return database.query<EventHead>({ text }, conditions.values);
}
