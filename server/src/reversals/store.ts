import { appendPostings, givenPostings, postingValues } from '../ledger/append.ts';
import type { Posting } from '../ledger/posting.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import type { Reversal, ReversalStatus } from './reversal.ts';

const reversalColumns = `
  tenant_id AS "tenantId", id, payment_id AS "paymentId", reason, status, amount_minor AS "amountMinor",
  currency, operator, operator_tx_id AS "operatorTxId", failure_code AS "failureCode",
  ask_count AS "askCount", due_at AS "dueAtMs", created_at AS "createdAtMs"`;

const insertStatement = {
  name: 'reversals.insert',
  text: `
WITH created AS (
  INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator,
    operator_tx_id, ask_count, due_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, 'PENDING', $5, $6, $7, $8, 0, $9, $9, $9)
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, id
),
new_posting AS (
  SELECT given_posting.* FROM ${givenPostings(10)}
  JOIN created ON created.tenant_id = given_posting.tenant_id AND created.id = given_posting.source_id
),
${appendPostings}
SELECT id FROM created`,
};

/** Writes a reversal and books its debit to suspense; false where it had been done before. */
export async function insertReversal(
  database: Queryable,
  reversal: Reversal,
  posting: Posting,
): Promise<boolean> {
  const rows = await database.query(insertStatement, [
    reversal.tenantId,
    reversal.id,
    reversal.paymentId,
    reversal.reason,
    reversal.amountMinor.toString(),
    reversal.currency,
    reversal.operator,
    reversal.operatorTxId,
    timestamp(reversal.createdAtMs),
    ...postingValues([posting]),
  ]);
  return rows.length > 0;
}

const claimStatement = {
  name: 'reversals.claim',
  text: `
WITH due AS MATERIALIZED (
  SELECT tenant_id AS due_tenant_id, id AS due_id FROM reversals
  WHERE due_at <= $1 AND operator <> ALL ($4::text[])
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE reversals r SET due_at = $2
FROM due
WHERE r.tenant_id = due.due_tenant_id AND r.id = due.due_id
RETURNING ${reversalColumns}`,
};

/**
 * Takes reversals that are due, of all tenants, under a lease that ends at `leaseMs`; those of busy
 * operators are left where they are.
 */
export function claimDueReversals(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
  busyOperators: readonly string[] = [],
): Promise<Reversal[]> {
  const values = [timestamp(nowMs), timestamp(leaseMs), limit, busyOperators];
  return database.query<Reversal>(claimStatement, values);
}

const findStatement = {
  name: 'reversals.find',
  text: `SELECT ${reversalColumns} FROM reversals WHERE tenant_id = $1 AND id = $2`,
};

/** The reversal, or undefined where the tenant has none of this id. */
export async function findReversal(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<Reversal | undefined> {
  return (await database.query<Reversal>(findStatement, [tenantId, id]))[0];
}

const moveStatement = {
  name: 'reversals.move',
  text: `
WITH moved AS (
  UPDATE reversals SET status = $4, failure_code = $5, due_at = $6, updated_at = $7,
    ask_count = ask_count + 1
  WHERE tenant_id = $1 AND id = $2 AND due_at IS NOT DISTINCT FROM $3 AND status <> 'SUCCEEDED'
  RETURNING tenant_id, id
),
new_posting AS (
  SELECT given_posting.* FROM ${givenPostings(8)}
  JOIN moved ON moved.tenant_id = given_posting.tenant_id AND moved.id = given_posting.source_id
),
${appendPostings}
SELECT id FROM moved`,
};

/**
 * Moves a reversal under its lease, with its postings; false where the lease had passed to another. One
 * that FAILED has none, and moves when it turns out to have succeeded.
 */
export async function moveReversal(
  database: Queryable,
  reversal: Reversal,
  change: { status: ReversalStatus; failureCode?: string; dueAtMs: number | null; nowMs: number },
  postings: Posting[],
): Promise<boolean> {
  const rows = await database.query(moveStatement, [
    reversal.tenantId,
    reversal.id,
    timestamp(reversal.dueAtMs),
    change.status,
    change.failureCode ?? null,
    timestamp(change.dueAtMs),
    timestamp(change.nowMs),
    ...postingValues(postings),
  ]);
  return rows.length > 0;
}
