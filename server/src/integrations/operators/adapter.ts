import type { Logger } from 'pino';
import type { LiveOperatorName } from '../../platform/config/operator-catalogue.ts';
import type { OperatorSettings } from '../../platform/config/operator-settings.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { CallbackKind } from './callback-token.ts';
import type { Pause } from './circuit-breaker.ts';
import type { Operator, OperatorAnswer } from './operator.ts';
import type { WalletName } from './wallet-names.ts';

/** Everything that Zimbo needs to talk to one kind of operator, kept in a folder of its own. */
export interface Adapter {
  /**
   * Opens an operator. Callers that pass the same settings object, such as the cells of a process, share its
   * `maxCalls`.
   */
  open(dependencies: AdapterDependencies): OpenedOperator;
  callbacks: CallbackFormat;
  /** Checks whether an operator is available, and the balance of our account there. Moves no money. */
  probe(settings: OperatorSettings, clock: Clock): Promise<Health>;
  /** Walks the operator's list of our account's transactions. Moves no money. @throws WalkBroken */
  transactions(
    settings: OperatorSettings,
    clock: Clock,
    options: WalkOptions,
  ): AsyncIterable<AccountTransaction>;
  /**
   * Checks a number that a person typed against the operator's own record of that transaction. Moves no money. An
   * operator without this method cannot be asked: the person's word counts.
   */
  checkTransaction?(
    settings: OperatorSettings,
    clock: Clock,
    lookup: TransactionLookup,
  ): Promise<TransactionCheck>;
  /**
   * Looks up the name of the holder of a wallet, within the time of one operation. Moves no money. Pages offer the
   * lookup only for an operator that has this method.
   */
  findWalletName?(settings: OperatorSettings, clock: Clock, phone: string): Promise<WalletName>;
}

export interface AdapterDependencies {
  operator: LiveOperatorName;
  settings: OperatorSettings;
  database: Database;
  /** For pauses, which say when rows come due. */
  clock: Clock;
  /** For dates that operators read, and for tokens of theirs. */
  wallClock: Clock;
  log: Logger;
  /** For one operation, for any number of calls; in milliseconds. */
  timeoutMs: number;
  /** How long calls pause for an operator that is down, in milliseconds. */
  pauseMs: number;
  /** The address for the operator's callback; only we can make such an address. */
  callbackUrl(kind: CallbackKind, tenantId: string, reference: string): string;
  onCall(outcome: CallOutcome): void;
}

export interface OpenedOperator {
  operator: Operator;
  /** The pause of calls while the operator is down; null: none. An adapter without it never pauses. */
  currentPause?(): Pause | null;
  close(): Promise<void>;
}

export type CallOutcome = 'answered' | 'unreachable' | 'misconfigured';

/**
 * How an operator calls back: JSON, to the address that it was given. Every callback is stored, and the operator is
 * queried; only if it has no queries (QUERY=none) is the callback trusted. Stateless, since a stored callback is read
 * again when it is handled, by this process or another.
 */
export interface CallbackFormat {
  method: 'PUT' | 'POST';
  /** The requirement for a body, as the end of "The request body must be". */
  rule: string;
  /** Whether the secret of OPERATOR_…_CALLBACK_SECRET signs callbacks. */
  isSigned(secret: string, callback: SignedCallback): boolean;
  /** Undefined if the operator would not send such a body. */
  read(body: unknown): CallbackContent | undefined;
}

export interface SignedCallback {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as received. */
  body: Uint8Array;
}

/** The content of a callback's body. */
export interface CallbackContent {
  /** What distinguishes two callbacks about one reference, as a word and values; dates and receipts do not. */
  outcome: { kind: string; values: readonly unknown[] };
  /** The reference in the body itself, regardless of the address; null if there is none. */
  about: {
    reference: unknown;
    amountMinor: bigint | undefined;
    currency: unknown;
    /** Of a return: the debit that it names. */
    debitTxId?: unknown;
  } | null;
  /** The outcome; undefined if it is not about what was requested. */
  answerTo(expected: Expected): OperatorAnswer | undefined;
}

/** The request that an operator's answer must match. */
export interface Expected {
  kind: CallbackKind;
  reference: string;
  currency: string;
  /** Of a return, whose answer need not contain its amount. In minor units. */
  amountMinor?: bigint;
  /**
   * Of a refund or reversal: the operator's transaction id of the debit that it returns, which is never the id of the
   * return.
   */
  operatorTxId?: string;
  /** Our account at the operator, as KEY@VALUE; absent or null: it is not compared. */
  account?: string | null;
  /** The customer's phone; absent: it is not compared. */
  phone?: string;
}

/** A transaction, by the operator's own number, and the request that it should be of. */
export interface TransactionLookup {
  expected: Expected;
  operatorTxId: string;
  /** For one call. */
  timeoutMs: number;
}

/**
 * The operator's record of a transaction. CONFIRMED: of that request, and completed. OTHER: of something else, under
 * the reference that it names. NOT_DONE: of that request, but not completed.
 */
export type TransactionCheck =
  | { kind: 'CONFIRMED'; amountMinor: bigint }
  | { kind: 'OTHER'; reference: string | null }
  | { kind: 'NOT_DONE' | 'NOT_FOUND' | 'NO_ANSWER' };

/** In major units, as the operator writes it. */
export interface Balance {
  amount: string;
  currency: string;
}

export interface Health {
  service: 'available' | 'degraded' | 'unavailable';
  /** The problem, in words for the person who runs the gateway. */
  problem: string | null;
  latencyMs: number;
  /** Null if the operator does not report it. */
  balance: Balance | null;
}

/** A transaction in the operator's list of our account. */
export interface AccountTransaction {
  /** As the operator gives it, whether it can be booked (`isName`) or not; '' if there is none. */
  operatorTxId: string;
  /** Our reference; null if the operator reports none that could be ours. */
  reference: string | null;
  /** A customer's money that came in, or went back, or money paid out to a wallet; OTHER: none of these. */
  kind: 'DEBIT' | 'GIVEN_BACK' | 'DISBURSEMENT' | 'OTHER';
  /**
   * UNREADABLE: it has our reference, but its outcome or type cannot be read; or it is a debit that refers to another
   * transaction.
   */
  status: 'SUCCEEDED' | 'FAILED' | 'OPEN' | 'UNREADABLE';
  /** Null if it cannot be read. */
  amountMinor: bigint | null;
  /** Null if it is not reported. */
  currency: string | null;
  /** When it was created, in milliseconds since 1970; null if that cannot be read. */
  atMs: number | null;
  /** Of a return: the debit that it returns; null if the operator does not report that. */
  debitTxId: string | null;
  /**
   * Of a debit that is FAILED: it was reversed, so the customer has the money again. Of a disbursement that is OPEN: the
   * operator says that it was undone, and a person must find out where the money is.
   */
  isReversed?: boolean;
  /** Of a return or disbursement that is OPEN: it ended without a success, which decides nothing. */
  deniesSuccess?: boolean;
  /** Of OTHER: the operator's type. */
  type?: string;
}

export interface WalkOptions {
  /**
   * The earliest creation to request, in milliseconds since 1970. Earlier rows that the operator returns are passed
   * on too.
   */
  sinceMs: number;
  /**
   * Receives each row that is not a transaction: a person must look into it.
   * @param name identifies the row for that person, without a customer's data
   */
  onUnreadable(row: unknown, name: string): void;
  /** How many rows are requested at once; an operator may return fewer. */
  pageSize?: number;
  /** For one page. */
  timeoutMs?: number;
  /** Beyond these limits the walk is aborted. */
  mostPages?: number;
  mostTransactions?: number;
}

/** The list was not read completely; says why, in words for a person. */
export class WalkBroken extends Error {}
