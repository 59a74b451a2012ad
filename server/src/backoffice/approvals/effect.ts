import type { Logger } from 'pino';
import type { CreateBatch } from '../../money/disbursements/batches/create.ts';
import type { CreateDisbursement } from '../../money/disbursements/create.ts';
import type { CreateRefund } from '../../money/refunds/create.ts';
import type { Author } from '../../platform/audit/record.ts';
import { notNow } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import { findTerms } from '../../tenants/merchants/change-terms.ts';
import { findTenants } from '../../tenants/merchants/store.ts';
import type { Approval, Requester, Requests } from './approval.ts';
import { recordStep } from './request-approval.ts';
import { endApproval } from './store.ts';

/** A person's finding about an open case, frozen in the request. */
export type Decision = Requests['REVIEW_RESOLVE'] | Requests['REVIEW_CLOSE'];

export interface EffectDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Pick<Logger, 'warn'>;
  createRefund: CreateRefund;
  createDisbursement: CreateDisbursement;
  createBatch: CreateBatch;
  /** The folder of payout files. */
  payoutFolder: string;
  /**
   * Records the operator's answer, or closes an item: all of it in the transaction.
   * @throws EffectRefused it is no longer possible
   */
  decideReview: (transaction: Queryable, decision: Decision, author: Author) => Promise<void>;
}

/** A merchant that was suspended meanwhile moves no money, even with an approval. */
export async function modeAndTerms(database: Queryable, tenantId: string) {
  const [tenant] = await findTenants(database, [tenantId]);
  const terms = await findTerms(database, tenant!.merchantId);
  return { mode: tenant!.mode, terms: terms! };
}

/** Another process was faster, and this transaction is rolled back. */
export const isOver = () => notNow('The request has ended.');

/** The actor is the requester; the origin is the approval, whose records name the approver. */
export const authorOf = ({ id, askedBy }: Approval): Author => ({
  actor: `person:${formatId('pe', askedBy)}`,
  origin: formatId('ap', id),
});

export type Finishing = Pick<EffectDependencies, 'clock' | 'ids'>;

/** False if it has ended before. */
export async function finish(
  transaction: Queryable,
  dependencies: Finishing,
  approval: Approval,
  done: { resultId: string | undefined; remark?: string },
  by?: Requester,
): Promise<boolean> {
  const nowMs = dependencies.clock.nowMs();
  const { resultId, remark } = done;
  const more = { ...(resultId && { resultId }), ...(remark !== undefined && { remark }) };
  const move = { from: 'APPROVED', to: 'DONE', nowMs, ...more } as const;
  if (!(await endApproval(transaction, approval, move))) return false;
  await recordStep(transaction, dependencies, 'approval.done', approval, by);
  return true;
}
