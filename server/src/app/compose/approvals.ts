import { join } from 'node:path';
import { makeDecide } from '../../backoffice/approvals/decide.ts';
import { makeExecuteApproval } from '../../backoffice/approvals/execute-approval.ts';
import { makeRequestApproval } from '../../backoffice/approvals/request-approval.ts';
import { approvalWorker } from '../../backoffice/approvals/worker.ts';
import { makeDecideReview } from '../../backoffice/resolutions/apply-approval.ts';
import type { Base } from './base.ts';
import type { Refunds } from './refunds.ts';

export type Approvals = ReturnType<typeof composeApprovals>;

/** Composes approvals, which one person requests and another grants. */
export function composeApprovals(base: Base, { createRefund }: Pick<Refunds, 'createRefund'>) {
  const payoutFolder = join(base.config.dataDir, 'payouts');
  const decideReview = makeDecideReview(base);
  const carryOut = makeExecuteApproval({ ...base, createRefund, payoutFolder, decideReview });
  return {
    askApproval: makeRequestApproval({ ...base, fourEyes: base.config.fourEyes }),
    decideApproval: makeDecide({ ...base, carryOut }),
    approvals: approvalWorker({ ...base, carryOut }),
  };
}
