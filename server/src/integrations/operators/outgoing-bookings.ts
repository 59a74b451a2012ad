import type { Queryable } from '../../platform/postgres/database.ts';
import {
  type Booking,
  findTransactionBooking,
  isBookedForNothing,
  type TransactionKey,
} from './bookings.ts';
import { spellingsOf } from './transaction-ids.ts';

type OutgoingKind = 'REFUND' | 'REVERSAL' | 'DISBURSEMENT';

/**
 * Common table expressions that book the operator's outgoing transactions, each once, in the statement of the
 * transition that they belong to. They need a CTE `seen` of the locked rows whose compare-and-set will succeed and
 * whose transaction must be booked, with its `spellings`.
 */
export const bookOutgoing = (kind: OutgoingKind) => `
booked AS (
  INSERT INTO outgoing_transactions (operator, account, operator_tx_id, tenant_id, kind, subject_id)
  SELECT operator, account, spellings[1], tenant_id, '${kind}', id FROM seen
  WHERE ${isBookedForNothing('seen')}
  ORDER BY operator, account, spellings[1]
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, subject_id
),`;

/** The booking of an operator's outgoing transaction. */
export interface OutgoingBooking {
  tenantId: string;
  kind: OutgoingKind;
  /** The refund, reversal or disbursement. */
  subjectId: string;
}

const findStatement = {
  name: 'outgoing_transactions.find',
  text: `
SELECT tenant_id AS "tenantId", kind, subject_id AS "subjectId" FROM outgoing_transactions
WHERE operator = $1 AND account IN ($2, '') AND operator_tx_id = ANY ($3)`,
};

export async function findOutgoingBooking(
  database: Queryable,
  { operator, account, operatorTxId }: TransactionKey,
): Promise<OutgoingBooking | undefined> {
  const values = [operator, account, spellingsOf(operatorTxId)];
  return (await database.query<OutgoingBooking>(findStatement, values))[0];
}

/** The booking of an operator's transaction, incoming or outgoing. */
export async function findAnyBooking(
  database: Queryable,
  key: TransactionKey,
): Promise<Booking | OutgoingBooking | undefined> {
  return (await findTransactionBooking(database, key)) ?? findOutgoingBooking(database, key);
}
