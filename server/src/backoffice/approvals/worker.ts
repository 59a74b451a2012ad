import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { approvalTimes } from './approval.ts';
import type { ExecuteApproval } from './execute-approval.ts';
import { recordStep } from './request-approval.ts';
import { claimApproved, endApproval, findExpired } from './store.ts';

export interface ApprovalWorkDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  carryOut: ExecuteApproval;
}

const batchSize = 20;
const intervals = { minIntervalMs: 1_000, maxIntervalMs: 30_000 };

/** Carries out approvals of processes that died, and expires requests that nobody decided in time. */
export function approvalWorker(dependencies: ApprovalWorkDependencies & { log: Logger }): Poller {
  const { clock, log } = dependencies;
  const claim = () => workOnApprovals(dependencies);
  return new Poller({ name: 'approvals', clock, log, claim, ...intervals });
}

/** @returns how many there were */
export async function workOnApprovals(dependencies: ApprovalWorkDependencies): Promise<number> {
  const { database, clock, carryOut } = dependencies;
  const nowMs = clock.nowMs();
  const expired = await findExpired(database, nowMs, batchSize);
  for (const approval of expired) {
    await database.transaction(async (transaction) => {
      const move = { from: 'PENDING', to: 'EXPIRED', nowMs } as const;
      if (!(await endApproval(transaction, approval, move))) return;
      await recordStep(transaction, dependencies, 'approval.expired', approval);
    });
  }
  const approved = await claimApproved(database, nowMs, nowMs + approvalTimes.leaseMs, batchSize);
  for (const approval of approved) await carryOut(approval);
  return expired.length + approved.length;
}
