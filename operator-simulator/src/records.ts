/** A debit or what goes back of one. */
export interface Transaction {
  number: number;
  /** By which it is shown: its own, or that of an earlier one. */
  shownNumber: number;
  kind: 'merchantpay' | 'reversal';
  /** The client's id of the request, or ours where it gave none. */
  correlationId: string;
  /** Our id of the request. */
  requestId: string;
  /** The client's reference, by which it books. */
  reference: string;
  /** What was asked for, to tell a repetition from another request under the same id. */
  request: string;
  /** Of the debit that a reversal gives back. */
  originalNumber: number | null;
  originalShownNumber: number | null;
  amountMinor: bigint;
  currency: string;
  payer: string;
  callbackUrl: string | null;
  status: 'pending' | 'completed' | 'failed';
  errorCategory: string | null;
  errorCode: string | null;
  polls: number;
  /** In the future while it is queued: until then nobody is told of it. */
  createdAtMs: number;
  changedAtMs: number;
}

export type NewTransaction = Omit<
  Transaction,
  | 'number'
  | 'shownNumber'
  | 'originalShownNumber'
  | 'status'
  | 'errorCategory'
  | 'errorCode'
  | 'polls'
  | 'changedAtMs'
> & { shownNumber: number | null; dueAtMs: number };

/** What a callback says: the outcome, the state before it, the opposite of it, or an amount with a fee on top. */
export type Told = 'outcome' | 'pending' | 'opposite' | 'fee';

/** Word of an outcome that is to be sent. */
export interface Callback {
  number: number;
  transactionNumber: number;
  told: Told;
  attempts: number;
}

/** A callback that was sent, for whoever compares it with what came of it. */
export interface SentCallback {
  number: number;
  /** The client's, of the request. */
  correlationId: string;
  told: Told;
  attempts: number;
  lastAnswer: string;
  /** When it was sent first, with parts of a millisecond. */
  sentAtMs: number;
}

/** Which part of a list is asked for; times in milliseconds since 1970. */
export interface Slice {
  limit: number;
  offset: number;
  fromMs: number;
  toMs: number;
  /** Null: all. */
  status: string | null;
  kind: string | null;
}

/** What one currency came to. */
export interface Total {
  currency: string;
  debits: number;
  debitedMinor: string;
  reversals: number;
  reversedMinor: string;
  pending: number;
  failed: number;
}
