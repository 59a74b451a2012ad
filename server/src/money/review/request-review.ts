import type { Logger } from 'pino';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import {
  type Finding,
  type ReviewKind,
  reviewItemOf,
  type Subject,
  type SubjectKind,
} from './review-item.ts';
import { insertReviewItem } from './store.ts';

/** Lists a case for a person and sends a notice; a second time it does nothing. */
export type RequestReview = (
  subjectKind: SubjectKind,
  subject: Subject,
  finding: Finding,
) => Promise<void>;

export interface RequestReviewDependencies {
  database: Queryable;
  clock: Clock;
  log: Logger;
  onReview(kind: ReviewKind, subject: Subject): void;
}

const words: Record<ReviewKind, string> = {
  UNCLEAR: 'the operator never reported an outcome',
  CLASH:
    'the operator named a transaction that is already booked for something else: nothing was booked',
  CONTRADICTION: 'the operator contradicts the ledger: nothing was changed',
  UNKNOWN_REFERENCE:
    'the operator debited a customer for a reference that the ledger does not have',
  MISMATCH: 'the operator reports a success that is not what we asked for: nothing was booked',
};

export function makeRequestReview(dependencies: RequestReviewDependencies): RequestReview {
  return async (subjectKind, subject, finding) => {
    const item = reviewItemOf(subjectKind, subject, finding, dependencies.clock.nowMs());
    if (!(await insertReviewItem(dependencies.database, item))) return;
    const { kind, detail } = finding;
    const { tenantId, id, operator } = subject;
    dependencies.log.error(
      { review: item.id, kind, subjectKind, subject: id, tenantId, operator, detail },
      `${words[kind]}; a person must look into it: zimbo review`,
    );
    dependencies.onReview(kind, subject);
  };
}
