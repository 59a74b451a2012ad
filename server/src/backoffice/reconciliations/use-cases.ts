import type { Logger } from 'pino';
import type { RequestReviewDependencies } from '../../money/review/request-review.ts';
import type { Author } from '../../platform/audit/record.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { explainDifferences, type GivenExplanation, reopenDifference } from './explain.ts';
import { askOperator } from './query-operator.ts';
import type { Scope } from './reconciliation.ts';
import { compareAgain } from './repeat-comparison.ts';
import { requestReviewOf } from './request-review.ts';
import { takeStatement, type UploadedFile } from './upload-statement.ts';

export interface ReconciliationDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  onReview: RequestReviewDependencies['onReview'];
  /** A comparison is due. */
  wakeComparisons: (atMs: number) => void;
  /** A person wants an operator queried. */
  wakeQuestions: (atMs: number) => void;
}

export type Reconciliations = ReturnType<typeof createReconciliations>;

/** The staff's use cases for statements, on pages and through `/admin/v1`: each step with its author. */
export function createReconciliations(dependencies: ReconciliationDependencies) {
  const compares = { ...dependencies, wake: dependencies.wakeComparisons };
  const asks = { ...dependencies, wake: dependencies.wakeQuestions };
  return {
    take: (author: Author, scope: Scope, file: UploadedFile) =>
      takeStatement({ ...compares, ...author }, scope, file),
    compareAgain: (author: Author, id: string) => compareAgain({ ...compares, ...author }, id),
    explain: (author: Author, id: string, ids: readonly string[], given: GivenExplanation) =>
      explainDifferences({ ...dependencies, ...author }, id, ids, given),
    reopen: (author: Author, id: string, differenceId: string) =>
      reopenDifference({ ...dependencies, ...author }, id, differenceId),
    ask: (author: Author, id: string, ids: readonly string[]) =>
      askOperator({ ...asks, ...author }, id, ids),
    requestReview: (author: Author, id: string, differenceId: string) =>
      requestReviewOf({ ...dependencies, ...author }, id, differenceId),
  };
}
