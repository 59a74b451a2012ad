import type { Queryable } from '../../platform/postgres/database.ts';
import type { OperatorName } from './operator.ts';
import { spellingsIn, spellingsOf } from './transaction-ids.ts';

/**
 * The condition that a transaction of an operator is not booked yet, neither incoming nor outgoing: an operator looks
 * up both by the same ids. The row has `operator`, `account` and `spellings`; a booking without an account dates from
 * before accounts were stored, and stands for any. The OFFSET keeps the condition from becoming a join, which would
 * read all bookings.
 */
export const isBookedForNothing = (row: string): string =>
  ['operator_transactions', 'outgoing_transactions']
    .map(
      (table) => `NOT EXISTS (
    SELECT FROM ${table} old
    WHERE old.operator = ${row}.operator AND old.account IN ('', ${row}.account)
      AND old.operator_tx_id = ANY (${row}.spellings)
    OFFSET 0)`,
    )
    .join('\n  AND ');

/**
 * Common table expressions that book transactions of operators, each once, in the statement of the
 * transition that they belong to. They need a CTE `transition` over `payments` with the column `account`,
 * which is null if nothing is to be booked. `seen` holds the payments whose compare-and-set will
 * succeed, so that nothing is booked for the others.
 */
export const bookTransitions = `
seen AS (
  SELECT * FROM (
    SELECT p.tenant_id, p.id, p.operator, t.account, ${spellingsIn('t.operator_tx_id')} AS spellings
    FROM transition t JOIN payments p ON p.tenant_id = t.tenant_id AND p.id = t.id
    WHERE t.account IS NOT NULL AND p.version = t.seen_version AND (t.lease IS NULL OR p.due_at = t.lease)
    ORDER BY p.tenant_id, p.id FOR UPDATE OF p
  ) AS payment
),
booked AS (
  INSERT INTO operator_transactions (operator, account, operator_tx_id, tenant_id, payment_id, kind)
  SELECT operator, account, spellings[1], tenant_id, id, 'DEBIT' FROM seen
  WHERE ${isBookedForNothing('seen')}
  ORDER BY operator, account, spellings[1]
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, payment_id
),`;

/** The condition of a transition `t`, next to {@link bookTransitions}. */
export const isBookedWhereItMustBe = `(t.account IS NULL OR EXISTS (
      SELECT FROM booked b WHERE b.tenant_id = t.tenant_id AND b.payment_id = t.id))`;

/** A transaction within an account of ours at an operator. */
export interface TransactionKey {
  operator: OperatorName;
  account: string;
  operatorTxId: string;
}

/** What an operator's transaction is booked as, and for which payment. */
export interface Booking {
  tenantId: string;
  paymentId: string;
  kind: 'DEBIT' | 'REVERSAL';
}

const findStatement = {
  name: 'operator_transactions.find',
  text: `
SELECT tenant_id AS "tenantId", payment_id AS "paymentId", kind FROM operator_transactions
WHERE operator = $1 AND account IN ($2, '') AND operator_tx_id = ANY ($3)`,
};

export async function findTransactionBooking(
  database: Queryable,
  { operator, account, operatorTxId }: TransactionKey,
): Promise<Booking | undefined> {
  const values = [operator, account, spellingsOf(operatorTxId)];
  return (await database.query<Booking>(findStatement, values))[0];
}
