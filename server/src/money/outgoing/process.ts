import { isCalledBack } from '../../integrations/operators/has-callback.ts';
import type {
  Operator,
  OperatorAnswer,
  ReversalRequest,
} from '../../integrations/operators/operator.ts';
import {
  type NextStep,
  type QueryTiming,
  watchIsOver,
} from '../../integrations/operators/query-schedule.ts';
import {
  type Meaning,
  type Plan,
  type Processor,
  pending,
  type RequestKind,
  RequestProcessor,
  type RequestRow,
  type SendingPlan,
  type Success,
} from '../../integrations/operators/request-processor.ts';
import { isSameName } from '../../integrations/operators/transaction-ids.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { findPayment } from '../payments/store.ts';
import { clashOf } from '../review/clash.ts';
import { type HasOpenItem, makeHasOpenItem } from '../review/has-open-item.ts';
import type { RequestReview } from '../review/request-review.ts';
import type { Finding } from '../review/review-item.ts';
import { closeAnswered, findReportedSuccess } from '../review/store.ts';

/** A refund, reversal or disbursement: an amount on its way to a wallet. */
export interface OutgoingRow extends RequestRow {
  amountMinor: bigint;
  currency: string;
  /** How often it was released without an outcome. */
  queryCount: number;
}

/** A refund or a reversal: an amount on its way back to the customer. Its id is the reference at the operator. */
export interface ReturnRow extends OutgoingRow {
  paymentId: string;
  /** The operator's transaction id of the debit that is returned. */
  operatorTxId: string;
}

/** The meaning of an operator's answer; without any of these, nothing is left to do. */
export interface Decision<Outcome> {
  outcome?: Outcome;
  /** What to do while the outcome is unknown. */
  next?: NextStep;
  /** A case for a person. */
  review?: Finding;
}

type Failure = OperatorAnswer & { kind: 'failed' };

export interface OutgoingDependencies<Row> {
  database: Database;
  clock: Clock;
  timing: QueryTiming;
  operatorFor: (row: Row) => Operator;
  wake: (atMs: number) => void;
  requestReview: RequestReview;
  /** The operator never had the request, although we queried it until the end of the watch. */
  onNotReceived: (row: Row) => void;
}

/** How one kind differs from the others: its statements, its decisions, and what its cases for a person say. */
export interface OutgoingKind<Row extends OutgoingRow, Outcome>
  extends Pick<
    RequestKind<Row, Outcome>,
    'find' | 'take' | 'renew' | 'ask' | 'referenceOf' | 'isAtRest'
  > {
  kind: 'REFUND' | 'REVERSAL' | 'DISBURSEMENT';
  /** The request itself; `repeated`: it may have been sent before. */
  send: (operator: Operator, row: Row, repeated: boolean) => Promise<OperatorAnswer>;
  /** The debit that it returns; a disbursement returns none. */
  debitOf?: (row: Row) => Pick<ReturnRow, 'paymentId' | 'operatorTxId'>;
  /** Whether an unsent row may be sent now; otherwise the row was released. */
  maySend?: (row: Row) => Promise<boolean>;
  /** Pure. */
  decide: (
    row: Row,
    answer: OperatorAnswer,
    nowMs: number,
    timing: QueryTiming,
    traits: { deduplicates: boolean; answersQueries: boolean },
  ) => Decision<Outcome>;
  /** Commits PROCESSING under the lease of the row; undefined if the lease had passed to another worker. */
  begin: (row: Row, plan: SendingPlan) => Promise<Row | undefined>;
  /** Releases the row; false if its lease had passed to another worker. */
  reschedule: (row: Row, plan: Plan) => Promise<boolean>;
  /**
   * Commits an outcome; false if the row had moved on, the lease had passed to another worker, or the operator's
   * transaction is booked for something else.
   * @param account ours at the operator; null: simulated
   */
  finish: (
    row: Row,
    outcome: Outcome,
    account: string | null,
    leaseMs?: number,
  ) => Promise<boolean>;
  /** Reports that the operator says both that it failed and that it succeeded. */
  contradiction: (row: Row, failure: Failure) => Finding;
  /** The outcome of a request that the operator never had. */
  notReceived: Outcome;
  /** What a case says of a row whose watch ended without an outcome. */
  unclear: (row: Row) => Record<string, unknown>;
}

/** Processes refunds, reversals or disbursements: queries, then sends, and books the operator's answer. */
export function createOutgoingProcessor<Row extends OutgoingRow, Outcome>(
  dependencies: OutgoingDependencies<Row>,
  kind: OutgoingKind<Row, Outcome>,
): Processor<Row> {
  const { database, clock, timing, operatorFor, wake } = dependencies;
  const hasOpenItem = makeHasOpenItem(database);
  const release = async (row: Row, dueAtMs: number | null, sentAtMs = row.sentAtMs) => {
    const isMine = await kind.reschedule(row, { dueAtMs, sentAtMs });
    if (isMine && dueAtMs !== null) wake(dueAtMs);
  };
  const releaseSent = (row: Row, sentAtMs = row.sentAtMs) =>
    release(row, clock.nowMs() + timing.firstBackoffMs, sentAtMs);
  return new RequestProcessor<Row, Outcome>({
    ...dependencies,
    ...kind,
    primaryAgeMs: database.primaryAgeMs,
    name: kind.kind.toLowerCase(),
    isConfirmed: false,
    // A claim reverts the count of queries, and a person may have been asked about a request sent only just now.
    hinted: (row) => ({ ...row, queryCount: Math.max(row.queryCount, 1) }),
    async prepare(row) {
      const operator = operatorFor(row);
      await operator.traits(row);
      if (kind.maySend && !(await kind.maySend(row))) return undefined;
      const repeated = row.sentAtMs !== null;
      return {
        begin: (plan) => kind.begin(row, plan),
        send: () => kind.send(operator, row, repeated),
      };
    },
    begin: (row, _leaseMs, plan) => kind.begin(row, plan),
    release: (row, _leaseMs, dueAtMs) => kind.reschedule(row, { dueAtMs, sentAtMs: row.sentAtMs }),
    unsend: (row, { sentAtMs }) => releaseSent(row, sentAtMs),
    releaseSent: (row) => releaseSent(row),
    interpret: (...interpreting) => interpret(dependencies, kind, ...interpreting),
    finish: (...finishing) => finish({ ...dependencies, hasOpenItem }, kind, ...finishing),
    findClash: async (row, answer) =>
      (await isClash(dependencies, kind, row, answer)) ? row : undefined,
  });
}

/** What refunds and reversals share: they return a debit. */
export const returnsOf = <Row extends ReturnRow>(
  database: Database,
  kind: ReversalRequest['kind'],
) => ({
  kind,
  debitOf: (row: Row) => row,
  ask: (operator: Operator, row: Row) => operator.queryReversal(requestOf(database, kind, row)),
  send: (operator: Operator, row: Row, repeated: boolean) =>
    operator.reverse({ ...requestOf(database, kind, row), repeated }),
});

const requestOf = (
  database: Database,
  kind: ReversalRequest['kind'],
  { tenantId, id: reference, operator, operatorTxId, amountMinor, currency, paymentId }: ReturnRow,
) => ({
  kind,
  tenantId,
  reference,
  operator,
  operatorTxId,
  amountMinor,
  currency,
  repeated: false,
  // The phone that was debited; undefined if our records lack the payment.
  phoneOf: async () => (await findPayment(database, tenantId, paymentId))?.operatorPhone,
});

/** The meaning of the answer; a case for a person is written before the row is released. */
async function interpret<Row extends OutgoingRow, Outcome>(
  dependencies: OutgoingDependencies<Row>,
  kind: OutgoingKind<Row, Outcome>,
  row: Row,
  answer: OperatorAnswer,
  leaseMs?: number,
): Promise<Meaning<Row, Outcome>> {
  const { database, clock, timing, operatorFor, requestReview } = dependencies;
  // The debit is not a transaction that returned it.
  const debitTxId = kind.debitOf?.(row).operatorTxId ?? null;
  if (answer.kind === 'succeeded' && isSameName(answer.operatorTxId, debitTxId)) {
    await isClash(dependencies, kind, row, answer);
    return interpret(dependencies, kind, row, pending, leaseMs);
  }
  const traits = await operatorFor(row).traits(row);
  const decide = (meant: OperatorAnswer) => kind.decide(row, meant, clock.nowMs(), timing, traits);
  const first = decide(answer);
  const isHeld = isGivenUp(row, answer, first) && (await isToldSuccess(database, row));
  const review = answer.kind === 'failed' ? { review: kind.contradiction(row, answer) } : {};
  const decision = isHeld ? { ...decide(pending), ...review } : first;
  if (decision.review) await requestReview(kind.kind, row, decision.review);
  const { outcome, next } = decision;
  if (outcome !== undefined) return { row, outcome };
  if (!next || leaseMs === undefined) return { row, next: { kind: 'WAIT', dueAtMs: null } };
  if (next.kind === 'UNCLEAR') return unclear(dependencies, kind, row);
  if (next.kind === 'NOT_RECEIVED') {
    // A request with a callback has reached the operator, although the operator does not find it.
    const reference = kind.referenceOf?.(row) ?? row.id;
    const isReceived = await isCalledBack(database, { ...row, id: reference });
    return isReceived ? unclear(dependencies, kind, row) : { row, outcome: kind.notReceived };
  }
  return { row, next };
}

/**
 * The row would end as failed, or be sent again. If the operator has reported a success before, the customer may have
 * the money: the merchant would refund it a second time.
 */
function isGivenUp<Outcome>(
  { sentAtMs }: OutgoingRow,
  answer: OperatorAnswer,
  { outcome, next }: Decision<Outcome>,
): boolean {
  if (answer.kind === 'failed') return outcome !== undefined;
  return next?.kind === 'NOT_RECEIVED' || (next?.kind === 'SEND' && sentAtMs !== null);
}

/** Whether a reported success that could not be booked still waits for a person. */
const isToldSuccess = async (database: Database, { tenantId, id }: OutgoingRow) =>
  (await findReportedSuccess(database, tenantId, id)) !== undefined;

/** The watch ended without an outcome. */
async function unclear<Row extends OutgoingRow, Outcome>(
  { requestReview }: OutgoingDependencies<Row>,
  kind: OutgoingKind<Row, Outcome>,
  row: Row,
): Promise<Meaning<Row, Outcome>> {
  await requestReview(kind.kind, row, { kind: 'UNCLEAR', about: '', detail: kind.unclear(row) });
  return { row, next: { kind: 'WAIT', dueAtMs: null } };
}

async function finish<Row extends OutgoingRow, Outcome>(
  {
    database,
    clock,
    timing,
    operatorFor,
    onNotReceived,
    hasOpenItem,
  }: OutgoingDependencies<Row> & { hasOpenItem: HasOpenItem },
  kind: OutgoingKind<Row, Outcome>,
  row: Row,
  outcome: Outcome,
  answer: OperatorAnswer,
  leaseMs?: number,
): Promise<boolean> {
  const { account } = await operatorFor(row).traits(row);
  if (!(await kind.finish(row, outcome, account, leaseMs))) return false;
  if (outcome === kind.notReceived && row.sentAtMs !== null) onNotReceived(row);
  const nowMs = clock.nowMs();
  // A person can only have been asked about a row that was released without an outcome.
  const mayBeAsked = row.queryCount > 0 || watchIsOver(row, nowMs, timing);
  if (mayBeAsked && (await hasOpenItem(row))) {
    const debit = kind.debitOf?.(row).operatorTxId;
    const transactions = [debit ?? [], answer.kind === 'succeeded' ? answer.operatorTxId : []];
    await closeAnswered(database, row, { nowMs, transactions: transactions.flat() });
  }
  return true;
}

/** Its transaction returned something else: the row is not booked, stays open, and a person is told. */
async function isClash<Row extends OutgoingRow, Outcome>(
  { database, operatorFor, requestReview }: OutgoingDependencies<Row>,
  { kind, debitOf }: OutgoingKind<Row, Outcome>,
  row: Row,
  answer: Success,
): Promise<boolean> {
  const { account } = await operatorFor(row).traits(row);
  const clash = await clashOf(database, { ...row, debit: debitOf?.(row) }, answer, account);
  if (clash) await requestReview(kind, row, clash);
  return clash !== undefined;
}
