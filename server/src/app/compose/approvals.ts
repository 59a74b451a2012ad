import { join } from 'node:path';
import { makeDecide } from '../../backoffice/approvals/decide.ts';
import { makeExecuteApproval } from '../../backoffice/approvals/execute-approval.ts';
import { makeRequestApproval } from '../../backoffice/approvals/request-approval.ts';
import { approvalWorker } from '../../backoffice/approvals/worker.ts';
import { makeDecideReview } from '../../backoffice/resolutions/apply-approval.ts';
import type { Base } from './base.ts';
import type { Disbursements } from './disbursements.ts';
import type { Refunds } from './refunds.ts';

export type Approvals = ReturnType<typeof composeApprovals>;

/** Composes approvals, which one person requests and another grants. */
export function composeApprovals(
  base: Base,
  {
    createRefund,
    createDisbursement,
    createBatch,
  }: Pick<Refunds, 'createRefund'> & Pick<Disbursements, 'createDisbursement' | 'createBatch'>,
) {
  const payoutFolder = join(base.config.dataDir, 'payouts');
  const decideReview = makeDecideReview(base);
  const disbursing = { createDisbursement, createBatch };
  const effects = { createRefund, ...disbursing, payoutFolder, decideReview };
  const carryOut = makeExecuteApproval({ ...base, ...effects });
  return {
    askApproval: makeRequestApproval({ ...base, fourEyes: base.config.fourEyes }),
    decideApproval: makeDecide({ ...base, carryOut }),
    approvals: approvalWorker({ ...base, carryOut }),
  };
}
