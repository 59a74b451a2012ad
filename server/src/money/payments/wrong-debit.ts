/** UNKNOWN_REFERENCE: our records have no object with its reference. */
export type ReversalReason = 'LATE_DEBIT' | 'SECOND_DEBIT' | 'WRONG_AMOUNT' | 'UNKNOWN_REFERENCE';

/** A debit that must go back: it came too late, twice, or with another amount. */
export interface WrongDebit {
  reason: ReversalReason;
  operatorTxId: string;
  amountMinor: bigint;
}
