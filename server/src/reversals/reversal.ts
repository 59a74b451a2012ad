import type { FailureCode, OperatorName } from '../operators/operator.ts';
import { derivedUuid } from '../platform/ids.ts';
import type { Transitions } from '../platform/transitions.ts';

/** UNKNOWN_REFERENCE: our books do not know what it was for. */
export type ReversalReason = 'LATE_DEBIT' | 'SECOND_DEBIT' | 'WRONG_AMOUNT' | 'UNKNOWN_REFERENCE';
/** HELD: in suspense until a person says what becomes of it. */
export type ReversalStatus = 'HELD' | 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED';

/** What a reversal may become (docs/payment-states.md). The operator may succeed after it has refused. */
export const reversalTransitions: Transitions<ReversalStatus> = {
  HELD: ['PENDING', 'SUCCEEDED', 'FAILED'],
  PENDING: ['PROCESSING', 'SUCCEEDED', 'FAILED'],
  PROCESSING: ['SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: ['SUCCEEDED'],
};

/** A debit on its way back to the customer; its id is the reference at the operator. */
export interface Reversal {
  tenantId: string;
  id: string;
  paymentId: string;
  reason: ReversalReason;
  status: ReversalStatus;
  amountMinor: bigint;
  currency: string;
  operator: OperatorName;
  operatorTxId: string;
  /** The operator's own id of the reversal, once it has succeeded. */
  operatorReversalId: string | null;
  failureCode: FailureCode | null;
  askCount: number;
  /** When it needs attention next; for whoever attends to it, the end of the lease. */
  dueAtMs: number | null;
  /** Since when a request for it may have left; null where none can have. */
  sentAtMs: number | null;
  /** A person said what became of it; the operator's first different word is for a person too. */
  byHand: boolean;
  createdAtMs: number;
}

/** A debit that must go back: it came too late, twice, or with another amount. */
export interface WrongDebit {
  reason: ReversalReason;
  operatorTxId: string;
  amountMinor: bigint;
}

/** The same debit of the same payment has the same reversal, however often it is heard of. */
export const reversalIdOf = (paymentId: string, operatorTxId: string) =>
  derivedUuid(paymentId, operatorTxId);
