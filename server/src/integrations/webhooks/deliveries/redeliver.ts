import { type Author, writeAuditRecord } from '../../../platform/audit/record.ts';
import { invalidState, notFound } from '../../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../../platform/idempotency/run-once.ts';
import { type Database, type Queryable, timestamp } from '../../../platform/postgres/database.ts';
import { pageBytes } from '../../../platform/postgres/page-bytes.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { firstUuidAt, formatId, type Ids, instantOf } from '../../../platform/values/ids.ts';
import type { EventType } from '../../events/event.ts';
import { aboutEndpoint, type WebhookEndpoint } from '../endpoint.ts';
import { findEndpoint } from '../endpoint-store.ts';
import type { DeliveryStatus, StoredDelivery } from './delivery.ts';
import { findDelivery } from './list.ts';

interface EndpointKey {
  tenantId: string;
  id: string;
}

/** The events to send again: from `sinceMs` until `untilMs`. */
export interface RedeliverRange {
  sinceMs: number;
  untilMs: number;
  /** Only deliveries with this status; absent: also events that were never sent to the endpoint. */
  status?: DeliveryStatus | undefined;
}

export interface Redelivered {
  count: number;
  /** Whether another request must continue after this one has done as much as it may. */
  nextSinceMs: number | null;
}

export interface Redeliver {
  /**
   * Sends one event again, in a new series of attempts.
   * @throws NOT_FOUND
   * @throws INVALID_STATE the endpoint is DISABLED
   */
  one(
    endpoint: EndpointKey,
    eventId: string,
    author: Author,
    keep?: KeepAnswer,
  ): Promise<StoredDelivery>;
  /**
   * Sends the events of a period again, such as that of an outage. Throws like `one`.
   * @param keep if given, everything is one transaction
   */
  range(
    endpoint: EndpointKey,
    range: RedeliverRange,
    author: Author,
    keep?: KeepAnswer,
  ): Promise<Redelivered>;
}

export interface RedeliverDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  /** Announces that deliveries of the endpoint have come due. */
  endpointChanged: (id: string) => void;
}

const chunkSize = 1_000;
/** A request ends with the millisecond in which it reaches this number of events. */
const maxCount = 10_000;

export function makeRedeliver(dependencies: RedeliverDependencies): Redeliver {
  const { database, clock, endpointChanged } = dependencies;
  return {
    async one({ tenantId, id }, eventId, author, keep = keepNothing) {
      await activeEndpoint(database, { tenantId, id });
      const values = [tenantId, id, eventId, timestamp(clock.nowMs())];
      const delivery = await database.transaction(async (transaction) => {
        const again = await transaction.query(againStatement, values);
        if (again.length === 0) throw notFound('delivery');
        const detail = { delivery: formatId('dl', eventId) };
        await record(transaction, dependencies, { tenantId, id }, author, detail);
        const found = await findDelivery(transaction, { tenantId, endpointId: id, eventId });
        if (!found) throw notFound('delivery');
        await keep(transaction, found);
        return found;
      });
      endpointChanged(id);
      return delivery;
    },
    async range(key, range, author, keep) {
      const endpoint = await activeEndpoint(database, key);
      const run = async (on: Queryable) => {
        // Audited first: without a key, the request may take several transactions.
        await record(on, dependencies, key, author, rangeDetail(range));
        const redelivered = await redeliverRange({ database: on, clock }, endpoint, range);
        await keep?.(on, redelivered);
        return redelivered;
      };
      const redelivered = await (keep ? database.transaction(run) : run(database));
      endpointChanged(key.id);
      return redelivered;
    },
  };
}

function record(
  on: Queryable,
  dependencies: RedeliverDependencies,
  key: EndpointKey,
  author: Author,
  detail: Record<string, unknown>,
): Promise<void> {
  const about = { ...aboutEndpoint(key), action: 'webhook.redelivered', detail } as const;
  return writeAuditRecord(on, { ...dependencies, ...author }, about);
}

const rangeDetail = ({ sinceMs, untilMs, status }: RedeliverRange) => ({
  since: new Date(sinceMs).toISOString(),
  until: new Date(untilMs).toISOString(),
  status: status ?? null,
});

async function activeEndpoint(database: Database, key: EndpointKey): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(database, key.tenantId, key.id);
  if (!endpoint) throw notFound('webhook endpoint');
  if (endpoint.status !== 'ACTIVE') {
    throw invalidState('The webhook endpoint is DISABLED; enable it first.');
  }
  return endpoint;
}

const againStatement = {
  name: 'deliveries.again',
  text: `
UPDATE deliveries SET status = 'PENDING', attempt_count = 0, due_at = $4, planned_at = NULL, updated_at = $4
WHERE tenant_id = $1 AND endpoint_id = $2 AND event_id = $3
RETURNING event_id`,
};

// The delivery of each event is looked up separately, which is the purpose of OFFSET 0: joined, and before the tables
// had statistics, each event was compared with all deliveries of the endpoint. The statement has no name, so that it
// is planned for the tables as they are: a plan from a time when they were empty would read all deliveries for each
// event.
const rangeStatement = {
  text: `
WITH found AS MATERIALIZED (
  SELECT * FROM (
    SELECT e.tenant_id, e.id, octet_length(e.body) AS bytes FROM events e
    LEFT JOIN LATERAL (
      SELECT d.status FROM deliveries d
      WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id = e.id
      OFFSET 0
    ) AS d ON true
    WHERE e.tenant_id = $1 AND e.id >= $3 AND e.id < $4
      AND CASE WHEN $6::text IS NULL THEN e.type = ANY ($5) ELSE d.status = $6 END
    ORDER BY e.id LIMIT $8
    -- Or retention could remove an event that is about to be delivered.
    FOR KEY SHARE OF e
  ) AS kept
), event AS (
  SELECT * FROM (SELECT *, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before FROM found) AS weighed
  WHERE bytes_before < $9
), again AS (
  INSERT INTO deliveries AS d (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at, updated_at)
  SELECT tenant_id, $2, id, 'PENDING', 0, $7, $7, $7 FROM event
  ON CONFLICT (tenant_id, endpoint_id, event_id)
    DO UPDATE SET status = 'PENDING', attempt_count = 0, due_at = excluded.due_at, planned_at = NULL,
      updated_at = excluded.updated_at
  RETURNING event_id
)
SELECT event_id AS "eventId", (SELECT count(*) FROM found)::integer AS found,
  (SELECT sum(bytes) FROM event)::integer AS bytes
FROM again`,
};

interface Again {
  eventId: string;
  found: number;
  bytes: number;
}

async function redeliverRange(
  { database, clock }: Pick<RedeliverDependencies, 'clock'> & { database: Queryable },
  endpoint: WebhookEndpoint,
  { sinceMs, untilMs, status }: RedeliverRange,
): Promise<Redelivered> {
  const now = timestamp(clock.nowMs());
  const types: EventType[] = endpoint.events;
  let end = firstUuidAt(untilMs);
  let first = firstUuidAt(sinceMs);
  let count = 0;
  let bytesLeft = pageBytes;
  let isShort = false;
  for (;;) {
    const key = [endpoint.tenantId, endpoint.id];
    const range = [first, end, types, status ?? null, now, chunkSize];
    const rows = await database.query<Again>(rangeStatement, [...key, ...range, bytesLeft]);
    count += rows.length;
    const { found, bytes } = rows[0] ?? { found: 0, bytes: 0 };
    if (rows.length === found && found < chunkSize) {
      return { count, nextSinceMs: isShort ? instantOf(end) : null };
    }
    const last = rows.map(({ eventId }) => eventId).reduce((a, b) => (a > b ? a : b));
    first = after(last);
    bytesLeft -= bytes;
    if (isShort || (bytesLeft > 0 && count < maxCount)) continue;
    // The next request starts after a millisecond, so this one includes all events created in it.
    isShort = true;
    bytesLeft = Number.MAX_SAFE_INTEGER;
    end = firstUuidAt(instantOf(last) + 1);
  }
}

/** The next UUID. */
function after(uuid: string): string {
  const next = (BigInt(`0x${uuid.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
