import type { Clock } from '../../platform/process/clock.ts';
import type { ClaimedRow, Taking } from './due-rows.ts';
import type { Operator, OperatorAnswer, OperatorName } from './operator.ts';
import {
  leaseForQuery,
  leaseMarginMs,
  type QueryTiming,
  requestLengthMs,
} from './query-schedule.ts';

/** An object that can be queried at an operator: a payment, refund or reversal. */
export interface QueriedRow {
  tenantId: string;
  id: string;
  operator: OperatorName;
  dueAtMs: number | null;
  sentAtMs: number | null;
}

export interface QueryDependencies<Row extends QueriedRow> {
  clock: Clock;
  timing: Pick<QueryTiming, 'operatorTimeoutMs'>;
  operatorFor(row: Row): Operator;
  /** Claims a row to query it now, due or not; undefined if a query about it is under way. */
  take: (taking: Taking) => Promise<ClaimedRow<Row> | undefined>;
  /** Extends the lease under which a row is held; false if the lease had passed to another worker. */
  renew: (row: Row, leaseMs: number) => Promise<boolean>;
  /** The query itself, by our reference. */
  ask(operator: Operator, row: Row): Promise<OperatorAnswer>;
}

/** A query must end within the lease, of which a wait in the queue may have left little. */
export async function holdForQuery<Row extends QueriedRow>(
  { clock, timing, renew }: QueryDependencies<Row>,
  row: Row,
): Promise<Row | undefined> {
  const leaseMs = leaseForQuery(clock, leaseOf(row), timing);
  if (leaseMs === row.dueAtMs) return row;
  return (await renew(row, leaseMs)) ? { ...row, dueAtMs: leaseMs } : undefined;
}

/** Claims a row because of a hint that there is news. */
export function takeForQuery<Row extends QueriedRow>(
  { clock, timing, take }: QueryDependencies<Row>,
  tenantId: string,
  id: string,
): Promise<ClaimedRow<Row> | undefined> {
  const nowMs = clock.nowMs();
  const leaseMs = nowMs + timing.operatorTimeoutMs + leaseMarginMs;
  return take({ tenantId, id, nowMs, leaseMs, underWaySinceMs: nowMs - requestLengthMs(timing) });
}

export async function queryUnderLease<Row extends QueriedRow>(
  dependencies: QueryDependencies<Row>,
  row: Row,
): Promise<OperatorAnswer> {
  const operator = dependencies.operatorFor(row);
  const isUnsent = row.sentAtMs === null;
  // If the operator cannot be queried, we only have the state in the database.
  if (isUnsent && !(await operator.traits(row)).answersQueries) {
    return { kind: 'unknown', progress: 'NOT_FOUND' };
  }
  return dependencies.ask(operator, row);
}

/** A row in process always has a lease. */
export function leaseOf({ id, dueAtMs }: QueriedRow): number {
  if (dueAtMs === null) throw new Error(`${id} is processed without a lease`);
  return dueAtMs;
}

/** The connection was certainly never made: no request of ours can have arrived. */
export const isNotSent = (answer: OperatorAnswer): boolean =>
  answer.kind === 'unknown' && answer.progress === 'NOT_SENT';
