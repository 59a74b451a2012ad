import type { OperatorName } from '../../integrations/operators/operator.ts';
import { escaped, spellingsOf } from '../../integrations/operators/transaction-ids.ts';
import { noticeIdOf } from '../../platform/notices/notice.ts';
import { noticeOfReview } from '../../platform/notices/write.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import { idsOfTenant } from '../../platform/postgres/tenant-ids.ts';
import type { ReviewItem, Subject } from './review-item.ts';

const items = table<Omit<ReviewItem, 'detail'>>({
  tenantId: 'uuid',
  id: 'uuid',
  kind: 'text',
  subjectKind: 'text',
  subjectId: 'uuid',
  operator: 'text',
  createdAtMs: 'timestamptz',
  closedAtMs: 'timestamptz',
  closedBy: 'text',
  reason: 'text',
});

const columns = `${items.columns}, detail`;

/** The closing actor when the operator's answer settles the item. */
const gateway = 'gateway';
const newItems = items.rowsWithout('closedAtMs', 'closedBy', 'reason');

/**
 * A common table expression: the amounts that the items of another CTE reserve of payments (`detail.reserved`) are
 * taken from the refundable remainder, or released, in the statement that lists or closes the items. Refunds check
 * the remainder under the lock of the payment.
 */
const changeReserved = (items: string, sign: '+' | '-') => `
reserved AS (
  UPDATE payments p SET late_refund_minor = p.late_refund_minor ${sign} item.minor
  FROM (
    SELECT tenant_id, (detail -> 'reserved' ->> 'paymentId')::uuid AS payment_id,
      sum((detail -> 'reserved' ->> 'amountMinor')::bigint)::bigint AS minor
    FROM ${items} WHERE detail -> 'reserved' IS NOT NULL
    GROUP BY 1, 2
  ) AS item
  WHERE p.tenant_id = item.tenant_id AND p.id = item.payment_id
)`;

const insertStatement = prepare({
  name: 'review_items.insert',
  given: { items: newItems, detail: 'text', noticeId: 'uuid' },
  text: (given) => `
WITH item AS (
  INSERT INTO review_items AS listed (${newItems.names}, detail)
  SELECT ${newItems.names}, ${given.detail}::jsonb FROM ${given.items}
  -- What was closed and is told again waits again, unless a person closed the very same: they have seen it.
  ON CONFLICT (tenant_id, id) DO UPDATE SET detail = excluded.detail, created_at = excluded.created_at,
    closed_at = NULL, closed_by = NULL, reason = NULL
  WHERE listed.closed_at IS NOT NULL AND excluded.kind <> 'UNKNOWN_REFERENCE' AND NOT excluded.detail ? 'reserved'
    AND (listed.closed_by = '${gateway}' OR listed.detail <> excluded.detail)
  RETURNING *
),
-- Under what is open the operator may tell something new: the newest is kept beside the first.
newest AS (
  UPDATE review_items listed SET detail = listed.detail || jsonb_build_object('newest', told.detail -> 'told')
  FROM (SELECT ${newItems.names}, ${given.detail}::jsonb AS detail FROM ${given.items}) AS told
  WHERE listed.tenant_id = told.tenant_id AND listed.id = told.id AND listed.closed_at IS NULL
    AND told.detail -> 'told' NOT IN (
      coalesce(listed.detail -> 'told', 'null'), coalesce(listed.detail -> 'newest', 'null'))
),
${changeReserved('item', '+')},
${noticeOfReview('item', given.noticeId)}
SELECT id FROM item`,
});

/** Lists a case for a person with its reservations, and writes the notice; false if it was listed already. */
export async function insertReviewItem(database: Queryable, item: ReviewItem): Promise<boolean> {
  const { tenantId, id: subject, createdAtMs: atMs } = item;
  const noticeId = noticeIdOf({ kind: 'REVIEW_WAITING', tenantId, subject, atMs });
  // An operator's text may contain characters that a column cannot store.
  const storable = (_: string, value: unknown) => {
    if (typeof value === 'string') return escaped(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [escaped(name), each]));
  };
  const given = { items: [item], detail: JSON.stringify(item.detail, storable), noticeId };
  return (await insertStatement.run(database, given)).length > 0;
}

/** Open items of all tenants, oldest first. */
export const openReviewItems = rowsQuery<ReviewItem, []>({
  name: 'review_items.open',
  text: `SELECT ${columns} FROM review_items
WHERE closed_at IS NULL ORDER BY created_at, id`,
});

/** Open items of one tenant, oldest first. */
export const openItemsOf = rowsQuery<ReviewItem, [tenantId: string, limit: number]>({
  name: 'review_items.open_of',
  text: `
SELECT ${columns} FROM review_items WHERE tenant_id = $1 AND closed_at IS NULL
ORDER BY created_at, id LIMIT $2`,
});

/** By id alone: a user of the command line does not know the tenant. */
export const findReviewItem = rowQuery<ReviewItem, [id: string]>({
  name: 'review_items.find',
  text: `SELECT ${columns} FROM review_items WHERE id = $1`,
});

/** The existing items of these ids, closed ones too. */
export function findReviewItems(
  database: Queryable,
  ids: readonly { tenantId: string; id: string }[],
): Promise<ReviewItem[]> {
  const text = `
SELECT ${columns} FROM review_items
WHERE (tenant_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))`;
  const values = [uuidArray(ids, ({ tenantId }) => tenantId), uuidArray(ids, ({ id }) => id)];
  return database.query<ReviewItem>({ name: 'review_items.find_all', text }, values);
}

/** Open items about an object that our records may lack, such as a payment that only its merchant knows. */
export const findOpenItemAbout = rowQuery<ReviewItem, [subjectId: string]>({
  name: 'review_items.find_open',
  text: `SELECT ${columns} FROM review_items WHERE subject_id = $1 AND closed_at IS NULL ORDER BY id LIMIT 1`,
});

/**
 * A success that the operator reported and that could not be booked: its transaction does not match the request, or
 * is booked for something else, or an authentic callback reports other money or names no object.
 */
export const findReportedSuccess = rowQuery<{ id: string }, [tenantId: string, subjectId: string]>({
  name: 'review_items.told_success',
  text: `
SELECT id FROM review_items
WHERE tenant_id = $1 AND subject_id = $2 AND closed_at IS NULL
  AND (kind IN ('MISMATCH', 'CLASH') OR detail ->> 'mayBeDone' = 'true'
    OR detail ->> 'doubt' IN ('OTHER_AMOUNT', 'OTHER_CURRENCY', 'NOT_UNDERSTOOD'))
LIMIT 1`,
});

/** Whether the operator has said itself that a payment's debit failed or was reversed, in an open or a closed item. */
export const findFailedDebit = rowQuery<{ id: string }, [tenantId: string, paymentId: string]>({
  name: 'review_items.failed_debit',
  text: `
SELECT id FROM review_items
WHERE tenant_id = $1 AND subject_id = $2 AND kind = 'CONTRADICTION'
  AND detail -> 'reserved' IS NOT NULL AND detail -> 'told' ->> 'listedAs' = 'FAILED'
LIMIT 1`,
});

/** All items ever listed about these payments, refunds or reversals, oldest first. */
export const reviewItemsAbout = rowsQuery<
  ReviewItem,
  [tenantId: string, subjectIds: readonly string[]]
>({
  name: 'review_items.about',
  text: `
SELECT ${columns} FROM review_items
JOIN ${idsOfTenant('$1', '$2')} ON tenant_id = wanted_tenant_id AND subject_id = wanted_id
ORDER BY created_at, id`,
});

/** A callback may say anything in `told`, also what only a finding of ours says there. */
const isOurFinding = `detail ->> 'by' IS DISTINCT FROM 'callback'`;

/**
 * Unexplained returns of a debit according to the operator's list; closed items too. The debit is given in all its
 * spellings.
 */
export const listedReturns = rowsQuery<
  ReviewItem,
  [operator: OperatorName, debitTxIds: readonly string[]]
>({
  name: 'review_items.given_back',
  text: `
SELECT ${columns} FROM review_items
WHERE operator = $1 AND kind IN ('UNKNOWN_REFERENCE', 'CONTRADICTION') AND ${isOurFinding}
  AND detail -> 'told' ->> 'debitTxId' = ANY ($2)
ORDER BY created_at, id`,
});

/** The open item among them. */
export const findOpenReturn = rowQuery<
  { id: string },
  [operator: string, debitTxIds: readonly string[]]
>({
  name: 'review_items.open_given_back',
  text: `
SELECT id FROM review_items
WHERE closed_at IS NULL AND operator = $1 AND ${isOurFinding}
  AND detail -> 'told' ->> 'debitTxId' = ANY ($2)
LIMIT 1`,
});

/** The open item of a return that was pending in the operator's list, by the operator's transaction id. */
export const findOpenPending = rowsQuery<
  { id: string; amountMinor: string | null },
  [operator: OperatorName, operatorTxId: string]
>({
  name: 'review_items.open_pending',
  text: `
SELECT id, detail -> 'told' ->> 'amountMinor' AS "amountMinor" FROM review_items
WHERE closed_at IS NULL AND operator = $1 AND ${isOurFinding}
  AND detail -> 'told' ->> 'listedAs' = 'OPEN' AND detail -> 'told' ->> 'operatorTxId' = $2
ORDER BY id`,
});

const closeStatement = {
  name: 'review_items.close',
  text: `
WITH closed AS (
  UPDATE review_items SET closed_at = $4, closed_by = $5, reason = $6
  WHERE tenant_id = $1 AND subject_id = $2 AND closed_at IS NULL
    AND ($3::text[] IS NULL OR kind = ANY ($3))
  RETURNING *
),
${changeReserved('closed', '-')}
SELECT id FROM closed`,
};

// A success that names another transaction than the booked one may be other money.
const closeAnsweredStatement = {
  name: 'review_items.close_answered',
  text: `
WITH closed AS (
  UPDATE review_items SET closed_at = $3, closed_by = $4, reason = $5
  WHERE tenant_id = $1 AND subject_id = $2 AND closed_at IS NULL
    AND (kind = 'UNCLEAR' OR kind = 'MISMATCH'
      AND coalesce(detail -> 'told' ->> 'transactionReference', '') = ANY (array_append($6::text[], '')))
  RETURNING *
),
${changeReserved('closed', '-')}
SELECT id FROM closed`,
};

export interface Closing {
  tenantId: string;
  subjectId: string;
  /** Absent: any kind. */
  kinds?: readonly ReviewItem['kind'][];
  nowMs: number;
  by: string;
  reason: string;
}

/** Closes the items of a payment, refund or reversal; returns how many there were. */
export async function closeReviewItems(database: Queryable, closing: Closing): Promise<number> {
  const { tenantId, subjectId, kinds = null, nowMs, by, reason } = closing;
  const values = [tenantId, subjectId, kinds, timestamp(nowMs), by, reason];
  return (await database.query(closeStatement, values)).length;
}

/**
 * Closes items that the operator's later definite answer has settled: no question is left for a person.
 * @param transactions the operator's, booked by now: of a debit itself, and of its return
 */
export async function closeAnswered(
  database: Queryable,
  { tenantId, id: subjectId }: Pick<Subject, 'tenantId' | 'id'>,
  { nowMs, transactions }: { nowMs: number; transactions: readonly string[] },
): Promise<void> {
  const reason = 'the operator told the outcome';
  const spellings = transactions.flatMap(spellingsOf);
  const values = [tenantId, subjectId, timestamp(nowMs), gateway, reason, spellings];
  await database.query(closeAnsweredStatement, values);
}

const closeOneStatement = {
  name: 'review_items.close_one',
  text: `
WITH closed AS (
  UPDATE review_items SET closed_at = $2, closed_by = $3, reason = $4
  WHERE id = $1 AND closed_at IS NULL
  RETURNING *
),
${changeReserved('closed', '-')}
SELECT ${columns} FROM closed`,
};

/** Closes one item by id alone: a user of the command line does not know the tenant. */
export async function closeReviewItem(
  database: Queryable,
  id: string,
  { nowMs, by, reason }: Pick<Closing, 'nowMs' | 'by' | 'reason'>,
): Promise<ReviewItem | undefined> {
  const values = [id, timestamp(nowMs), by, reason];
  return (await database.query<ReviewItem>(closeOneStatement, values))[0];
}
