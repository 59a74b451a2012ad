import type { Addressed } from '../../integrations/operators/queue.ts';
import { reschedulingOf } from '../../integrations/operators/reschedule-rows.ts';
import {
  type ClaimedRow,
  rowLeases,
  type Taking,
} from '../../integrations/operators/row-leases.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Disbursement } from './disbursement.ts';
import { disbursementColumns, findByReference } from './store.ts';

/** With the mode of its tenant, which decides who processes it. */
export type DueDisbursement = Disbursement & Addressed;

const due = rowLeases<Disbursement>({
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

export const rescheduleDisbursements = reschedulingOf('disbursements');
