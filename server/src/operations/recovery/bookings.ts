import type { Booking } from '../../integrations/operators/bookings.ts';
import type { OperatorName } from '../../integrations/operators/operator.ts';
import {
  canonicalName,
  spellingsIn,
  spellingsOf,
} from '../../integrations/operators/transaction-ids.ts';
import { textArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';

/** A booked transaction, with the amount and currency of its payment. */
export interface BookedTransaction extends Booking {
  operatorTxId: string;
  amountMinor: bigint | null;
  currency: string | null;
}

const findStatement = {
  name: 'operator_transactions.find_all',
  text: `
SELECT given.operator_tx_id AS "operatorTxId", o.tenant_id AS "tenantId", o.payment_id AS "paymentId", o.kind,
  p.amount_minor AS "amountMinor", p.currency
FROM unnest($3::text[]) AS given (operator_tx_id)
JOIN operator_transactions o
  ON o.operator = $1 AND o.account IN ($2, '') AND o.operator_tx_id = ANY (${spellingsIn('given.operator_tx_id')})
LEFT JOIN payments p ON o.kind = 'DEBIT' AND p.tenant_id = o.tenant_id AND p.id = o.payment_id`,
};

/** The bookings of an operator's transactions, by their ids. */
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

/** The transaction that returned the money of a refund or reversal. */
export interface BookedReturn {
  operatorTxId: string;
  /** The refund or reversal. */
  id: string;
  amountMinor: bigint;
  currency: string;
  debitTxId: string | null;
}

const returnsOf = (table: string, column: string) => `
SELECT ${column} AS "operatorTxId", id, amount_minor AS "amountMinor", currency, operator_tx_id AS "debitTxId"
FROM ${table} WHERE operator = $1 AND ${column} = ANY ($2)`;

const returnBookingsStatement = {
  name: 'operator_transactions.given_back',
  text: [
    returnsOf('refunds', 'operator_refund_id'),
    returnsOf('reversals', 'operator_reversal_id'),
  ].join('\nUNION ALL'),
};

/** The transactions that returned a refund or reversal, regardless of their reference, by canonical name. */
export async function findReturnBookings(
  database: Queryable,
  operator: OperatorName,
  operatorTxIds: readonly string[],
): Promise<Map<string, BookedReturn>> {
  if (operatorTxIds.length === 0) return new Map();
  const values = [operator, textArray(operatorTxIds.flatMap(spellingsOf))];
  const rows = await database.query<BookedReturn>(returnBookingsStatement, values);
  return new Map(rows.map((row) => [canonicalName(row.operatorTxId), row]));
}
