import { bigintArray, instantArray, textArray, uuidArray } from '../../platform/arrays.ts';
import { type Queryable, timestamp } from '../../platform/database.ts';
import type { FailureCode, OperatorName } from '../operator.ts';

export type SimulatedStatus = 'PENDING' | 'PROMPTED' | 'SUCCEEDED' | 'FAILED';

/** One debit, reversal or refund as the simulated operator remembers it; unique by our reference. */
export interface SimulatedTransaction {
  tenantId: string;
  reference: string;
  kind: 'DEBIT' | 'REVERSAL' | 'REFUND';
  operator: OperatorName;
  phone: string;
  amountMinor: bigint;
  currency: string;
  status: SimulatedStatus;
  failureCode: FailureCode | null;
  operatorTxId: string;
  /** The debit that a reversal or refund gives back. */
  reversedTxId: string | null;
  /** When the customer answers; null: not by himself. */
  decideAtMs: number | null;
  expiresAtMs: number;
  dueAtMs: number | null;
  createdAtMs: number;
}

const columns = `
  tenant_id AS "tenantId", reference, kind, operator, phone, amount_minor AS "amountMinor", currency,
  status, failure_code AS "failureCode", operator_tx_id AS "operatorTxId",
  reversed_tx_id AS "reversedTxId", decide_at AS "decideAtMs", expires_at AS "expiresAtMs",
  due_at AS "dueAtMs", created_at AS "createdAtMs"`;

const insertStatement = {
  name: 'simulator.insert',
  text: `
INSERT INTO simulator_transactions (tenant_id, reference, kind, operator, phone, amount_minor, currency,
  status, failure_code, operator_tx_id, reversed_tx_id, decide_at, expires_at, due_at, created_at)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[],
  $8::text[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[],
  $14::timestamptz[], $15::timestamptz[])
ON CONFLICT DO NOTHING
RETURNING reference`,
};

/** Remembers transactions; gives the references that are new. One that is there already stays as it is. */
export async function insertTransactions(
  database: Queryable,
  rows: readonly SimulatedTransaction[],
): Promise<Set<string>> {
  const inserted = await database.query<{ reference: string }>(insertStatement, [
    uuidArray(rows.map((row) => row.tenantId)),
    uuidArray(rows.map((row) => row.reference)),
    textArray(rows.map((row) => row.kind)),
    textArray(rows.map((row) => row.operator)),
    textArray(rows.map((row) => row.phone)),
    bigintArray(rows.map((row) => row.amountMinor)),
    textArray(rows.map((row) => row.currency)),
    textArray(rows.map((row) => row.status)),
    textArray(rows.map((row) => row.failureCode)),
    textArray(rows.map((row) => row.operatorTxId)),
    textArray(rows.map((row) => row.reversedTxId)),
    instantArray(rows.map((row) => row.decideAtMs)),
    instantArray(rows.map((row) => row.expiresAtMs)),
    instantArray(rows.map((row) => row.dueAtMs)),
    instantArray(rows.map((row) => row.createdAtMs)),
  ]);
  return new Set(inserted.map((row) => row.reference));
}

const findStatement = {
  name: 'simulator.find',
  text: `SELECT ${columns} FROM simulator_transactions WHERE tenant_id = $1 AND reference = $2`,
};

export async function findTransaction(
  database: Queryable,
  tenantId: string,
  reference: string,
): Promise<SimulatedTransaction | undefined> {
  return (await database.query<SimulatedTransaction>(findStatement, [tenantId, reference]))[0];
}

const findDebitStatement = {
  name: 'simulator.find_debit',
  text: `SELECT ${columns} FROM simulator_transactions
    WHERE tenant_id = $1 AND operator_tx_id = $2 AND kind = 'DEBIT' AND status = 'SUCCEEDED'`,
};

/** The debit that the operator knows by its own id. */
export async function findDebit(
  database: Queryable,
  tenantId: string,
  operatorTxId: string,
): Promise<SimulatedTransaction | undefined> {
  return (
    await database.query<SimulatedTransaction>(findDebitStatement, [tenantId, operatorTxId])
  )[0];
}

const claimStatement = {
  name: 'simulator.claim',
  text: `
WITH due AS MATERIALIZED (
  SELECT tenant_id AS due_tenant_id, reference AS due_reference FROM simulator_transactions
  WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE simulator_transactions s SET due_at = $2
FROM due
WHERE s.tenant_id = due.due_tenant_id AND s.reference = due.due_reference
RETURNING ${columns}`,
};

export function claimDueTransactions(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
): Promise<SimulatedTransaction[]> {
  return database.query(claimStatement, [timestamp(nowMs), timestamp(leaseMs), limit]);
}

const moveStatement = {
  name: 'simulator.move',
  text: `
UPDATE simulator_transactions s SET status = given.status, failure_code = given.failure_code, due_at = given.due_at
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[])
  AS given (tenant_id, reference, status, failure_code, due_at)
WHERE s.tenant_id = given.tenant_id AND s.reference = given.reference
  AND s.status IN ('PENDING', 'PROMPTED')
RETURNING s.reference`,
};

/** Moves transactions that are not decided yet; gives the references that moved. */
export async function moveTransactions(
  database: Queryable,
  rows: readonly SimulatedTransaction[],
): Promise<Set<string>> {
  const moved = await database.query<{ reference: string }>(moveStatement, [
    uuidArray(rows.map((row) => row.tenantId)),
    uuidArray(rows.map((row) => row.reference)),
    textArray(rows.map((row) => row.status)),
    textArray(rows.map((row) => row.failureCode)),
    instantArray(rows.map((row) => row.dueAtMs)),
  ]);
  return new Set(moved.map((row) => row.reference));
}
