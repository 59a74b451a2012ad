/** A debit, a return or a disbursement. */
export interface Transaction {
  number: number;
  /** The number in its public id: its own, or that of an earlier transaction. */
  shownNumber: number;
  kind: 'merchantpay' | 'reversal' | 'disbursement';
  /** The client's id of the request, or ours if it gave none. */
  correlationId: string;
  /** Our id of the request. */
  requestId: string;
  /** The client's reference, under which it books. */
  reference: string;
  /** The request, to distinguish a repetition from another request under the same id. */
  request: string;
  /** For a reversal: the number of its debit. */
  originalNumber: number | null;
  originalShownNumber: number | null;
  amountMinor: bigint;
  currency: string;
  /** The customer's phone: who paid, gets the money back, or is paid. */
  payer: string;
  callbackUrl: string | null;
  status: 'pending' | 'completed' | 'failed';
  errorCategory: string | null;
  errorCode: string | null;
  polls: number;
  /** In the future while queued: until then no query finds it. */
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

/** The content of a callback: the outcome, the state before, the opposite, or an amount with a fee on top. */
export type Told = 'outcome' | 'pending' | 'opposite' | 'fee';

/** A callback about an outcome, to be sent. */
export interface Callback {
  number: number;
  transactionNumber: number;
  told: Told;
  attempts: number;
}

/** A sent callback, for comparison with its effects. */
export interface SentCallback {
  number: number;
  /** The client's id of the request. */
  correlationId: string;
  told: Told;
  attempts: number;
  lastAnswer: string;
  /** When it was first sent, with fractions of a millisecond. */
  sentAtMs: number;
}

/** The requested part of a list; times in milliseconds since 1970. */
export interface Slice {
  limit: number;
  offset: number;
  fromMs: number;
  toMs: number;
  /** Null: all. */
  status: string | null;
  kind: string | null;
}

/** The totals of one currency. */
export interface Total {
  currency: string;
  debits: number;
  debitedMinor: string;
  reversals: number;
  reversedMinor: string;
  disbursements: number;
  disbursedMinor: string;
  pending: number;
  failed: number;
  /** Of the failed ones, those that will succeed late. */
  succeedingLate: number;
}
