/** What an operator answers. */
export interface Answer {
  status: number;
  body: unknown;
  /** What it would say plainly, where the body is hard to read or is about something else. */
  truth?: unknown;
  headers?: Record<string, string>;
}

/** How an operator writes of one transaction. */
export interface Manner {
  /** The id under which it is told. */
  id: string;
  /** The word that says that it is done. */
  done: string;
  write(body: Record<string, unknown>): Record<string, unknown>;
}

/** Money that really moved. */
export interface Transaction {
  id: string;
  isDebit: boolean;
  /** Of the request. */
  reference: string;
  phone: string;
  amountMinor: bigint;
  currency: string;
  atMs: number;
  /** The debit that is given back. */
  of: Transaction | undefined;
  givenBackMinor: bigint;
  manner: Manner;
}

/** What a customer will do when a debit asks for the PIN. */
export interface Customer {
  does: 'confirms' | 'declines' | 'has too little' | 'never answers';
  afterMs: number;
}

export interface Request {
  reference: string;
  isDebit: boolean;
  correlationId: string;
  status: 'pending' | 'completed' | 'failed';
  error: string | undefined;
  phone: string;
  amountMinor: bigint;
  currency: string;
  of: Transaction | undefined;
  /** The id by which the debit was named that is given back. */
  ofId: string | undefined;
  transaction: Transaction | undefined;
  /** Of a return for which nothing moved: the earlier one that it is said to be. */
  repeats: Repeated | undefined;
  callbackUrl: string | undefined;
  /** States are told in capitals. */
  isLoud: boolean;
  /** Until then questions are told that it is pending, whatever it is. */
  hiddenUntilMs: number;
  /** Answers the request, where it waits for its end. */
  respond: ((answer: Answer) => void) | undefined;
}

/** An earlier return, and whose reference is told with it. */
export interface Repeated {
  transaction: Transaction;
  ofId: string | undefined;
  reference: string | undefined;
}
