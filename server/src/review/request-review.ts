import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Queryable } from '../postgres/database.ts';
import {
  type Finding,
  type ReviewKind,
  reviewItemOf,
  type Subject,
  type SubjectKind,
} from './review-item.ts';
import { insertReviewItem } from './store.ts';

/** Lists something that a person must look at, and tells of it; a second time it does nothing. */
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
  UNCLEAR: 'the operator never told an outcome',
  CLASH: 'the operator gave a transaction that is booked for something else: nothing was booked',
  CONTRADICTION: 'the operator says other than our books: nothing was changed',
  UNKNOWN_REFERENCE: 'the operator debited a customer for a reference that our books lack',
};

export function makeRequestReview(dependencies: RequestReviewDependencies): RequestReview {
  return async (subjectKind, subject, finding) => {
    const item = reviewItemOf(subjectKind, subject, finding, dependencies.clock.nowMs());
    if (!(await insertReviewItem(dependencies.database, item))) return;
    const { kind, detail } = finding;
    const { tenantId, id, operator } = subject;
    dependencies.log.error(
      { review: item.id, kind, subjectKind, subject: id, tenantId, operator, detail },
      `${words[kind]}; a person must look at it: zimbo review`,
    );
    dependencies.onReview(kind, subject);
  };
}
