import { forgetActs } from '../../platform/idempotency/store.ts';
import { textArray, uuidArray } from '../../platform/postgres/arrays.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { erasedDigits, erasedPhone, phoneInText } from '../../platform/values/phone.ts';
import { eventsOfObjects } from './list-events-by-object.ts';

const bodiesStatement = {
  name: 'erasure.event_bodies',
  text: `
SELECT id, body FROM events WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`,
};

const writeStatement = {
  name: 'erasure.write_event_bodies',
  text: `
UPDATE events e SET body = given.body
FROM unnest($2::uuid[], $3::text[]) AS given (id, body)
WHERE e.tenant_id = $1 AND e.id = given.id`,
};

// A receiver's answer may repeat what it received.
const answersStatement = {
  name: 'erasure.delivery_answers',
  text: `
UPDATE deliveries d SET attempts = (
  SELECT coalesce(jsonb_agg(attempt || '{"response": null}' ORDER BY place), '[]')
  FROM jsonb_array_elements(d.attempts) WITH ORDINALITY AS attempts (attempt, place)
)
FROM webhook_endpoints w
WHERE w.tenant_id = $1 AND d.tenant_id = $1 AND d.endpoint_id = w.id AND d.event_id = ANY ($2::uuid[])
  AND d.attempts <> '[]'`,
};

export interface EventsToErase {
  tenantId: string;
  /** In order, oldest first. */
  objectIds: readonly string[];
  phones: readonly string[];
}

/** Removes the personal data from the events of some objects. */
export async function eraseEvents(database: Database, wanted: EventsToErase): Promise<void> {
  const { tenantId, objectIds, phones } = wanted;
  for await (const ids of eventsOfObjects(database, tenantId, objectIds)) {
    await database.transaction((transaction) => eraseBodies(transaction, tenantId, ids, phones));
  }
}

/** Rewrites the events of these ids, and deletes receivers' answers to them. */
export async function eraseBodies(
  transaction: Queryable,
  tenantId: string,
  ids: readonly string[],
  phones: readonly string[] = [],
): Promise<number> {
  const values = [tenantId, uuidArray(ids)];
  const events = await transaction.query<{ id: string; body: string }>(bodiesStatement, values);
  const changed = events.flatMap(({ id, body }) => {
    const blank = withoutPerson(body, phones);
    return blank === body ? [] : [{ id, body: blank }];
  });
  await transaction.query(writeStatement, [
    tenantId,
    uuidArray(changed, ({ id }) => id),
    textArray(changed, ({ body }) => body),
  ]);
  await transaction.query(answersStatement, values);
  // Answers to deliveries of these events may repeat them.
  await forgetActs(transaction, tenantId, ids);
  return changed.length;
}

const personalFields = ['customerId', 'description', 'metadata', 'reason'];

/** An event without the person's data. Settlements and endpoint tests concern no person. */
export function withoutPerson(body: string, phones: readonly string[] = []): string {
  const event = JSON.parse(body) as { type: string; data: Record<string, unknown> };
  const { type, data } = event;
  if (!/^(payment|refund|checkout|disbursement)\./.test(type)) return body;
  const isDisbursement = type.startsWith('disbursement.');
  if ('operatorPhone' in data) data.operatorPhone = isDisbursement ? null : erasedPhone;
  for (const field of personalFields) if (field in data) data[field] = null;
  const text = JSON.stringify(event);
  return phones.reduce(
    (rest, phone) => rest.replace(new RegExp(phoneInText(phone), 'g'), erasedDigits),
    text,
  );
}
