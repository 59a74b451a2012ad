import type { Subscription } from './append.ts';

/**
 * The result of a statement that appends events: first the ids of the changed rows, then their subscriptions. A join
 * would compare each with each.
 * @param changed the CTE with the `id` of the changed rows
 */
export const writtenRows = (changed: string) => `
SELECT id, NULL::uuid AS "tenantId", NULL::uuid AS "eventId", NULL::uuid AS "endpointId",
  NULL::integer AS "endpointVersion"
FROM ${changed}
UNION ALL
SELECT object_id, tenant_id, event_id, endpoint_id, endpoint_version FROM subscription`;

/** A row of {@link writtenRows}. */
export interface WrittenRow {
  id: string;
  tenantId: string | null;
  eventId: string | null;
  endpointId: string | null;
  endpointVersion: number | null;
}

export interface Written {
  /** The ids of the rows that were written. */
  ids: Set<string>;
  subscriptions: Subscription[];
}

export function written(rows: readonly WrittenRow[]): Written {
  const subscriptions = rows.filter((row) => row.endpointId !== null) as unknown as Subscription[];
  return { ids: new Set(rows.map((row) => row.id)), subscriptions };
}
