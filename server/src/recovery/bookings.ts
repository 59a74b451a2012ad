import type { Booking } from '../operators/bookings.ts';
import { canonicalName, spellingsIn, spellingsOf } from '../operators/names.ts';
import type { OperatorName } from '../operators/operator.ts';
import { textArray } from '../postgres/arrays.ts';
import type { Queryable } from '../postgres/database.ts';

/** A booked transaction, with the amount of the payment that it is the debit of. */
export type BookedTransaction = Booking & { operatorTxId: string; amountMinor: bigint | null };

const findStatement = {
  name: 'operator_transactions.find_all',
  text: `
SELECT given.operator_tx_id AS "operatorTxId", o.tenant_id AS "tenantId", o.payment_id AS "paymentId", o.kind,
  p.amount_minor AS "amountMinor"
FROM unnest($3::text[]) AS given (operator_tx_id)
JOIN operator_transactions o
  ON o.operator = $1 AND o.account IN ($2, '') AND o.operator_tx_id = ANY (${spellingsIn('given.operator_tx_id')})
LEFT JOIN payments p ON o.kind = 'DEBIT' AND p.tenant_id = o.tenant_id AND p.id = o.payment_id`,
};

/** What these transactions of an operator are booked as, by their ids. */
export async function findBookings(
  database: Queryable,
  operator: OperatorName,
  account: string,
  operatorTxIds: readonly string[],
): Promise<Map<string, BookedTransaction>> {
  const values = [operator, account, textArray(operatorTxIds)];
  const rows = await database.query<BookedTransaction>(findStatement, values);
  return new Map(rows.map((row) => [row.operatorTxId, row]));
}

const givenBackStatement = {
  name: 'operator_transactions.given_back',
  text: `
SELECT operator_refund_id AS "operatorTxId" FROM refunds
WHERE operator = $1 AND operator_refund_id = ANY ($2)
UNION
SELECT operator_reversal_id FROM reversals WHERE operator = $1 AND operator_reversal_id = ANY ($2)`,
};

/** The canonical names of those of these transactions that gave back a refund or a reversal, whatever their reference. */
export async function findGivenBack(
  database: Queryable,
  operator: OperatorName,
  operatorTxIds: readonly string[],
): Promise<Set<string>> {
  if (operatorTxIds.length === 0) return new Set();
  const values = [operator, textArray(operatorTxIds.flatMap(spellingsOf))];
  const rows = await database.query<{ operatorTxId: string }>(givenBackStatement, values);
  return new Set(rows.map(({ operatorTxId }) => canonicalName(operatorTxId)));
}
