import type { DifferenceKind } from '../../money/ledger/reconcile-statement.ts';
import { claimStatement } from '../../platform/jobs/claim.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import { Conditions } from '../../platform/postgres/conditions.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import { statusesBefore } from '../../platform/values/transitions.ts';
import {
  type DifferenceStatus,
  differenceTransitions,
  type ExplanationReason,
  type StoredDifference,
} from './difference.ts';

/** The result of a comparison about one difference. */
export type FoundDifference = Omit<
  StoredDifference,
  | 'status'
  | 'reason'
  | 'note'
  | 'operatorReference'
  | 'decidedBy'
  | 'decidedAtMs'
  | 'askedAtMs'
  | 'dueAtMs'
  | 'reviewId'
>;

const foundFields = {
  reconciliationId: 'uuid',
  id: 'uuid',
  identity: 'bytea',
  kind: 'text',
  line: 'integer',
  type: 'text',
  reference: 'text',
  referenceId: 'uuid',
  transactionId: 'text',
  listedMinor: 'bigint',
  listedCurrency: 'text',
  listedStatus: 'text',
  bookedTenantId: 'uuid',
  bookedMinor: 'bigint',
  bookedCurrency: 'text',
  bookedStatus: 'text',
  bookedAtMs: 'timestamptz',
} as const;

const found = table<FoundDifference>(foundFields).rowsWithout();

const { columns } = table<StoredDifference>({
  ...foundFields,
  status: 'text',
  reason: 'text',
  note: 'text',
  operatorReference: 'text',
  decidedBy: 'text',
  decidedAtMs: 'timestamptz',
  askedAtMs: 'timestamptz',
  dueAtMs: 'timestamptz',
  reviewId: 'uuid',
});

const mergeStatement = prepare({
  name: 'reconciliation_differences.merge',
  given: { found },
  text: (given) => `
INSERT INTO reconciliation_differences AS d (${found.names}, status)
SELECT ${found.names}, 'OPEN' FROM ${given.found}
ON CONFLICT (reconciliation_id, identity) DO UPDATE SET
  line = excluded.line, reference = excluded.reference, listed_status = excluded.listed_status,
  booked_tenant_id = excluded.booked_tenant_id, booked_status = excluded.booked_status,
  booked_at = excluded.booked_at,
  -- What was gone has come back.
  status = CASE d.status WHEN 'SOLVED' THEN 'OPEN' ELSE d.status END,
  decided_by = CASE d.status WHEN 'SOLVED' THEN NULL ELSE d.decided_by END,
  decided_at = CASE d.status WHEN 'SOLVED' THEN NULL ELSE d.decided_at END,
  reason = CASE d.status WHEN 'SOLVED' THEN NULL ELSE d.reason END,
  note = CASE d.status WHEN 'SOLVED' THEN NULL ELSE d.note END,
  operator_reference = CASE d.status WHEN 'SOLVED' THEN NULL ELSE d.operator_reference END`,
});

const solveStatement = prepare({
  name: 'reconciliation_differences.solve',
  given: { id: 'uuid', nowMs: 'timestamptz', actor: 'text', kept: found },
  text: (given) => `
UPDATE reconciliation_differences d SET status = 'SOLVED', decided_by = ${given.actor},
  decided_at = ${given.nowMs}, due_at = NULL
WHERE d.reconciliation_id = ${given.id}
  AND d.status IN ${statusesBefore(differenceTransitions, 'SOLVED')}
  AND NOT EXISTS (SELECT FROM ${given.kept} WHERE given.identity = d.identity)`,
});

/** Merges the result of a comparison with the previous one: differences that are gone become SOLVED. */
export async function mergeFound(
  transaction: Queryable,
  id: string,
  differencesNow: readonly FoundDifference[],
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<void> {
  await solveStatement.run(transaction, { id, nowMs, actor, kept: differencesNow });
  await mergeStatement.run(transaction, { found: differencesNow });
}

const countStatement = {
  name: 'reconciliation_differences.count',
  text: `
SELECT kind, status, count(*)::integer AS count FROM reconciliation_differences
WHERE reconciliation_id = $1 GROUP BY kind, status`,
};

export interface KindCount {
  kind: DifferenceKind;
  status: DifferenceStatus;
  count: number;
}

/** One comparison never has more than reconciliationLimits.differences. */
export const countDifferences = (database: Queryable, id: string): Promise<KindCount[]> =>
  database.query<KindCount>(countStatement, [id]);

export const findDifference = rowQuery<StoredDifference, [reconciliationId: string, id: string]>({
  name: 'reconciliation_differences.find',
  text: `SELECT ${columns} FROM reconciliation_differences WHERE reconciliation_id = $1 AND id = $2`,
});

export const findDifferences = rowsQuery<
  StoredDifference,
  [reconciliationId: string, ids: readonly string[]]
>({
  name: 'reconciliation_differences.find_all',
  text: `
SELECT ${columns} FROM reconciliation_differences
WHERE reconciliation_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`,
});

export interface DifferenceFilter {
  kind?: DifferenceKind | undefined;
  status?: DifferenceStatus | undefined;
  startingAfter?: string | undefined;
}

/** In the order of the statement, for differences found together. */
export function listDifferences(
  database: Queryable,
  id: string,
  { kind, status, startingAfter }: DifferenceFilter,
  limit: number,
): Promise<StoredDifference[]> {
  const asked = new Conditions([id, limit], 'reconciliation_id = $1');
  asked.where('kind = ?', kind);
  asked.where('status = ?', status);
  asked.where('id > ?', startingAfter);
  const text = `SELECT ${columns} FROM reconciliation_differences WHERE ${asked.text} ORDER BY id LIMIT $2`;
  return database.query({ text }, asked.values);
}

const explainStatement = {
  name: 'reconciliation_differences.explain',
  text: `
UPDATE reconciliation_differences SET status = 'EXPLAINED', reason = $3, note = $4, operator_reference = $5,
  decided_by = $6, decided_at = $7, due_at = NULL
WHERE reconciliation_id = $1 AND id = ANY ($2::uuid[])
  AND status IN ${statusesBefore(differenceTransitions, 'EXPLAINED')}
RETURNING id`,
};

export interface Explanation {
  reason: ExplanationReason;
  note: string | null;
  operatorReference: string | null;
}

/** @returns those that were open */
export async function explainStored(
  transaction: Queryable,
  { id, differences: ids }: { id: string; differences: readonly string[] },
  { reason, note, operatorReference }: Explanation,
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<string[]> {
  const values = [id, ids, reason, note, operatorReference, actor, timestamp(nowMs)];
  const rows = await transaction.query<{ id: string }>(explainStatement, values);
  return rows.map((row) => row.id);
}

const reopenStatement = {
  name: 'reconciliation_differences.reopen',
  text: `
UPDATE reconciliation_differences SET status = 'OPEN', reason = NULL, note = NULL, operator_reference = NULL,
  decided_by = NULL, decided_at = NULL
WHERE reconciliation_id = $1 AND id = $2 AND status = 'EXPLAINED'
RETURNING id`,
};

/** Withdraws an explanation; false if there is none. */
export async function reopenStored(
  transaction: Queryable,
  reconciliationId: string,
  id: string,
): Promise<boolean> {
  return (await transaction.query(reopenStatement, [reconciliationId, id])).length > 0;
}

const askStatement = {
  name: 'reconciliation_differences.ask',
  text: `
UPDATE reconciliation_differences SET asked_at = $3, due_at = $3
WHERE reconciliation_id = $1 AND id = $2 AND status = 'OPEN'
RETURNING id`,
};

/** Marks a difference so that the operator is queried about it now. */
export async function askStored(
  transaction: Queryable,
  { reconciliationId, id }: StoredDifference,
  nowMs: number,
): Promise<boolean> {
  const values = [reconciliationId, id, timestamp(nowMs)];
  return (await transaction.query(askStatement, values)).length > 0;
}

const claim = claimStatement({
  name: 'reconciliation_differences.claim',
  table: 'reconciliation_differences',
  key: ['reconciliation_id', 'id'],
  returning: columns,
});

/** Claims differences about which the operator must be queried. */
export const claimMarkedDifferences = (
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
): Promise<StoredDifference[]> => claim.run(database, { nowMs, leaseMs, limit });

const answeredStatement = {
  name: 'reconciliation_differences.answered',
  text: `
UPDATE reconciliation_differences SET due_at = NULL WHERE reconciliation_id = $1 AND id = $2 AND ${isUnderLease('due_at', '$3')}`,
};

/** Records the query of the operator, under the lease of the difference. */
export async function noteAnswered(
  database: Queryable,
  { reconciliationId, id, dueAtMs }: StoredDifference,
): Promise<void> {
  await database.query(answeredStatement, [reconciliationId, id, timestamp(dueAtMs)]);
}

const reviewStatement = {
  name: 'reconciliation_differences.review',
  text: `
UPDATE reconciliation_differences SET review_id = $3
WHERE reconciliation_id = $1 AND id = $2 AND status = 'OPEN'
RETURNING id`,
};

/** Hands the difference to a review; false if it is no longer open. */
export async function linkReview(
  transaction: Queryable,
  { reconciliationId, id }: StoredDifference,
  reviewId: string,
): Promise<boolean> {
  return (await transaction.query(reviewStatement, [reconciliationId, id, reviewId])).length > 0;
}
