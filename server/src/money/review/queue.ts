import type { OperatorName } from '../../integrations/operators/operator.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { undecidedDisbursement } from '../ledger/check-queries.ts';
import { findWaitingOf, rowIdOf, type Waiting, type WaitingKind } from './open-cases.ts';
import { isUnanswered } from './subjects.ts';

/** The filter of cases that wait for a person. */
export interface Queue {
  mode: 'live' | 'test';
  kind?: WaitingKind | undefined;
  operator?: OperatorName | undefined;
  /** Payments that were sent before this instant, and of which the operator has said nothing definite. */
  sentBeforeMs: number;
}

/** Where a page starts: after this case. */
export interface QueuePosition {
  sinceMs: number;
  id: string;
}

type Source = 'ITEM' | 'PAYMENT' | 'REVERSAL' | 'DISBURSEMENT';

/** The rows `x` of each kind of case, and their condition. */
const kinds: Record<WaitingKind, { source: Source; where: string }> = {
  UNCLEAR: { source: 'ITEM', where: `x.kind = 'UNCLEAR'` },
  CLASH: { source: 'ITEM', where: `x.kind = 'CLASH'` },
  CONTRADICTION: { source: 'ITEM', where: `x.kind = 'CONTRADICTION'` },
  MISMATCH: { source: 'ITEM', where: `x.kind = 'MISMATCH'` },
  UNKNOWN_REFERENCE: { source: 'ITEM', where: `x.kind = 'UNKNOWN_REFERENCE'` },
  UNANSWERED: { source: 'PAYMENT', where: 'true' },
  HELD: { source: 'REVERSAL', where: `x.status = 'HELD'` },
  REFUSED: { source: 'REVERSAL', where: `x.status = 'FAILED'` },
  LATE: { source: 'DISBURSEMENT', where: 'true' },
};

export const waitingKinds = Object.keys(kinds) as WaitingKind[];

/** A held debit of an unknown reference is listed by the reference, not by its own id. */
const ofReference = `i.kind = 'UNKNOWN_REFERENCE' AND i.subject_kind = 'PAYMENT'`;
const openItem =
  'SELECT FROM review_items i WHERE i.tenant_id = x.tenant_id AND i.closed_at IS NULL';

/** A row with a review item is not listed a second time. */
const isUnlisted = `NOT EXISTS (${openItem} AND i.subject_id = x.id AND NOT (${ofReference}))`;
const isUnlistedReversal = `${isUnlisted} AND NOT EXISTS (
  ${openItem} AND i.subject_id = x.payment_id AND ${ofReference}
    AND i.detail -> 'told' ->> 'operatorTxId' = x.operator_tx_id)`;

/** The column that says since when rows wait, and the condition of waiting. */
const sources: Record<Source, { table: string; since: string; where: string }> = {
  ITEM: { table: 'review_items', since: 'created_at', where: 'x.closed_at IS NULL' },
  PAYMENT: { table: 'payments', since: 'sent_at', where: `${isUnanswered} AND ${isUnlisted}` },
  REVERSAL: {
    table: 'reversals',
    since: 'created_at',
    // The first condition is that of the index.
    where: `x.status <> 'SUCCEEDED' AND (x.status = 'HELD' OR x.status = 'FAILED' AND NOT x.by_hand)
  AND ${isUnlistedReversal}`,
  },
  DISBURSEMENT: {
    table: 'disbursements',
    since: 'created_at',
    where: `${undecidedDisbursement} AND ${isUnlisted}`,
  },
};

/**
 * A page of the cases of `listOpenCases`, oldest first, reading no further than a page of each source. Returns one row
 * more than the limit if there are more.
 */
export async function waitingPage(
  database: Queryable,
  { kind, mode, operator, sentBeforeMs }: Queue,
  { limit, after }: { limit: number; after: QueuePosition | undefined },
): Promise<Waiting[]> {
  const those = kind === undefined ? (Object.keys(sources) as Source[]) : [kinds[kind].source];
  const narrower = kind === undefined ? 'true' : kinds[kind].where;
  const most = `LIMIT ${limit + 1}`;
  const selects = those.map(
    (source) => `(${selectFrom(source)} AND ${narrower}
ORDER BY since, id ${most})`,
  );
  // Parameters that a part does not use are passed all the same.
  const text = `
WITH asked AS (SELECT $1::timestamptz AS sent_before)
SELECT * FROM (${selects.join('\nUNION ALL\n')}) AS found
ORDER BY since, id ${most}`;
  const { sinceMs, id } = after ?? start;
  const times = [timestamp(sentBeforeMs), timestamp(sinceMs)];
  const values = [...times, id, mode, operator ?? null];
  const found = await database.query<{ tenantId: string; id: string }>({ text }, values);
  const order = new Map(found.map((row, index) => [row.id, index]));
  const placeOf = (one: Waiting) => order.get(rowIdOf(one)) ?? 0;
  const waiting = await findWaitingOf(database, found);
  return waiting.sort((one, other) => placeOf(one) - placeOf(other));
}

/** The sort position among the pages of several databases. */
export const placeInQueue = (one: Waiting): [number, string] => [one.sinceMs, rowIdOf(one)];

const start: QueuePosition = { sinceMs: 0, id: '00000000-0000-0000-0000-000000000000' };

function selectFrom(source: Source): string {
  const { table, since, where } = sources[source];
  return `
SELECT x.tenant_id AS "tenantId", x.id, x.${since} AS since FROM ${table} x
WHERE ${where} AND (x.${since}, x.id) > ($2::timestamptz, $3::uuid)
  AND ($5::text IS NULL OR x.operator = $5)
  AND EXISTS (SELECT FROM tenants t WHERE t.id = x.tenant_id AND t.mode = $4)`;
}
