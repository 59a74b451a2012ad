import { untilUnchanged } from '../../platform/jobs/retry-on-conflict.ts';
import { sendUnderLease } from '../../platform/jobs/send-under-lease.ts';
import type { Origin } from '../../platform/jobs/worker.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { isCalledBack } from './has-callback.ts';
import type {
  OperatorAnswer,
  OperatorNotification,
  OperatorTraits,
  ReversalRequest,
} from './operator.ts';
import {
  holdForQuery,
  isNotSent,
  leaseOf,
  type QueriedRow,
  type QueryDependencies,
  queryUnderLease,
  takeForQuery,
} from './query.ts';
import { type NextStep, type QueryTiming, watchIsOver } from './query-schedule.ts';
import { isSameName } from './transaction-ids.ts';

/** A refund or a reversal: an amount on its way back to the customer. Its id is the reference at the operator. */
export interface MoneyReturn extends QueriedRow {
  paymentId: string;
  operatorTxId: string;
  amountMinor: bigint;
  currency: string;
  /** How often it was released without an outcome. */
  queryCount: number;
}

/** The meaning of an operator's answer; without any of these, nothing is left to do. */
export interface Decision<Outcome, Finding> {
  outcome?: Outcome;
  /** What to do while the outcome is unknown. */
  next?: NextStep;
  /** A case for a person. */
  review?: Finding;
}

type Success = OperatorAnswer & { kind: 'succeeded' };
type Failure = OperatorAnswer & { kind: 'failed' };

/** When a row needs attention next (null: never), and since when a request for it may have left. */
export type Plan = Pick<QueriedRow, 'dueAtMs' | 'sentAtMs'>;

export interface QueryThenSendDependencies<Row extends MoneyReturn, Outcome, Finding>
  extends Omit<QueryDependencies<Row>, 'ask'> {
  database: Queryable;
  kind: ReversalRequest['kind'];
  timing: QueryTiming;
  wake: (atMs: number) => void;
  /** Pure. */
  decide(
    row: Row,
    answer: OperatorAnswer,
    nowMs: number,
    timing: QueryTiming,
    traits: OperatorTraits,
  ): Decision<Outcome, Finding>;
  find(tenantId: string, id: string): Promise<Row | undefined>;
  /** The phone that was debited; undefined if our records lack the payment. */
  phoneOf(row: Row): Promise<string | undefined>;
  /** Commits PROCESSING under the lease of the row; undefined if the lease had passed to another worker. */
  begin: (row: Row, plan: Plan & { dueAtMs: number; sentAtMs: number }) => Promise<Row | undefined>;
  /** Releases the row; false if its lease had passed to another worker. */
  reschedule(row: Row, plan: Plan): Promise<boolean>;
  /**
   * Commits an outcome; false if the row had moved on, the lease had passed to another worker, or the operator's
   * transaction is booked for something else.
   * @param account ours at the operator; null: simulated
   */
  finish(row: Row, outcome: Outcome, account: string | null, leaseMs?: number): Promise<boolean>;
  /** The case for a person if the operator's transaction is booked for something else; undefined: it is not. */
  findClash(row: Row, answer: Success, account: string | null): Promise<Finding | undefined>;
  /** Whether a reported success that could not be booked still waits for a person. */
  isToldSuccess(row: Row): Promise<boolean>;
  /** Reports that the operator says both that it failed and that it succeeded. */
  contradiction(row: Row, failure: Failure): Finding;
  /** The outcome of a request that the operator never had. */
  notReceived: Outcome;
  onNotReceived: (row: Row) => void;
  requestReview: (row: Row, finding: Finding) => Promise<void>;
  /** Reports that the watch ended without an outcome. */
  unclear(row: Row): Finding;
  /** @param transactions the operator's: the debit that goes back, and its return if known */
  closeAnswered: (row: Row, given: { nowMs: number; transactions: string[] }) => Promise<void>;
}

export interface ReturnProcessor<Row> {
  /** Processes a due row: sends it, or queries it. Its `dueAtMs` is the lease under which it was claimed. */
  process(row: Row, origin: Origin): Promise<void>;
  /** Queries the operator about it now; false if a query is already under way. */
  hint(tenantId: string, reference: string): Promise<boolean>;
  /** Applies an authentic notification of the operator. Repeated or reordered, it changes nothing the second time. */
  notify(notification: OperatorNotification): Promise<void>;
}

/** Queries, then sends, and books the operator's answer: the same for refunds and reversals. */
export class QueryThenSend<Row extends MoneyReturn, Outcome, Finding>
  implements ReturnProcessor<Row>
{
  #dependencies: QueryThenSendDependencies<Row, Outcome, Finding>;
  #query: QueryDependencies<Row>;

  constructor(dependencies: QueryThenSendDependencies<Row, Outcome, Finding>) {
    this.#dependencies = dependencies;
    const ask: QueryDependencies<Row>['ask'] = (operator, row) =>
      operator.queryReversal(requestOf(dependencies, row));
    this.#query = { ...dependencies, ask };
  }

  async process(row: Row, origin: Origin): Promise<void> {
    // The database may call a row unsent that was sent before a restore, so it is queried first.
    const isNew = row.sentAtMs === null && origin === 'MEMORY';
    if (isNew) return this.#send(row);
    const held = await holdForQuery(this.#query, row);
    if (held) await this.#recordUnderLease(held, await queryUnderLease(this.#query, held));
  }

  async hint(tenantId: string, reference: string): Promise<boolean> {
    const taken = await takeForQuery(this.#query, tenantId, reference);
    if (!taken) return false;
    const answer = await queryUnderLease(this.#query, taken.row);
    // A claim reverts the count of queries, and a person may have been asked about a request sent only just now.
    const queryCount = Math.max(taken.row.queryCount, 1);
    await this.#recordUnderLease({ ...taken.row, queryCount }, answer);
    return true;
  }

  /** Intent before effect: PROCESSING, and since when, is committed before the operator hears of it. */
  async #send(row: Row): Promise<void> {
    const { clock, timing, begin } = this.#dependencies;
    const operator = this.#dependencies.operatorFor(row);
    // All data is looked up before the commit: between the commit and the request there is no time.
    await operator.traits(row);
    const request = { ...requestOf(this.#dependencies, row), repeated: row.sentAtMs !== null };
    const sent = await sendUnderLease<Row, OperatorAnswer>({
      clock,
      lengthMs: timing.operatorTimeoutMs,
      renew: (sentAtMs, leaseMs) =>
        begin(row, { dueAtMs: Math.max(leaseOf(row), leaseMs), sentAtMs }),
      send: () => operator.reverse(request),
    });
    if (sent.kind === 'LOST') return;
    const dueAtMs = clock.nowMs() + timing.firstBackoffMs;
    if (sent.kind === 'LATE' || isNotSent(sent.result)) {
      return this.#letGo(sent.row, dueAtMs, row.sentAtMs);
    }
    if (sent.result.kind === 'unknown' && !sent.result.reported)
      return this.#letGo(sent.row, dueAtMs);
    await this.#recordUnderLease(sent.row, sent.result);
  }

  /** For a row that is held with its `dueAtMs` as the lease. */
  async #recordUnderLease(row: Row, answer: OperatorAnswer): Promise<void> {
    if (isOfDebitItself(row, answer)) {
      await this.#isClash(row, answer);
      return this.#recordUnderLease(row, pending);
    }
    const { outcome, next } = await this.#decide(row, answer);
    if (next) return this.#proceed(row, next);
    if (!outcome) return this.#letGo(row, null);
    const isDone = await this.#finish(row, outcome, answer, leaseOf(row));
    if (isDone || answer.kind !== 'succeeded') return;
    if (await this.#isClash(row, answer)) return this.#recordUnderLease(row, pending);
    // Under a lost lease only a success is worth keeping: it is a fact, whichever process learned it.
    await this.notify({ tenantId: row.tenantId, reference: row.id, answer });
  }

  /** Its transaction returned something else: the row is not booked, stays open, and a person is reported. */
  async #isClash(row: Row, answer: OperatorAnswer): Promise<boolean> {
    if (answer.kind !== 'succeeded') return false;
    const { account } = await this.#dependencies.operatorFor(row).traits(row);
    const clash = await this.#dependencies.findClash(row, answer, account);
    if (clash !== undefined) await this.#dependencies.requestReview(row, clash);
    return clash !== undefined;
  }

  /** The outcome is unknown: the request is sent, waited for, or given up. */
  async #proceed(row: Row, next: NextStep): Promise<void> {
    const { database, clock, begin, wake, notReceived, onNotReceived } = this.#dependencies;
    switch (next.kind) {
      case 'SEND':
        return this.#send(row);
      case 'WAIT':
        return this.#letGo(row, next.dueAtMs);
      case 'TAKEN': {
        const { dueAtMs } = next;
        if (await begin(row, { dueAtMs, sentAtMs: clock.nowMs() })) wake(dueAtMs);
        return;
      }
      case 'NOT_RECEIVED':
        // A request with a callback has reached the operator, although the operator does not find it.
        if (await isCalledBack(database, row)) return this.#proceed(row, { kind: 'UNCLEAR' });
        if (await this.#finish(row, notReceived, pending, leaseOf(row))) onNotReceived(row);
        return;
      case 'UNCLEAR':
        await this.#dependencies.requestReview(row, this.#dependencies.unclear(row));
        return this.#letGo(row, null);
    }
  }

  async #letGo(row: Row, dueAtMs: number | null, sentAtMs = row.sentAtMs) {
    const isMine = await this.#dependencies.reschedule(row, { dueAtMs, sentAtMs });
    if (isMine && dueAtMs !== null) this.#dependencies.wake(dueAtMs);
  }

  /** The meaning of the answer; a case for a person is written before the row is released. */
  async #decide(row: Row, answer: OperatorAnswer) {
    const traits = await this.#dependencies.operatorFor(row).traits(row);
    const { clock, timing, requestReview } = this.#dependencies;
    const decide = (meant: OperatorAnswer) =>
      this.#dependencies.decide(row, meant, clock.nowMs(), timing, traits);
    const first = decide(answer);
    const isHeld = isGivenUp(row, answer, first) && (await this.#dependencies.isToldSuccess(row));
    const decision = isHeld ? { ...decide(pending), ...this.#contradiction(row, answer) } : first;
    if (decision.review !== undefined) await requestReview(row, decision.review);
    return decision;
  }

  #contradiction(row: Row, answer: OperatorAnswer): { review?: Finding } {
    return answer.kind === 'failed'
      ? { review: this.#dependencies.contradiction(row, answer) }
      : {};
  }

  async #finish(
    row: Row,
    outcome: Outcome,
    answer: OperatorAnswer,
    leaseMs?: number,
  ): Promise<boolean> {
    const { clock, timing, closeAnswered } = this.#dependencies;
    const { account } = await this.#dependencies.operatorFor(row).traits(row);
    const isDone = await this.#dependencies.finish(row, outcome, account, leaseMs);
    const nowMs = clock.nowMs();
    // A person can only have been asked about a row that was released without an outcome.
    const mayBeListed = row.queryCount > 0 || watchIsOver(row, nowMs, timing);
    const returned = answer.kind === 'succeeded' ? [answer.operatorTxId] : [];
    const transactions = [row.operatorTxId, ...returned];
    if (isDone && mayBeListed) await closeAnswered(row, { nowMs, transactions });
    return isDone;
  }

  /** The operator's own answer, received by any process under any lease. */
  async notify({ tenantId, reference, answer }: OperatorNotification): Promise<void> {
    if (answer.kind === 'unknown') return;
    const what = `a ${this.#dependencies.kind.toLowerCase()} changed under every try to record a notification`;
    await untilUnchanged(what, async () => {
      const row = await this.#dependencies.find(tenantId, reference);
      if (!row) return true;
      if (isOfDebitItself(row, answer)) return this.#isClash(row, answer);
      const { outcome } = await this.#decide(row, answer);
      if (outcome === undefined || (await this.#finish(row, outcome, answer))) return true;
      return (await this.#isClash(row, answer)) || undefined;
    });
  }
}

/** The debit is not a transaction that returned it. */
const isOfDebitItself = (row: MoneyReturn, answer: OperatorAnswer): boolean =>
  answer.kind === 'succeeded' && isSameName(answer.operatorTxId, row.operatorTxId);

/**
 * The row would end as failed, or be sent again. If the operator has reported a success before, the customer may have
 * the money: the merchant would refund it a second time.
 */
function isGivenUp<Outcome, Finding>(
  { sentAtMs }: MoneyReturn,
  answer: OperatorAnswer,
  { outcome, next }: Decision<Outcome, Finding>,
): boolean {
  if (answer.kind === 'failed') return outcome !== undefined;
  return next?.kind === 'NOT_RECEIVED' || (next?.kind === 'SEND' && sentAtMs !== null);
}

const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };

const requestOf = <Row extends MoneyReturn>(
  { kind, phoneOf }: Pick<QueryThenSendDependencies<Row, unknown, unknown>, 'kind' | 'phoneOf'>,
  row: Row,
): ReversalRequest => ({
  kind,
  tenantId: row.tenantId,
  reference: row.id,
  operator: row.operator,
  operatorTxId: row.operatorTxId,
  amountMinor: row.amountMinor,
  currency: row.currency,
  repeated: false,
  phoneOf: () => phoneOf(row),
});
