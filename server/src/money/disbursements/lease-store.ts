import { type ClaimedRow, dueRows, type Taking } from '../../integrations/operators/due-rows.ts';
import type { Addressed } from '../../integrations/operators/queue.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare, rowsOf } from '../../platform/postgres/statement.ts';
import type { Disbursement } from './disbursement.ts';
import { disbursementColumns, findByReference } from './store.ts';

/** With the mode of its tenant, which decides who processes it. */
export type DueDisbursement = Disbursement & Addressed;

const due = dueRows<Disbursement>({
  table: 'disbursements',
  columns: disbursementColumns,
  bytes: 'coalesce(octet_length(metadata), 0)',
  isVersioned: true,
});

export const {
  claim: claimDueDisbursements,
  take: takeDisbursement,
  renew: renewDisbursement,
  markByHand: markDisbursementByHand,
} = due;

/** {@link takeDisbursement} by the name at the operator. */
export async function takeByReference(
  database: Queryable,
  taking: Taking,
): Promise<ClaimedRow<Disbursement> | undefined> {
  const found = await findByReference(database, taking.tenantId, taking.id);
  return found && takeDisbursement(database, { ...taking, id: found.id });
}

/** When a disbursement needs attention next, under the lease that it is held with. */
export interface Rescheduling {
  disbursement: Disbursement;
  plan: Pick<Disbursement, 'dueAtMs' | 'sentAtMs'>;
  /** Counts for the interval until the next query. */
  isQuery: boolean;
}

const rescheduleStatement = prepare({
  name: 'disbursements.reschedule',
  given: {
    reschedulings: rowsOf<Rescheduling>({
      tenant_id: ['uuid', ({ disbursement }) => disbursement.tenantId],
      id: ['uuid', ({ disbursement }) => disbursement.id],
      seen_version: ['integer', ({ disbursement }) => disbursement.version],
      lease: ['timestamptz', ({ disbursement }) => disbursement.dueAtMs],
      due_at: ['timestamptz', ({ plan }) => plan.dueAtMs],
      sent_at: ['timestamptz', ({ plan }) => plan.sentAtMs],
      queries: ['integer', ({ isQuery }) => (isQuery ? 1 : 0)],
    }),
  },
  text: (given) => `
UPDATE disbursements d SET due_at = given.due_at, sent_at = given.sent_at, asking_until = NULL,
  ask_count = d.ask_count + given.queries
FROM ${given.reschedulings}
WHERE d.tenant_id = given.tenant_id AND d.id = given.id AND d.version = given.seen_version
  AND ${isUnderLease('d.due_at', 'given.lease')}
RETURNING d.id`,
});

/** Returns the ids of those whose lease still held. */
export async function rescheduleDisbursements(
  database: Queryable,
  reschedulings: readonly Rescheduling[],
): Promise<Set<string>> {
  const moved = await rescheduleStatement.run<{ id: string }>(database, { reschedulings });
  return new Set(moved.map(({ id }) => id));
}
