import type { Queryable } from '../postgres/database.ts';
import type { TransactionKey } from './bookings.ts';

type OutgoingKind = 'REFUND' | 'REVERSAL';

/**
 * Common table expressions that book the operator's transactions by which money went out, each once, in the statement
 * of the transition that they belong to. They need a CTE `seen` of the locked rows whose compare-and-set will succeed
 * and whose transaction is to be booked. A booking without an account is of before they were kept, and stands for any.
 */
export const bookOutgoing = (kind: OutgoingKind) => `
booked AS (
  INSERT INTO outgoing_transactions (operator, account, operator_tx_id, tenant_id, kind, subject_id)
  SELECT operator, account, operator_tx_id, tenant_id, '${kind}', id FROM seen
  WHERE NOT EXISTS (
    SELECT FROM outgoing_transactions old
    WHERE old.operator = seen.operator AND old.account = '' AND old.operator_tx_id = seen.operator_tx_id)
  ORDER BY operator, account, operator_tx_id
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, subject_id
),`;

/** What an operator's transaction by which money went out is booked for. */
export interface OutgoingBooking {
  tenantId: string;
  kind: OutgoingKind;
  /** The refund or reversal. */
  subjectId: string;
}

const findStatement = {
  name: 'outgoing_transactions.find',
  text: `
SELECT tenant_id AS "tenantId", kind, subject_id AS "subjectId" FROM outgoing_transactions
WHERE operator = $1 AND account IN ($2, '') AND operator_tx_id = $3`,
};

export async function findOutgoingBooking(
  database: Queryable,
  { operator, account, operatorTxId }: TransactionKey,
): Promise<OutgoingBooking | undefined> {
  const values = [operator, account, operatorTxId];
  return (await database.query<OutgoingBooking>(findStatement, values))[0];
}
