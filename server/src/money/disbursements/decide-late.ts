import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import { appendPostings, newPostings, postingRows } from '../ledger/append.ts';
import { undecidedDisbursement } from '../ledger/check-queries.ts';
import { disbursementPostings, type LateOutcome } from '../ledger/postings.ts';
import type { Disbursement } from './disbursement.ts';

// A compare-and-set: of two decisions, one is booked.
const decideStatement = prepare({
  name: 'disbursements.decide_late',
  given: {
    tenantId: 'uuid',
    id: 'uuid',
    version: 'integer',
    outcome: 'text',
    nowMs: 'timestamptz',
    postings: postingRows,
  },
  text: (given) => `
WITH decided AS (
  UPDATE disbursements SET late_outcome = ${given.outcome}, version = version + 1, updated_at = ${given.nowMs}
  WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND version = ${given.version}
    AND ${undecidedDisbursement}
  RETURNING tenant_id, id
),
${newPostings(given.postings, 'decided')},
${appendPostings}
SELECT id FROM decided`,
});

/**
 * Books who bears a disbursement that succeeded after it was given back. A charge may take the merchant's balance below
 * zero, as a refund may.
 * @returns false if it is not such a disbursement, or somebody was faster: then nothing was written
 */
export async function decideLateDisbursement(
  database: Queryable,
  {
    disbursement,
    outcome,
    nowMs,
  }: { disbursement: Disbursement; outcome: LateOutcome; nowMs: number },
): Promise<boolean> {
  const { tenantId, id, version } = disbursement;
  const postings = disbursementPostings(disbursement, outcome, nowMs);
  const given = { tenantId, id, version, outcome, nowMs, postings };
  return (await decideStatement.run(database, given)).length > 0;
}
