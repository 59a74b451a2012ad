import { appendPostings, givenPostings, postingValues } from '../ledger/append.ts';
import type { Posting } from '../ledger/posting.ts';
import { type Addressed, laneOfRow, modeOfRow } from '../operators/lane.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import type { ClaimRoom } from '../platform/due-worker.ts';
import { isAllowed } from '../platform/transitions.ts';
import { type Reversal, reversalTransitions } from './reversal.ts';

const reversalColumns = `
  tenant_id AS "tenantId", id, payment_id AS "paymentId", reason, status, amount_minor AS "amountMinor",
  currency, operator, operator_tx_id AS "operatorTxId", operator_reversal_id AS "operatorReversalId",
  failure_code AS "failureCode", ask_count AS "askCount", due_at AS "dueAtMs", sent_at AS "sentAtMs",
  by_hand AS "byHand", created_at AS "createdAtMs"`;

const insertStatement = {
  name: 'reversals.insert',
  text: `
WITH booked AS (
  INSERT INTO operator_transactions (operator, account, operator_tx_id, tenant_id, payment_id, kind)
  SELECT $7, $10, $8, $1, $3, 'REVERSAL'
  WHERE $10::text IS NOT NULL AND NOT EXISTS (
    SELECT FROM operator_transactions old
    WHERE old.operator = $7 AND old.account = '' AND old.operator_tx_id = $8)
  ON CONFLICT DO NOTHING
  RETURNING payment_id
),
created AS (
  INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator,
    operator_tx_id, ask_count, due_at, created_at, updated_at)
  SELECT $1, $2, $3, $4, $11, $5, $6, $7, $8, 0, $12, $9, $9
  WHERE $10::text IS NULL OR EXISTS (SELECT FROM booked)
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, id
),
new_posting AS (
  SELECT given_posting.* FROM ${givenPostings(13)}
  JOIN created ON created.tenant_id = given_posting.tenant_id AND created.id = given_posting.source_id
),
${appendPostings}
SELECT id FROM created`,
};

/**
 * Writes a reversal and books its debit to suspense; false where that had been done before, or where the
 * operator's transaction is booked for something else: then nothing is written.
 * @param account ours at the operator; null: it is simulated
 */
export async function insertReversal(
  database: Queryable,
  reversal: Reversal,
  posting: Posting,
  account: string | null,
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
    account,
    reversal.status,
    timestamp(reversal.dueAtMs),
    ...postingValues([posting]),
  ]);
  return rows.length > 0;
}

/** With the mode of its tenant, which says who serves it. */
export type DueReversal = Reversal & Addressed;

const claimStatement = {
  name: 'reversals.claim',
  text: `
WITH due AS MATERIALIZED (
  SELECT tenant_id AS due_tenant_id, id AS due_id FROM reversals r
  WHERE due_at <= $1 AND ${laneOfRow('r')} <> ALL ($4::text[])
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE reversals r SET due_at = $2, asking_until = $2
FROM due
WHERE r.tenant_id = due.due_tenant_id AND r.id = due.due_id
RETURNING ${reversalColumns}, ${modeOfRow('r')} AS mode`,
};

/**
 * Takes reversals that are due, of all tenants, under a lease that ends at `leaseMs`; those of busy
 * lanes are left where they are.
 */
export function claimDueReversals(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
  { busyLanes = [] }: Partial<ClaimRoom> = {},
): Promise<DueReversal[]> {
  const values = [timestamp(nowMs), timestamp(leaseMs), limit, busyLanes];
  return database.query<DueReversal>(claimStatement, values);
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

const takeStatement = {
  name: 'reversals.take',
  text: `
UPDATE reversals r SET due_at = $4, asking_until = $4,
  -- This question is none of those that are planned, whose gaps would grow with every hint.
  ask_count = GREATEST(ask_count - 1, 0)
WHERE tenant_id = $1 AND id = $2 AND (asking_until IS NULL OR asking_until <= $3)
RETURNING ${reversalColumns}`,
};

export interface Taking {
  tenantId: string;
  id: string;
  nowMs: number;
  leaseMs: number;
}

/**
 * Takes one reversal to ask about it now, whenever it is due; undefined where somebody is asking about it
 * already, or there is none.
 */
export async function takeReversal(
  database: Queryable,
  { tenantId, id, nowMs, leaseMs }: Taking,
): Promise<Reversal | undefined> {
  const values = [tenantId, id, timestamp(nowMs), timestamp(leaseMs)];
  return (await database.query<Reversal>(takeStatement, values))[0];
}

const renewStatement = {
  name: 'reversals.renew',
  text: `
UPDATE reversals SET due_at = $4, asking_until = $4
WHERE tenant_id = $1 AND id = $2 AND due_at = $3
RETURNING id`,
};

/** Lengthens the lease that a reversal is held with; false where it had passed to another. */
export async function renewReversal(
  database: Queryable,
  { tenantId, id, dueAtMs }: Reversal,
  leaseMs: number,
): Promise<boolean> {
  const values = [tenantId, id, timestamp(dueAtMs), timestamp(leaseMs)];
  return (await database.query(renewStatement, values)).length > 0;
}

const moveStatement = {
  name: 'reversals.move',
  text: `
WITH moved AS (
  UPDATE reversals SET status = $4, failure_code = $5, due_at = $6, updated_at = $7, sent_at = $8,
    operator_reversal_id = $9, ask_count = ask_count + 1, asking_until = NULL
  WHERE tenant_id = $1 AND id = $2 AND due_at IS NOT DISTINCT FROM $3
    AND (status = $4 OR ${isAllowed(reversalTransitions, 'status', '$4')})
  RETURNING tenant_id, id
),
new_posting AS (
  SELECT given_posting.* FROM ${givenPostings(10)}
  JOIN moved ON moved.tenant_id = given_posting.tenant_id AND moved.id = given_posting.source_id
),
${appendPostings}
SELECT id FROM moved`,
};

/** What a move may change; the rest stays as it was seen. */
export type ReversalChange = Partial<
  Pick<Reversal, 'status' | 'failureCode' | 'sentAtMs' | 'operatorReversalId'>
> & { dueAtMs: number | null; nowMs: number };

/**
 * Moves a reversal under the lease that is its `dueAtMs`, with its postings; false where that had passed to
 * another. One that FAILED has none, and moves when it turns out to have succeeded.
 */
export async function moveReversal(
  database: Queryable,
  reversal: Reversal,
  change: ReversalChange,
  postings: Posting[],
): Promise<boolean> {
  const next = { ...reversal, ...change };
  const rows = await database.query(moveStatement, [
    reversal.tenantId,
    reversal.id,
    timestamp(reversal.dueAtMs),
    next.status,
    next.failureCode,
    timestamp(change.dueAtMs),
    timestamp(change.nowMs),
    timestamp(next.sentAtMs),
    next.operatorReversalId,
    ...postingValues(postings),
  ]);
  return rows.length > 0;
}

const markStatement = {
  name: 'reversals.by_hand',
  text: 'UPDATE reversals SET by_hand = true WHERE tenant_id = $1 AND id = $2',
};

/** Marks a reversal whose outcome a person tells: what the operator says otherwise is for a person too. */
export async function markReversalByHand(
  database: Queryable,
  { tenantId, id }: Pick<Reversal, 'tenantId' | 'id'>,
): Promise<void> {
  await database.query(markStatement, [tenantId, id]);
}
