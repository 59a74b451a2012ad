import type { Logger } from 'pino';
import { canonicalName } from '../../integrations/operators/transaction-ids.ts';
import {
  makeRequestReview,
  type RequestReviewDependencies,
} from '../../money/review/request-review.ts';
import {
  type Finding,
  reviewItemOf,
  type Subject,
  type SubjectKind,
} from '../../money/review/review-item.ts';
import { findSubject, type ReviewSubject } from '../../money/review/subjects.ts';
import { invalidState, notFound } from '../../platform/errors/errors.ts';
import { derivedUuid, formatId } from '../../platform/values/ids.ts';
import { ensureUnassigned, unassigned } from '../../tenants/merchants/unassigned-merchant.ts';
import type { StoredDifference } from './difference.ts';
import { findDifference, linkReview } from './difference-store.ts';
import type { StoredReconciliation } from './reconciliation.ts';
import { lockForStep, recordStep, type StepDependencies } from './steps.ts';

export interface ReviewDependencies extends StepDependencies {
  log: Logger;
  onReview: RequestReviewDependencies['onReview'];
}

interface Asked {
  subjectKind: SubjectKind;
  subject: Subject;
  finding: Finding;
}

/**
 * Lists a difference for the staff who decide about payments, with both sides; books nothing. A known object is
 * listed as itself; a debit that our records lack, like those that `zimbo operators recover` finds.
 * @returns the UUID of the review item
 * @throws NOT_FOUND
 * @throws INVALID_STATE it is no longer open, leaves nothing to decide, or the statement is being compared
 */
export async function requestReviewOf(
  dependencies: ReviewDependencies,
  id: string,
  differenceId: string,
): Promise<string> {
  const { database, clock } = dependencies;
  const seen = await findDifference(database, id, differenceId);
  if (!seen) throw notFound('difference');
  const subject = await subjectOf(dependencies, seen);
  if (!subject) await ensureUnassigned(database, dependencies);
  return database.transaction(async (transaction) => {
    const reconciliation = await lockForStep(transaction, id);
    const asked = reviewOf(reconciliation, seen, subject);
    if (!asked) throw invalidState('A review cannot decide anything about this difference.');
    const { subjectKind, subject: about, finding } = asked;
    const review = reviewItemOf(subjectKind, about, finding, clock.nowMs());
    if (!(await linkReview(transaction, seen, review.id))) {
      throw invalidState('Someone has already dealt with this difference.');
    }
    const request = makeRequestReview({ ...dependencies, database: transaction });
    await request(subjectKind, about, finding);
    await recordStep(transaction, dependencies, 'reconciliation.review_requested', id, {
      difference: formatId('rd', differenceId),
      review: formatId('ri', review.id),
    });
    return review.id;
  });
}

/** The present state of the payment, refund or reversal that a line names. */
export async function subjectOf(
  { database }: Pick<StepDependencies, 'database'>,
  { referenceId }: StoredDifference,
): Promise<ReviewSubject | undefined> {
  return referenceId === null ? undefined : findSubject(database, referenceId);
}

/** The review item to list; undefined if there is nothing to decide. */
export function reviewOf(
  reconciliation: Pick<StoredReconciliation, 'operator' | 'mode'>,
  difference: StoredDifference,
  subject: ReviewSubject | undefined,
): Asked | undefined {
  const { operator, mode } = reconciliation;
  if (difference.status !== 'OPEN') return undefined;
  if (subject) {
    if (subject.operator !== operator || subject.mode !== mode) return undefined;
    const { tenantId, id } = subject;
    const finding = contradictionOf(difference, subject);
    return { subjectKind: subject.kind, subject: { tenantId, id, operator }, finding };
  }
  const { transactionId, listedStatus, referenceId, type } = difference;
  // Unknown debits have a tenant in live mode only, and are identified by the operator's transaction id.
  if (mode !== 'live' || listedStatus !== 'COMPLETED' || !transactionId) return undefined;
  const { tenantId } = unassigned;
  const id = referenceId ?? derivedUuid(tenantId, canonicalName(transactionId));
  const detail = { booked: 'nothing', told: statedBy(difference), by: 'statement' };
  const finding: Finding = { kind: 'UNKNOWN_REFERENCE', about: transactionId, detail };
  const subjectKind = type === 'DEBIT' ? 'PAYMENT' : 'REFUND';
  return { subjectKind, subject: { tenantId, id, operator }, finding };
}

function contradictionOf(difference: StoredDifference, subject: ReviewSubject): Finding {
  const { kind, transactionId } = difference;
  const booked = {
    status: subject.status,
    operatorTxId: subject.operatorTxId,
    amountMinor: subject.amountMinor.toString(),
    currency: subject.currency,
  };
  const detail = { booked, told: statedBy(difference), by: 'statement', difference: kind };
  return { kind: 'CONTRADICTION', about: `statement ${kind} ${transactionId ?? ''}`, detail };
}

function statedBy(difference: StoredDifference): Record<string, unknown> | string {
  const { listedMinor, listedCurrency, listedStatus, transactionId } = difference;
  if (listedMinor === null) return 'not in the statement';
  return {
    operatorTxId: transactionId,
    amountMinor: listedMinor.toString(),
    currency: listedCurrency,
    status: listedStatus,
  };
}
