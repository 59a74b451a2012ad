import { accountsIn, type BookingTable } from '../../integrations/operators/booked-accounts.ts';
import { spellingsOf } from '../../integrations/operators/transaction-ids.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Mode } from '../../tenants/merchants/api-key.ts';

/** An operator's transaction as it may be stored, if it was typed in another case. */
export const casesOf = (reference: string): string[] => [
  ...new Set([...spellingsOf(reference), reference.toUpperCase(), reference.toLowerCase()]),
];

/**
 * The condition that an operator's transaction moved the payment's money, in either direction. The tenant is `$1`.
 * @param spellings the placeholder of the transaction's {@link casesOf}
 */
export const paymentOfTransaction = (mode: Mode, spellings: string): string =>
  `id = ANY (ARRAY (${mode === 'live' ? liveTransaction(spellings) : simulatedTransaction(spellings)}))`;

/** For live payments. */
const liveTransaction = (spellings: string) => `
  ${bookedIn('operator_transactions', 'booked.payment_id', spellings)}
  UNION ALL
  SELECT coalesce(refund.payment_id, reversal.payment_id)
  FROM (${bookedIn('outgoing_transactions', 'booked.subject_id', spellings)}) AS went
  LEFT JOIN refunds refund ON refund.tenant_id = $1 AND refund.id = went.subject_id
  LEFT JOIN reversals reversal ON reversal.tenant_id = $1 AND reversal.id = went.subject_id`;

const bookedIn = (table: BookingTable, subject: string, spellings: string) =>
  `(SELECT ${subject} FROM ${bookedAnywhere(table, spellings)} AS booked WHERE booked.tenant_id = $1)`;

/**
 * The bookings of a transaction with any tenant, as a FROM item.
 * @param spellings the placeholder of the transaction's {@link casesOf}
 */
export const bookedAnywhere = (table: BookingTable, spellings: string) => `
  (${accountsIn(table)}
  SELECT o.* FROM account a
  JOIN ${table} o
    ON o.operator = a.operator AND o.account = a.account AND o.operator_tx_id = ANY (${spellings}))`;

/** For test payments: the records of the simulated operators, for as long as they remember them. */
const simulatedTransaction = (spellings: string) => `
  SELECT coalesce(refund.payment_id, reversal.payment_id, done.reference)
  FROM simulator_transactions done
  LEFT JOIN refunds refund ON refund.tenant_id = done.tenant_id AND refund.id = done.reference
  LEFT JOIN reversals reversal ON reversal.tenant_id = done.tenant_id AND reversal.id = done.reference
  WHERE done.tenant_id = $1 AND done.operator_tx_id = ANY (${spellings})`;

/** Those that name it: a late or second debit is booked for a payment, but is not its own. */
const namedIn = (debits: string) => `
SELECT DISTINCT payment.id FROM (${debits}) AS debit (id)
CROSS JOIN LATERAL (
  SELECT id, operator_tx_id FROM payments WHERE tenant_id = $1 AND payments.id = debit.id OFFSET 0
) AS payment
WHERE payment.operator_tx_id = ANY ($2::text[])`;

const ofTransactionStatement = {
  live: {
    name: 'payments.of_transaction',
    text: namedIn(bookedIn('operator_transactions', 'booked.payment_id', '$2::text[]')),
  },
  test: {
    name: 'payments.of_simulated_transaction',
    text: namedIn(`
  SELECT done.reference FROM unnest($2::text[]) AS spelling (name)
  CROSS JOIN LATERAL (
    SELECT reference FROM simulator_transactions
    WHERE tenant_id = $1 AND operator_tx_id = spelling.name OFFSET 0
  ) AS done`),
  },
};

/** The ids of the payments whose operatorTxId this is, in any case. */
export async function findPaymentsOfTransaction(
  database: Queryable,
  { tenantId, mode }: { tenantId: string; mode: Mode },
  transaction: string,
): Promise<string[]> {
  const values = [tenantId, casesOf(transaction)];
  const found = await database.query<{ id: string }>(ofTransactionStatement[mode], values);
  return found.map(({ id }) => id);
}
