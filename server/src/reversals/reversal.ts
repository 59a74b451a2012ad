import type { FailureCode, OperatorName } from '../operators/operator.ts';

export type ReversalReason = 'LATE_DEBIT' | 'SECOND_DEBIT' | 'WRONG_AMOUNT';
export type ReversalStatus = 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED';

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
  failureCode: FailureCode | null;
  askCount: number;
  /** When it needs attention next; for whoever attends to it, the end of the lease. */
  dueAtMs: number | null;
  createdAtMs: number;
}

/** A debit that must go back: it came too late, twice, or with another amount. */
export interface WrongDebit {
  reason: ReversalReason;
  operatorTxId: string;
  amountMinor: bigint;
}
