import { type Queryable, timestamp } from '../../../platform/postgres/database.ts';
import { rowQuery } from '../../../platform/postgres/query.ts';
import { prepare, rowsOf, table } from '../../../platform/postgres/statement.ts';
import type { FailureCode, OperatorName } from '../operator.ts';

export type SimulatedStatus = 'PENDING' | 'PROMPTED' | 'SUCCEEDED' | 'FAILED';

/** One debit, reversal, refund or disbursement as the simulated operator remembers it; unique by our reference. */
export interface SimulatedTransaction {
  tenantId: string;
  reference: string;
  kind: 'DEBIT' | 'REVERSAL' | 'REFUND' | 'DISBURSEMENT';
  operator: OperatorName;
  /** Who is debited, or paid; empty in a return. */
  phone: string;
  amountMinor: bigint;
  currency: string;
  status: SimulatedStatus;
  failureCode: FailureCode | null;
  operatorTxId: string;
  /** The debit that a reversal or refund returns. */
  reversedTxId: string | null;
  /** When the customer answers; null: not automatically. */
  decideAtMs: number | null;
  expiresAtMs: number;
  dueAtMs: number | null;
  createdAtMs: number;
}

const transactions = table<SimulatedTransaction>({
  tenantId: 'uuid',
  reference: 'uuid',
  kind: 'text',
  operator: 'text',
  phone: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  status: 'text',
  failureCode: 'text',
  operatorTxId: 'text',
  reversedTxId: 'text',
  decideAtMs: 'timestamptz',
  expiresAtMs: 'timestamptz',
  dueAtMs: 'timestamptz',
  createdAtMs: 'timestamptz',
});

const columns = transactions.columns;
const newTransactions = transactions.rowsWithout();

const insertStatement = prepare({
  name: 'simulator.insert',
  given: { transactions: newTransactions },
  text: (given) => `
INSERT INTO simulator_transactions (${newTransactions.names})
SELECT * FROM ${given.transactions}
ON CONFLICT DO NOTHING
RETURNING reference`,
});

/** Stores transactions; returns the references that are new. An existing one stays as it is. */
export async function insertTransactions(
  database: Queryable,
  rows: readonly SimulatedTransaction[],
): Promise<Set<string>> {
  const given = { transactions: rows };
  const inserted = await insertStatement.run<{ reference: string }>(database, given);
  return new Set(inserted.map((row) => row.reference));
}

/** The columns that a CTE `moved` of payments `p` needs for {@link recordDebits}, with the record of each. */
export const recordedOfPayment =
  'p.tenant_id, p.id, p.operator, p.operator_phone, p.amount_minor, p.currency, p.expires_at, p.updated_at';

/**
 * A common table expression that records debits in the statement that commits their requests. No other request can
 * come before: a payment is recorded when it leaves CREATED, and never again.
 */
export const recordDebits = `
recorded AS (
  INSERT INTO simulator_transactions (tenant_id, reference, kind, operator, phone, amount_minor, currency,
    status, failure_code, operator_tx_id, decide_at, expires_at, due_at, created_at)
  SELECT tenant_id, id, 'DEBIT', operator, operator_phone, amount_minor, currency,
    recorded_status, recorded_failure, recorded_tx_id, decide_at, expires_at, recorded_due_at, updated_at
  FROM moved WHERE recorded_status IS NOT NULL
)`;

export const findTransaction = rowQuery<
  SimulatedTransaction,
  [tenantId: string, reference: string]
>({
  name: 'simulator.find',
  text: `SELECT ${columns} FROM simulator_transactions WHERE tenant_id = $1 AND reference = $2`,
});

/** A debit, by the operator's transaction id. */
export interface KnownDebit {
  tenantId: string;
  operatorTxId: string;
}

const phonesStatement = prepare({
  name: 'simulator.find_phones',
  given: {
    debits: rowsOf<KnownDebit>({
      tenant_id: ['uuid', ({ tenantId }) => tenantId],
      operator_tx_id: ['text', ({ operatorTxId }) => operatorTxId],
    }),
  },
  text: (given) => `
SELECT s.tenant_id AS "tenantId", s.operator_tx_id AS "operatorTxId", s.phone FROM ${given.debits}
JOIN simulator_transactions s ON s.tenant_id = given.tenant_id AND s.operator_tx_id = given.operator_tx_id
WHERE s.kind = 'DEBIT' AND s.status = 'SUCCEEDED'`,
});

/** The phone of each debit, in their order; undefined: the operator knows no such debit. */
export async function findPhonesOfDebits(
  database: Queryable,
  debits: readonly KnownDebit[],
): Promise<(string | undefined)[]> {
  const rows = await phonesStatement.run<KnownDebit & { phone: string }>(database, { debits });
  const keyOf = ({ tenantId, operatorTxId }: KnownDebit) => tenantId + operatorTxId;
  const phones = new Map(rows.map((row) => [keyOf(row), row.phone]));
  return debits.map((debit) => phones.get(keyOf(debit)));
}

const dueStatement = {
  name: 'simulator.due',
  text: `
SELECT ${columns} FROM simulator_transactions
WHERE due_at <= $1 ORDER BY due_at, tenant_id, reference LIMIT $2`,
};

/**
 * Due rows of all tenants. Nothing is claimed: of several processes that look at once, each changes the rows that no
 * other has changed, in one order.
 */
export function findDueTransactions(
  database: Queryable,
  nowMs: number,
  limit: number,
): Promise<SimulatedTransaction[]> {
  return database.query(dueStatement, [timestamp(nowMs), limit]);
}

/** A step of a transaction: its new state, and when it was due; null: it was not due. */
export interface Move {
  next: SimulatedTransaction;
  dueAtMs: number | null;
}

const moveStatement = prepare({
  name: 'simulator.move',
  given: {
    moves: rowsOf<Move>({
      tenant_id: ['uuid', ({ next }) => next.tenantId],
      reference: ['uuid', ({ next }) => next.reference],
      status: ['text', ({ next }) => next.status],
      failure_code: ['text', ({ next }) => next.failureCode],
      due_at: ['timestamptz', ({ next }) => next.dueAtMs],
      seen_due_at: ['timestamptz', ({ dueAtMs }) => dueAtMs],
    }),
  },
  text: (given) => `
UPDATE simulator_transactions s SET status = given.status, failure_code = given.failure_code, due_at = given.due_at
FROM ${given.moves}
WHERE s.tenant_id = given.tenant_id AND s.reference = given.reference
  AND (s.status IN ('PENDING', 'PROMPTED')
    OR s.kind = 'DISBURSEMENT' AND s.status IN ('FAILED', 'SUCCEEDED') AND given.status = 'SUCCEEDED')
  AND (given.seen_due_at IS NULL OR s.due_at = given.seen_due_at)
RETURNING s.reference`,
});

/**
 * Changes undecided transactions that are still due as read, and disbursements that succeed after a failure or have
 * been reported since; returns the references that changed.
 */
export async function transitionTransactions(
  database: Queryable,
  moves: readonly Move[],
): Promise<Set<string>> {
  const moved = await moveStatement.run<{ reference: string }>(database, { moves });
  return new Set(moved.map((row) => row.reference));
}
