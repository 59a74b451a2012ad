import type { Unique } from './across.ts';

/** No operator, account or transaction has it in its name. */
export const separator = '\u001f';
const transactionKey = ['operator', 'account', 'operator_tx_id']
  .map((column) => `o.${column}`)
  .join(' || chr(31) || ');

/** @param subject what it is booked for: its kind, which ids are told by, and its id */
function oneBookingIn(table: string, subject: { kind: string; id: string }): Unique {
  const transactions = `
SELECT ${transactionKey} AS key, ${subject.kind} || ' ' || o.${subject.id} AS detail
FROM ${table} o`;
  return {
    text: `${transactions} ORDER BY (${transactionKey}) COLLATE "C"`,
    again: `${transactions} WHERE ${transactionKey} = ANY ($1::text[])`,
  };
}

/** A transaction of an operator is booked once, in all cells together: of a payment, by which money came in. */
export const oneBookingPerTransaction = oneBookingIn('operator_transactions', {
  kind: `'PAYMENT'`,
  id: 'payment_id',
});

/** The same of a refund or reversal, by which it went out. */
export const oneBookingPerReturn = oneBookingIn('outgoing_transactions', {
  kind: 'o.kind',
  id: 'subject_id',
});
