import type { Logger } from 'pino';
import type { LiveOperatorName } from '../../platform/config/operator-catalogue.ts';
import type { OperatorSettings } from '../../platform/config/operator-settings.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { CallbackKind } from './callback-token.ts';
import type { Pause } from './circuit-breaker.ts';
import type { Operator, OperatorAnswer } from './operator.ts';

/** What Zimbo must know to speak with one kind of operators: the whole of it is in a folder of its own. */
export interface Adapter {
  /** Opens an operator. Who opens it with the same settings object, as the cells of a process do, shares its `maxCalls`. */
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
  /** For one operation, however many calls it takes; in milliseconds. */
  timeoutMs: number;
  /** How long an operator that is down is left alone, in milliseconds. */
  pauseMs: number;
  /** The address to which the operator reports the outcome; only we can make such an address. */
  callbackUrl(kind: CallbackKind, tenantId: string, reference: string): string;
  onCall(outcome: CallOutcome): void;
}

export interface OpenedOperator {
  operator: Operator;
  /** The pause that calls are in because the operator is down; null: none. An adapter without it never pauses. */
  currentPause?(): Pause | null;
  close(): Promise<void>;
}

export type CallOutcome = 'answered' | 'unreachable' | 'misconfigured';

/**
 * How an operator calls back: JSON, to the address that it was given. Whatever a callback says, it is kept,
 * and the operator is queried; only if it cannot be queried (QUERY=none) is the callback believed. Without state,
 * since what was kept is read again when it is handled, by this process or another.
 */
export interface CallbackFormat {
  method: 'PUT' | 'POST';
  /** What a body must be, as it goes on after "The request body must be". */
  rule: string;
  /** Whether a callback is signed under the secret of OPERATOR_…_CALLBACK_SECRET. */
  isSigned(secret: string, callback: SignedCallback): boolean;
  /** Undefined if the body is not one that the operator sends. */
  read(body: unknown): Told | undefined;
}

export interface SignedCallback {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes that were sent. */
  body: Uint8Array;
}

/** What the body of a callback says. */
export interface Told {
  /** What makes two callbacks about one reference different, as a word and values; dates and receipts do not. */
  outcome: { kind: string; values: readonly unknown[] };
  /** The reference in the body itself, whatever address it came to; null if it has none. */
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

/** What an operator's answer must agree with, to be about what was requested. */
export interface Expected {
  kind: CallbackKind;
  reference: string;
  currency: string;
  /** Of a reversal, whose answer need not contain its amount. In minor units. */
  amountMinor?: bigint;
  /** Of what goes back: the operator's own id of the debit that is returned, which is no id of what returns it. */
  operatorTxId?: string;
  /** Ours at the operator, as KEY@VALUE; absent or null: it is not compared. */
  account?: string | null;
  /** The customer's; absent: it is not compared. */
  phone?: string;
}

/** In major units, as the operator writes it. */
export interface Balance {
  amount: string;
  currency: string;
}

export interface Health {
  service: 'available' | 'degraded' | 'unavailable';
  /** What is wrong, in words for the person who runs the gateway. */
  problem: string | null;
  latencyMs: number;
  /** Null if the operator does not report it. */
  balance: Balance | null;
}

/** What an operator says that it did on our account. */
export interface AccountTransaction {
  /** As the operator gives it, whether it is a name that can be booked (`isName`) or not; '' if it gives none. */
  operatorTxId: string;
  /** The reference that we gave; null if the operator reports none that could be ours. */
  reference: string | null;
  /** A customer's money that came in, or went back; OTHER: neither, by what the operator calls it. */
  kind: 'DEBIT' | 'GIVEN_BACK' | 'OTHER';
  /**
   * UNREADABLE: it has our reference, but not whether it succeeded, or not what the operator calls it; or it is a debit
   * that says to be of another transaction.
   */
  status: 'SUCCEEDED' | 'FAILED' | 'OPEN' | 'UNREADABLE';
  /** Null if it cannot be read. */
  amountMinor: bigint | null;
  /** Null if it is not reported. */
  currency: string | null;
  /** When it was created, in milliseconds since 1970; null if that cannot be read. */
  atMs: number | null;
  /** Of a return: the debit that it returns; null if the operator does not report it. */
  debitTxId: string | null;
  /** Of a debit that is FAILED: it was reversed, so the customer has the money again. */
  isReversed?: boolean;
  /** Of OTHER: what the operator calls it. */
  type?: string;
}

export interface WalkOptions {
  /** Of the creation, in milliseconds since 1970: from when the operator is asked. What it gives is not left out. */
  sinceMs: number;
  /**
   * Gets each row that is no transaction: a person must look.
   * @param name by which they find it, without what is a customer's
   */
  onUnreadable(row: unknown, name: string): void;
  /** How many are requested at once; an operator may return fewer. */
  pageSize?: number;
  /** For one page. */
  timeoutMs?: number;
  /** Beyond these the walk is broken off. */
  mostPages?: number;
  mostTransactions?: number;
}

/** Not everything was seen; says why, in words for a person. */
export class WalkBroken extends Error {}
