import {
  type DomainError,
  forbidden,
  invalidState,
  notFound,
} from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { type Approval, approvalTimes, type Requester } from './approval.ts';
import { recordStep } from './request-approval.ts';
import {
  approveStored,
  endApproval,
  findApproval,
  findRelation,
  hasAnotherUnderWay,
  lockApproval,
} from './store.ts';
import { subjectState } from './subjects.ts';

export interface DecideDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  /** Carries out approved requests: at once, and by a worker if this process dies first. */
  carryOut: (approval: Approval) => Promise<void>;
}

interface Deciding {
  tenantId: string;
  id: string;
  by: Requester;
}

export type Decide = ReturnType<typeof makeDecide>;

export function makeDecide(dependencies: DecideDependencies) {
  return {
    /**
     * Approves the request exactly as it was made. If the subject has changed meanwhile, the request is refused for
     * good.
     * @throws NOT_FOUND
     * @throws FORBIDDEN if the person is the requester, by any account, or may not decide
     * @throws INVALID_STATE it is decided already, has expired, or its subject has changed
     */
    approve: (deciding: Deciding) => approve(dependencies, deciding),
    /** @throws NOT_FOUND, FORBIDDEN, INVALID_STATE */
    reject: (deciding: Deciding) => end(dependencies, deciding, 'REJECTED'),
    /**
     * Withdraws a person's own request.
     * @throws NOT_FOUND, FORBIDDEN, INVALID_STATE
     */
    cancel: (deciding: Deciding) => end(dependencies, deciding, 'CANCELLED'),
  };
}

async function approve(dependencies: DecideDependencies, { tenantId, id, by }: Deciding) {
  const { database, clock, carryOut } = dependencies;
  const nowMs = clock.nowMs();
  const approved = await database.transaction(async (transaction) => {
    const found = await findApproval(transaction, tenantId, id);
    if (!found) throw notFound('request');
    const isCollected = found.kind === 'LIVE_KEY';
    const dueAtMs = nowMs + (isCollected ? approvalTimes.openMs : approvalTimes.leaseMs);
    const row = await approveStored(transaction, found, by, { nowMs, dueAtMs });
    if (!row) throw await refusalOf(transaction, found, by, nowMs);
    await recordStep(transaction, dependencies, 'approval.approved', row, by);
    const isSame = (await subjectState(transaction, row)) === row.subjectState;
    // An approved refund on its way has not taken its part of the payment yet.
    const isFree = row.kind !== 'REFUND' || !(await hasAnotherUnderWay(transaction, row));
    if (isSame && isFree) return row;
    const failure = 'CHANGED';
    await endApproval(transaction, row, { from: 'APPROVED', to: 'FAILED', nowMs, failure });
    await recordStep(transaction, dependencies, 'approval.failed', row, undefined, { failure });
    return undefined;
  });
  if (!approved) {
    throw invalidState(
      'The subject of the request has changed since. Check it, and make a new request.',
    );
  }
  await carryOut(approved);
}

async function refusalOf(
  transaction: Queryable,
  approval: Approval,
  by: Requester,
  nowMs: number,
): Promise<DomainError> {
  const { isAsker, mayDecide } = await findRelation(transaction, approval, by);
  if (isAsker) return forbidden('The requester cannot approve: another person must.');
  if (!mayDecide) return forbidden('Your role does not allow this.');
  // Runs once the lock of the faster process is free.
  const now = (await lockApproval(transaction, approval.tenantId, approval.id)) ?? approval;
  if (now.status !== 'PENDING') return invalidState(`The request is ${now.status} already.`);
  if (now.expiresAtMs <= nowMs) return invalidState('The request has expired.');
  return forbidden('The requester may no longer do this.');
}

function end(
  dependencies: DecideDependencies,
  { tenantId, id, by }: Deciding,
  to: 'REJECTED' | 'CANCELLED',
): Promise<void> {
  const { database, clock } = dependencies;
  return database.transaction(async (transaction) => {
    const found = await findApproval(transaction, tenantId, id);
    if (!found) throw notFound('request');
    const { mayDecide } = await findRelation(transaction, found, by);
    const may = to === 'CANCELLED' ? found.askedBy === by.personId : mayDecide;
    if (!may) throw forbidden('Your role does not allow this.');
    const nowMs = clock.nowMs();
    const decidedBy = by.personId;
    const isEnded = await endApproval(transaction, found, {
      from: 'PENDING',
      to,
      nowMs,
      decidedBy,
    });
    if (!isEnded) throw invalidState('The request is decided already.');
    const action = to === 'CANCELLED' ? 'approval.cancelled' : 'approval.rejected';
    await recordStep(transaction, dependencies, action, found, by);
  });
}
