export interface Answer {
  status: number;
  body: unknown;
  /** The plain meaning, if the body is hard to read or concerns another request. */
  truth?: unknown;
  headers?: Record<string, string>;
}

/** How an operator writes a transaction. */
export interface Notation {
  /** The id in the operator's answers. */
  id: string;
  /** The word for a completed transaction. */
  done: string;
  write(body: Record<string, unknown>): Record<string, unknown>;
}

/** Money that really moved. */
export interface Transaction {
  id: string;
  isDebit: boolean;
  /** A disbursement; neither: a return. */
  isPayout: boolean;
  /** The reference of the request. */
  reference: string;
  phone: string;
  amountMinor: bigint;
  currency: string;
  atMs: number;
  /** The debit that this transaction returns. */
  of: Transaction | undefined;
  givenBackMinor: bigint;
  notation: Notation;
}

/** How a customer reacts to the prompt for the PIN. */
export interface Customer {
  does: 'confirms' | 'declines' | 'has too little' | 'never answers';
  afterMs: number;
}

export interface Request {
  reference: string;
  isDebit: boolean;
  isPayout: boolean;
  correlationId: string;
  status: 'pending' | 'completed' | 'failed';
  error: string | undefined;
  phone: string;
  amountMinor: bigint;
  currency: string;
  of: Transaction | undefined;
  /** The id under which the request named the debit to return. */
  ofId: string | undefined;
  transaction: Transaction | undefined;
  /** For a return that moves nothing: the earlier return that the operator reports instead. */
  repeats: Repeated | undefined;
  callbackUrl: string | undefined;
  /** The operator writes states and ids in capitals. */
  usesCapitals: boolean;
  /** Until then, queries see the request as pending. */
  hiddenUntilMs: number;
  /** Answers the request, if the answer waits for the outcome. */
  respond: ((answer: Answer) => void) | undefined;
}

/** An earlier return, and the reference that the operator reports with it. */
export interface Repeated {
  transaction: Transaction;
  ofId: string | undefined;
  reference: string | undefined;
}
