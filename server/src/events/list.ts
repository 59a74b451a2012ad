import type { Queryable } from '../platform/database.ts';
import type { NewEvent } from './event.ts';

/** An event as it was sent: its body is the payload of the contract (section 6.2), to the byte. */
export interface StoredEvent {
  body: string;
}

/**
 * Newest first, beginning after the event of this id; one row more than the limit tells whether
 * there are more. The type stands in the text, since the index that leaves out the most frequent
 * types is of use to a plan only where it is known.
 */
export function listEvents(
  database: Queryable,
  tenantId: string,
  type: NewEvent['type'] | undefined,
  page: { limit: number; startingAfter?: string | undefined },
): Promise<StoredEvent[]> {
  const ofType = type === undefined ? '' : `AND type = '${type}'`;
  const after = page.startingAfter === undefined ? '' : 'AND id < $3';
  const text = `SELECT body FROM events WHERE tenant_id = $1 ${ofType} ${after} ORDER BY id DESC LIMIT $2`;
  const values = [tenantId, page.limit + 1, ...(page.startingAfter ? [page.startingAfter] : [])];
  return database.query<StoredEvent>({ text }, values);
}

const findStatement = {
  name: 'events.find',
  text: 'SELECT body FROM events WHERE tenant_id = $1 AND id = $2',
};

export async function findEvent(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<StoredEvent | undefined> {
  return (await database.query<StoredEvent>(findStatement, [tenantId, id]))[0];
}
