import { Batcher } from '../../platform/jobs/batcher.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare, rowsOf } from '../../platform/postgres/statement.ts';

/** A refund or disbursement; `dueAtMs` is the lease that it is held with. */
interface HeldRow {
  tenantId: string;
  id: string;
  version: number;
  dueAtMs: number | null;
}

/** When a row needs attention next (null: never), and since when a request for it may have left. */
interface Plan {
  dueAtMs: number | null;
  sentAtMs: number | null;
}

export interface Rescheduling {
  row: HeldRow;
  plan: Plan;
  /** Counts for the interval until the next query. */
  isQuery: boolean;
}

/** Reschedules one row; false if its lease had passed to another worker, or it had moved on. */
export type Reschedule = (row: HeldRow, plan: Plan, isQuery?: boolean) => Promise<boolean>;

/** Reschedules rows of a table, each under its lease, and returns the ids of those whose lease still held. */
export function reschedulingOf(table: string) {
  const statement = prepare({
    name: `${table}.reschedule`,
    given: {
      reschedulings: rowsOf<Rescheduling>({
        tenant_id: ['uuid', ({ row }) => row.tenantId],
        id: ['uuid', ({ row }) => row.id],
        seen_version: ['integer', ({ row }) => row.version],
        lease: ['timestamptz', ({ row }) => row.dueAtMs],
        due_at: ['timestamptz', ({ plan }) => plan.dueAtMs],
        sent_at: ['timestamptz', ({ plan }) => plan.sentAtMs],
        queries: ['integer', ({ isQuery }) => (isQuery ? 1 : 0)],
      }),
    },
    text: (given) => `
UPDATE ${table} r SET due_at = given.due_at, sent_at = given.sent_at, asking_until = NULL,
  ask_count = r.ask_count + given.queries
FROM ${given.reschedulings}
WHERE r.tenant_id = given.tenant_id AND r.id = given.id AND r.version = given.seen_version
  AND ${isUnderLease('r.due_at', 'given.lease')}
RETURNING r.id`,
  });
  return async (
    database: Queryable,
    reschedulings: readonly Rescheduling[],
  ): Promise<Set<string>> => {
    const moved = await statement.run<{ id: string }>(database, { reschedulings });
    return new Set(moved.map(({ id }) => id));
  };
}

/** One statement for rows that are rescheduled together. */
export function makeReschedule(
  database: Queryable,
  rescheduleAll: ReturnType<typeof reschedulingOf>,
): Reschedule {
  const batcher = new Batcher<Rescheduling, boolean>({
    maxItems: 256,
    maxInFlight: 1,
    keyOf: ({ row }) => row.tenantId + row.id,
    ownerOf: ({ row }) => row.tenantId,
    write: async (reschedulings) => {
      const moved = await rescheduleAll(database, reschedulings);
      return reschedulings.map(({ row }) => moved.has(row.id));
    },
  });
  return (row, plan, isQuery = true) => batcher.submit({ row, plan, isQuery });
}
