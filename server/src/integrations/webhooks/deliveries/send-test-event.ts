import { type Author, writeAuditRecord } from '../../../platform/audit/record.ts';
import { invalidState, notFound } from '../../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../../platform/idempotency/run-once.ts';
import { type Database, timestamp } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import type { Ids } from '../../../platform/values/ids.ts';
import { eventOf, testEventType } from '../../events/event.ts';
import { aboutEndpoint, endpointView } from '../endpoint.ts';
import { findEndpoint } from '../endpoint-store.ts';
import type { StoredDelivery } from './delivery.ts';
import { findDelivery } from './list.ts';

/**
 * Sends an event of the type webhook.test to one endpoint, regardless of its subscriptions; its data is the endpoint,
 * so that nobody mistakes it for a payment.
 * @param eventId makes repeated calls send it once; by default a new id
 * @throws NOT_FOUND
 * @throws INVALID_STATE the endpoint is DISABLED
 */
export type SendTestEvent = (
  endpoint: { tenantId: string; id: string },
  author: Author,
  eventId?: string,
  keep?: KeepAnswer,
) => Promise<StoredDelivery>;

export interface SendTestEventDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  /** Announces that a delivery of the endpoint has come due. */
  endpointChanged: (id: string) => void;
}

const insertStatement = {
  name: 'deliveries.test',
  text: `
WITH event AS (
  INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
  SELECT $1::uuid, $2::uuid, $3, $4::uuid, $5::integer, $6, $7::timestamptz
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, object_id, id
)
INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at, updated_at)
SELECT tenant_id, object_id, id, 'PENDING', 0, $7, $7, $7 FROM event
RETURNING event_id`,
};

export function makeSendTestEvent(dependencies: SendTestEventDependencies): SendTestEvent {
  const { database, clock, ids, endpointChanged } = dependencies;
  return async ({ tenantId, id: endpointId }, author, givenId, keep = keepNothing) => {
    const endpoint = await findEndpoint(database, tenantId, endpointId);
    if (!endpoint) throw notFound('webhook endpoint');
    if (endpoint.status !== 'ACTIVE') {
      throw invalidState('The webhook endpoint is DISABLED; enable it first.');
    }
    const createdAtMs = clock.nowMs();
    const json = JSON.stringify(endpointView(endpoint));
    const eventIds = givenId === undefined ? ids : { next: () => givenId };
    const event = eventOf(eventIds, testEventType, endpoint, createdAtMs, json);
    const { id: eventId, body, type, sequence } = event;
    const now = timestamp(createdAtMs);
    const values = [tenantId, eventId, type, endpointId, sequence, body, now];
    const delivery = await database.transaction(async (transaction) => {
      if ((await transaction.query(insertStatement, values)).length > 0) {
        const record = { ...aboutEndpoint(endpoint), action: 'webhook.tested' } as const;
        await writeAuditRecord(transaction, { ...dependencies, ...author }, record);
      }
      const found = await findDelivery(transaction, { tenantId, endpointId, eventId });
      if (!found) throw notFound('delivery');
      await keep(transaction, found);
      return found;
    });
    endpointChanged(endpointId);
    return delivery;
  };
}
