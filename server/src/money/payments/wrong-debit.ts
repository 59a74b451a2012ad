/** UNKNOWN_REFERENCE: our records do not know what it was for. */
export type ReversalReason = 'LATE_DEBIT' | 'SECOND_DEBIT' | 'WRONG_AMOUNT' | 'UNKNOWN_REFERENCE';

/** A debit that must go back: it came too late, twice, or with another amount. */
export interface WrongDebit {
  reason: ReversalReason;
  operatorTxId: string;
  amountMinor: bigint;
}
