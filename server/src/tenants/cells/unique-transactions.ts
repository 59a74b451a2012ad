import type { UniqueValues } from './duplicates.ts';

/** Separates parts of a key: no operator, account or transaction contains it. */
export const separator = '\u001f';
const transactionKey = ['operator', 'account', 'operator_tx_id']
  .map((column) => `o.${column}`)
  .join(' || chr(31) || ');

/** @param subject the booked object: its kind, and its id */
function uniqueTransactions(table: string, subject: { kind: string; id: string }): UniqueValues {
  const transactions = `
SELECT ${transactionKey} AS key, ${subject.kind} || ' ' || o.${subject.id} AS detail
FROM ${table} o`;
  return {
    text: `${transactions} ORDER BY (${transactionKey}) COLLATE "C"`,
    textForKeys: `${transactions} WHERE ${transactionKey} = ANY ($1::text[])`,
  };
}

/** An incoming transaction of an operator is booked once over all cells, for one payment. */
export const incomingTransactions = uniqueTransactions('operator_transactions', {
  kind: `'PAYMENT'`,
  id: 'payment_id',
});

/** Likewise an outgoing transaction, for one refund or reversal. */
export const outgoingTransactions = uniqueTransactions('outgoing_transactions', {
  kind: 'o.kind',
  id: 'subject_id',
});
