import type { OperatorName } from '../../platform/config/operator-catalogue.ts';
import type { Transitions } from '../../platform/values/transitions.ts';

/** OPEN: differences need work. FAILED: it could not be compared. */
export const reconciliationStatuses = ['COMPARING', 'OPEN', 'MATCHED', 'FAILED'] as const;
export type ReconciliationStatus = (typeof reconciliationStatuses)[number];

/** The allowed transitions of a reconciliation (docs/reconciliation.md). */
export const reconciliationTransitions: Transitions<ReconciliationStatus> = {
  COMPARING: ['OPEN', 'MATCHED', 'FAILED'],
  OPEN: ['MATCHED', 'COMPARING'],
  MATCHED: ['OPEN', 'COMPARING'],
  FAILED: ['COMPARING'],
};

/** Why the comparison failed. GAVE_UP: each try was interrupted, or failed. */
export type Failure = 'NO_PERIOD' | 'EMPTY_PERIOD' | 'TOO_MANY_DIFFERENCES' | 'GAVE_UP';

/** The scope of the ledger that a statement is compared with. */
export interface Scope {
  operator: OperatorName;
  mode: 'live' | 'test';
  /** Null: all merchants. */
  merchantId: string | null;
  /** Null: all. */
  currency: string | null;
  /** Null: the period of the statement. */
  askedFromMs: number | null;
  askedUntilMs: number | null;
}

/** An operator's statement and the state of its reconciliation. */
export interface StoredReconciliation extends Scope {
  id: string;
  status: ReconciliationStatus;
  fileName: string;
  fileDigest: Buffer;
  fileBytes: bigint;
  /** Whether it can be compared again. */
  hasLines: boolean;
  uploadedBy: string;
  /** Who requested the latest comparison, and its origin. */
  askedBy: string;
  askedOrigin: string | null;
  askedAtMs: number;
  /** For a due comparison: since when, or the end of the lease. */
  dueAtMs: number | null;
  tries: number;
  comparedAtMs: number | null;
  fromAtMs: number | null;
  untilAtMs: number | null;
  lineCount: number;
  matchedCount: number;
  withoutMoneyCount: number;
  /** Present and past differences. */
  differenceCount: number;
  /** Differences that nobody has dealt with. */
  openCount: number;
  failure: Failure | null;
  closedBy: string | null;
  closedAtMs: number | null;
  createdAtMs: number;
}

export const reconciliationLimits = {
  /** A million lines and more. */
  fileBytes: 128 * 1024 * 1024,
  /** A statement that has nothing to do with the ledger differs in every line. */
  differences: 10_000,
  /** How many may wait to be compared, since they take turns. */
  waiting: 20,
  tries: 5,
  fileName: 200,
};

export const reconciliationTimes = {
  leaseMs: 60_000,
  renewMs: 15_000,
  /** After the latest comparison. */
  linesKeptMs: 90 * 86_400_000,
};
