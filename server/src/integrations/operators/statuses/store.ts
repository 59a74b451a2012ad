import type { LiveOperatorName } from '../../../platform/config/operator-catalogue.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { rowsQuery } from '../../../platform/postgres/query.ts';
import { prepare } from '../../../platform/postgres/statement.ts';
import { appendEvents, eventRows } from '../../events/append.ts';
import type { NewEvent } from '../../events/event.ts';
import type { OperatorState } from '../health.ts';

export type OperatorStatus = OperatorState['state'];

/** The state of an operator that all processes agree on. Instants in milliseconds since 1970. */
export interface StoredStatus {
  operator: LiveOperatorName;
  status: OperatorStatus;
  sinceMs: number;
  /** Grows with each change. */
  version: number;
  announcedStatus: OperatorStatus;
  announcedVersion: number;
  /** The `data` of the events of the last announcement, as JSON; null: there was none. */
  announcement: string | null;
  /** When the last announcement ended; null: there was none. */
  announcedAtMs: number | null;
  /** While it is being written: the last tenant that has it; null: all have it. */
  announcedThrough: string | null;
}

/** The states of operators that were not UP at least once: a row for each. */
export const listStatuses = rowsQuery<StoredStatus, []>({
  name: 'operator_statuses.list',
  text: `
SELECT operator, status, since_at AS "sinceMs", version, announced_status AS "announcedStatus",
  announced_version AS "announcedVersion", announcement, announced_at AS "announcedAtMs",
  announced_through AS "announcedThrough"
FROM operator_statuses LIMIT 100`,
});

const changeStatement = prepare({
  name: 'operator_statuses.change',
  given: {
    operator: 'text',
    status: 'text',
    sinceMs: 'timestamptz',
    seenVersion: 'integer',
    nextVersion: 'integer',
  },
  text: (given) => `
INSERT INTO operator_statuses AS s
  (operator, status, since_at, version, announced_status, announced_version)
VALUES (${given.operator}, ${given.status}, ${given.sinceMs}, ${given.nextVersion}, 'UP', 0)
ON CONFLICT (operator) DO UPDATE
  SET status = excluded.status, since_at = excluded.since_at, version = excluded.version
  WHERE s.version = ${given.seenVersion}`,
});

/** Stores a new state, unless another process has stored one since `seenVersion` (0: there was none). */
export async function changeStatus(
  database: Queryable,
  change: Pick<StoredStatus, 'operator' | 'status' | 'sinceMs'> & { seenVersion: number },
): Promise<void> {
  const nextVersion = change.seenVersion + 1;
  await changeStatement.run(database, { ...change, nextVersion });
}

/** Before the first tenant. */
export const beforeAll = '00000000-0000-0000-0000-000000000000';

const beginStatement = prepare({
  name: 'operator_statuses.begin_announcement',
  given: {
    operator: 'text',
    version: 'integer',
    announcement: 'text',
    endedBefore: 'timestamptz',
  },
  text: (given) => `
UPDATE operator_statuses SET announced_status = status, announced_version = version,
  announcement = ${given.announcement}, announced_through = '${beforeAll}'
WHERE operator = ${given.operator} AND version = ${given.version} AND announced_through IS NULL
  AND (announced_at IS NULL OR announced_at <= ${given.endedBefore})`,
});

/**
 * Begins to announce a state, unless it has changed, or an announcement is under way or ended after `endedBefore`:
 * from here on, every process carries it on.
 */
export async function beginAnnouncement(
  database: Queryable,
  given: { operator: LiveOperatorName; version: number; announcement: string; endedBefore: number },
): Promise<void> {
  await beginStatement.run(database, given);
}

/**
 * The next tenants to announce to: live ones with an endpoint that subscribes to the event. Between two chunks, it
 * walks along the key of the endpoints.
 */
export const findSubscribers = rowsQuery<
  { tenantId: string },
  [after: string, type: string, limit: number]
>({
  name: 'operator_statuses.subscribers',
  text: `
SELECT DISTINCT w.tenant_id AS "tenantId"
FROM webhook_endpoints w JOIN tenants t ON t.id = w.tenant_id AND t.mode = 'live'
WHERE w.tenant_id > $1 AND w.status = 'ACTIVE' AND w.deleted_at IS NULL AND $2 = ANY (w.events)
ORDER BY 1 LIMIT $3`,
});

const announceStatement = prepare({
  name: 'operator_statuses.announce',
  given: {
    deliveriesDueAtMs: 'timestamptz',
    operator: 'text',
    version: 'integer',
    from: 'uuid',
    through: 'uuid',
    endedAtMs: 'timestamptz',
    events: eventRows,
  },
  text: (given) => `
WITH turn AS (
  UPDATE operator_statuses
  SET announced_through = ${given.through}, announced_at = coalesce(${given.endedAtMs}, announced_at)
  WHERE operator = ${given.operator} AND announced_version = ${given.version} AND announced_through = ${given.from}
  RETURNING operator
),
new_event AS (SELECT given_event.* FROM ${given.events} CROSS JOIN turn),
${appendEvents(1)}
SELECT operator FROM turn`,
});

export interface AnnouncedChunk {
  operator: LiveOperatorName;
  /** The announcement that it belongs to, and how far that had come. */
  version: number;
  from: string;
  /** The last tenant of the chunk; null: it ends the announcement, at `endedAtMs`. */
  through: string | null;
  endedAtMs: number | null;
  events: readonly NewEvent[];
  deliveriesDueAtMs: number;
}

/**
 * Writes the events and deliveries of one chunk, and how far the announcement has come: all or nothing.
 * @returns false if another process wrote this chunk first: nothing was written
 */
export async function announceChunk(database: Queryable, chunk: AnnouncedChunk): Promise<boolean> {
  return (await announceStatement.run(database, chunk)).length > 0;
}
