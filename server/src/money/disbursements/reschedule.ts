import { Batcher } from '../../platform/jobs/batcher.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Disbursement } from './disbursement.ts';
import { type Rescheduling, rescheduleDisbursements } from './lease-store.ts';

/**
 * Sets when a disbursement needs attention next (null: never), and whether a request for it may have left, under the
 * lease that it is held with. False if the lease had passed to another worker.
 * @param isQuery counts for the interval until the next query
 */
export type Reschedule = (
  disbursement: Disbursement,
  plan: Rescheduling['plan'],
  isQuery?: boolean,
) => Promise<boolean>;

export function makeReschedule(database: Database): Reschedule {
  const batcher = new Batcher<Rescheduling, boolean>({
    maxItems: 256,
    maxInFlight: 1,
    keyOf: ({ disbursement }) => disbursement.tenantId + disbursement.id,
    ownerOf: ({ disbursement }) => disbursement.tenantId,
    write: async (rows) => {
      const moved = await rescheduleDisbursements(database, rows);
      return rows.map(({ disbursement }) => moved.has(disbursement.id));
    },
  });
  return (disbursement, plan, isQuery = true) => batcher.submit({ disbursement, plan, isQuery });
}
