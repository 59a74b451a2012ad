import { makeAsk } from '../../approvals/ask.ts';
import { makeDecide } from '../../approvals/decide.ts';
import { makeCarryOut } from '../../approvals/effects.ts';
import { approvalWorker } from '../../approvals/worker.ts';
import type { DeliveryDispatcher } from '../../events/dispatch.ts';
import type { Base } from './base.ts';
import type { Refunds } from './refunds.ts';
import type { Settlements } from './settlements.ts';

export type Approvals = ReturnType<typeof composeApprovals>;

/** What one person asks for and another approves. */
export function composeApprovals(
  base: Base,
  dispatcher: DeliveryDispatcher,
  { createRefund, payout }: Refunds & Settlements,
) {
  const carryOut = makeCarryOut({ ...base, dispatcher, createRefund, payout });
  return {
    askApproval: makeAsk({ ...base, fourEyes: base.config.fourEyes }),
    decideApproval: makeDecide({ ...base, carryOut }),
    approvals: approvalWorker({ ...base, carryOut }),
  };
}
