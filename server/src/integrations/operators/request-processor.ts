import { untilUnchanged } from '../../platform/jobs/retry-on-conflict.ts';
import { sendUnderLease } from '../../platform/jobs/send-under-lease.ts';
import type { Origin } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Operator, OperatorAnswer, OperatorName, OperatorNotification } from './operator.ts';
import {
  leaseForQuery,
  leaseMarginMs,
  type NextStep,
  type QueryTiming,
  requestLengthMs,
} from './query-schedule.ts';
import type { ClaimedRow, Taking } from './row-leases.ts';

/** A row with a request to an operator: a payment, refund, reversal or disbursement. */
export interface RequestRow {
  tenantId: string;
  id: string;
  operator: OperatorName;
  /** When it is due to be processed; while it is processed, the end of the lease. */
  dueAtMs: number | null;
  /** Since when a request may have left; null if none can have. */
  sentAtMs: number | null;
}

/** When a row needs attention next (null: never), and since when a request for it may have left. */
export type Plan = Pick<RequestRow, 'dueAtMs' | 'sentAtMs'>;
/** The same of a request that is about to leave. */
export type SendingPlan = { dueAtMs: number; sentAtMs: number };
export type Success = OperatorAnswer & { kind: 'succeeded' };
type Unknown = OperatorAnswer & { kind: 'unknown' };

/** What to do while there is no outcome; `dueAtMs` null: nothing. */
type Next =
  | Exclude<NextStep, { kind: 'WAIT' | 'UNCLEAR' }>
  | { kind: 'WAIT'; dueAtMs: number | null };

/** The meaning of an operator's answer: an outcome, or what to do while there is none. */
export type Meaning<Row, Outcome> =
  /** The row as it is now. */
  { row: Row } & ({ outcome: Outcome; next?: undefined } | { outcome?: undefined; next: Next });

/** A request whose data has been looked up. */
export interface PreparedRequest<Row> {
  /** Commits that the request is about to be sent; undefined if the row has passed to another worker. */
  begin(plan: SendingPlan): Promise<Row | undefined>;
  send(): Promise<OperatorAnswer>;
}

/**
 * How one kind of request differs from the others: its statements, and the meaning of answers. A `leaseMs` is the lease
 * under which the row is held; a statement that has lost the lease writes nothing.
 */
export interface RequestKind<Row extends RequestRow, Outcome> {
  /** For errors: `payment`. */
  name: string;
  /** Whether a customer confirms the request: then it is news that the operator has prompted them. */
  isConfirmed: boolean;
  clock: Clock;
  timing: QueryTiming;
  /** For how many milliseconds our connections have gone to the present primary; without it, for ever. */
  primaryAgeMs?: (() => number) | undefined;
  operatorFor: (row: Row) => Operator;
  /** The reference of a row at the operator; without it, the row's id. */
  referenceOf?: (row: Row) => string;
  /** By the reference. */
  find: (tenantId: string, reference: string) => Promise<Row | undefined>;
  /** Claims a row, by its reference, to query it now, due or not; undefined if a query about it is under way. */
  take: (taking: Taking) => Promise<ClaimedRow<Row> | undefined>;
  /** A row as it counts after a hint. */
  hinted?: (row: Row) => Row;
  /** Extends the lease under which a row is held; false if the lease had passed to another worker. */
  renew: (row: Row, leaseMs: number) => Promise<boolean>;
  /** The query itself, by our reference. */
  ask: (operator: Operator, row: Row) => Promise<OperatorAnswer>;
  /** Whether an unsent row needs neither a query nor a request now: it waits, or has just ended. */
  isAtRest?: (row: Row, origin: Origin) => Promise<boolean>;
  /** Looks up the data of a request; undefined if it must not be sent, and the row has ended. */
  prepare: (row: Row, leaseMs: number) => Promise<PreparedRequest<Row> | undefined>;
  /** Commits that the operator has a request that our records call unsent; undefined if the lease was lost. */
  begin: (row: Row, leaseMs: number, plan: SendingPlan) => Promise<Row | undefined>;
  /** Releases the row for this time; false if its lease had passed to another worker. */
  release: (row: Row, leaseMs: number, dueAtMs: number | null) => Promise<boolean>;
  /** Releases a row whose request certainly never left, and was `unsent` before. */
  unsend: (row: Row, unsent: Row) => Promise<void>;
  /** Releases a row whose request has left without an answer; without it, the lease sets the time of the first query. */
  releaseSent?: (row: Row) => Promise<void>;
  /**
   * Cases for a person are written before this returns; undefined if the row has moved on.
   * @param leaseMs without a lease, only an outcome counts
   */
  interpret: (
    row: Row,
    answer: OperatorAnswer,
    leaseMs?: number,
  ) => Promise<Meaning<Row, Outcome> | undefined>;
  /**
   * Commits an outcome; false if the row had moved on, the lease had passed to another worker, or the operator's
   * transaction is booked for something else.
   */
  finish: (
    row: Row,
    outcome: Outcome,
    answer: OperatorAnswer,
    leaseMs?: number,
  ) => Promise<boolean>;
  /**
   * Lists a success for a person if the operator's transaction is booked for something else, and returns the row as
   * it is now, or null if it has moved on; undefined if the transaction is not booked.
   */
  findClash: (row: Row, answer: Success, outcome: Outcome) => Promise<Row | null | undefined>;
  /** The operator never had the request: a row without an outcome was released for ever. */
  onNotReceived: (row: Row) => void;
  /** Wakes the worker when rows are due; without it, the worker looks for itself. */
  wake?: (atMs: number) => void;
}

export interface Processor<Row> {
  /** Processes a due row: sends it, or queries it. Its `dueAtMs` is the lease under which it was claimed. */
  process(row: Row, origin: Origin): Promise<void>;
  /**
   * Queries the operator about the row now, because somebody hinted that there is news.
   * @returns the operator's answer; undefined if a query is already under way, or there is no such row
   */
  hint(tenantId: string, reference: string): Promise<OperatorAnswer | undefined>;
  /** Applies an authentic notification of the operator. Repeated or reordered, it changes nothing the second time. */
  notify(notification: OperatorNotification): Promise<void>;
}

/** The outcome is unknown. */
export const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };

/** Queries, then sends, and books the operator's answer: the same for all requests (decision 0041). */
export class RequestProcessor<Row extends RequestRow, Outcome> implements Processor<Row> {
  #kind: RequestKind<Row, Outcome>;

  constructor(kind: RequestKind<Row, Outcome>) {
    this.#kind = kind;
  }

  async process(row: Row, origin: Origin): Promise<void> {
    const isUnsent = row.sentAtMs === null;
    // The database may call a row unsent that was sent before a restore, so it is queried first.
    const isNew = isUnsent && origin === 'MEMORY';
    const held = isNew ? row : await this.#holdForQuery(row);
    if (!held || (isUnsent && (await this.#kind.isAtRest?.(held, origin)))) return;
    const leaseMs = leaseOf(held);
    if (isNew) await this.#send(held, leaseMs);
    else await this.record(held, await this.query(held), leaseMs);
  }

  async hint(tenantId: string, reference: string): Promise<OperatorAnswer | undefined> {
    const { clock, timing, take, hinted } = this.#kind;
    const nowMs = clock.nowMs();
    const leaseMs = nowMs + timing.operatorTimeoutMs + leaseMarginMs;
    const underWaySinceMs = nowMs - requestLengthMs(timing);
    const taken = await take({ tenantId, id: reference, nowMs, leaseMs, underWaySinceMs });
    if (!taken) return undefined;
    const { row, leaseMs: takenLeaseMs } = taken;
    const answer = await this.query(row);
    await this.record(hinted ? hinted(row) : row, answer, takenLeaseMs);
    return answer;
  }

  async notify({ tenantId, reference, answer }: OperatorNotification): Promise<void> {
    const { name, find, isConfirmed } = this.#kind;
    if (answer.kind === 'unknown' && !isConfirmed) return;
    await untilUnchanged(`a ${name} changed under every try to record a notification`, async () => {
      const row = await find(tenantId, reference);
      return !row || (await this.record(row, answer)) || undefined;
    });
  }

  async query(row: Row): Promise<OperatorAnswer> {
    const operator = this.#kind.operatorFor(row);
    const isUnsent = row.sentAtMs === null;
    // If the operator cannot be queried, we only have the state in the database.
    if (isUnsent && !(await operator.traits(row)).answersQueries) {
      return { kind: 'unknown', progress: 'NOT_FOUND' };
    }
    return this.#kind.ask(operator, row);
  }

  /**
   * Applies an answer of the operator. Returns false if the row had moved on, so that the caller must look at the
   * answer again.
   * @param leaseMs without a lease, only an outcome counts
   */
  async record(row: Row, answer: OperatorAnswer, leaseMs?: number): Promise<boolean> {
    const meaning = await this.#kind.interpret(row, answer, leaseMs);
    if (!meaning) return false;
    const { row: current, outcome, next } = meaning;
    if (
      leaseMs !== undefined &&
      isUnknown(answer, 'NOT_FOUND') &&
      (await this.#waitForLostRequests(current, next, leaseMs))
    )
      return true;
    if (!next) return this.#finish(current, outcome, answer, leaseMs);
    if (leaseMs !== undefined) await this.#proceed(current, next, leaseMs);
    return true;
  }

  /** A query must end within the lease, of which a wait in the queue may have left little. */
  async #holdForQuery(row: Row): Promise<Row | undefined> {
    const { clock, timing, renew } = this.#kind;
    const leaseMs = leaseForQuery(clock, leaseOf(row), timing);
    if (leaseMs === row.dueAtMs) return row;
    return (await renew(row, leaseMs)) ? { ...row, dueAtMs: leaseMs } : undefined;
  }

  /** Intent before effect: that it is sent, and since when, is committed before the operator hears of it. */
  async #send(row: Row, leaseMs: number): Promise<void> {
    const { clock, timing, prepare, unsend, releaseSent, isConfirmed } = this.#kind;
    // All data is looked up before the commit: between the commit and the request there is no time.
    const request = await prepare(row, leaseMs);
    if (!request) return;
    const sent = await sendUnderLease<Row, OperatorAnswer>({
      clock,
      lengthMs: timing.operatorTimeoutMs,
      renew: (sentAtMs, untilMs) =>
        request.begin({ dueAtMs: Math.max(leaseMs, untilMs), sentAtMs }),
      send: () => request.send(),
    });
    if (sent.kind === 'LOST') return;
    // NOT_SENT: the connection was certainly never made, so no request of ours can have arrived.
    if (sent.kind === 'LATE' || isUnknown(sent.result, 'NOT_SENT')) return unsend(sent.row, row);
    const { row: sentRow, result } = sent;
    const isNews =
      result.kind !== 'unknown' ||
      result.reported ||
      (isConfirmed && isUnknown(result, 'PROMPTED'));
    if (!isNews) await releaseSent?.(sentRow);
    else await this.record(sentRow, result, leaseOf(sentRow));
  }

  /** The outcome is unknown: the request is sent, waited for, or given up. */
  async #proceed(row: Row, next: Next, leaseMs: number): Promise<void> {
    const { clock, begin, release, onNotReceived, wake } = this.#kind;
    switch (next.kind) {
      case 'SEND':
        return this.#send(row, leaseMs);
      case 'TAKEN': {
        const { dueAtMs } = next;
        if (await begin(row, leaseMs, { dueAtMs, sentAtMs: clock.nowMs() })) wake?.(dueAtMs);
        return;
      }
      case 'WAIT':
        if (await release(row, leaseMs, next.dueAtMs)) {
          if (next.dueAtMs !== null) wake?.(next.dueAtMs);
        }
        return;
      case 'NOT_RECEIVED':
        if (await release(row, leaseMs, null)) onNotReceived(row);
    }
  }

  /**
   * A standby that replicates asynchronously lacks the latest requests when it is promoted. Until they must have arrived,
   * the gateway neither ends a row unknown to the operator, nor sends it unless the operator deduplicates.
   */
  async #waitForLostRequests(row: Row, next: Next | undefined, leaseMs: number): Promise<boolean> {
    const { primaryAgeMs, timing, operatorFor, clock } = this.#kind;
    const waitMs = requestLengthMs(timing) - (primaryAgeMs?.() ?? Number.POSITIVE_INFINITY);
    if (waitMs <= 0 || row.sentAtMs !== null || (next && next.kind !== 'SEND')) return false;
    if (next && (await operatorFor(row).traits(row)).deduplicates) return false;
    await this.#proceed(row, { kind: 'WAIT', dueAtMs: clock.nowMs() + waitMs }, leaseMs);
    return true;
  }

  async #finish(
    row: Row,
    outcome: Outcome,
    answer: OperatorAnswer,
    leaseMs?: number,
  ): Promise<boolean> {
    const { finish, findClash, referenceOf } = this.#kind;
    if (await finish(row, outcome, answer, leaseMs)) return true;
    const { tenantId, id } = row;
    const reference = referenceOf?.(row) ?? id;
    if (answer.kind !== 'succeeded') return leaseMs !== undefined;
    const clashing = await findClash(row, answer, outcome);
    if (clashing === undefined && leaseMs === undefined) return false;
    // Under a lost lease only a success is worth keeping: it is a fact, whichever process learned it.
    if (clashing === undefined) await this.notify({ tenantId, reference, answer });
    // Its transaction is of something else: the row is not booked, and stays open.
    else if (clashing === null || leaseMs === undefined) return clashing !== null;
    else return this.record(clashing, pending, leaseMs);
    return true;
  }
}

/** A row in process always has a lease. */
export function leaseOf({ id, dueAtMs }: RequestRow): number {
  if (dueAtMs === null) throw new Error(`${id} is processed without a lease`);
  return dueAtMs;
}

const isUnknown = (answer: OperatorAnswer, progress: Unknown['progress']): boolean =>
  answer.kind === 'unknown' && answer.progress === progress;
