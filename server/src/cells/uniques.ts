import { isServedHere } from '../served-here.ts';
import type { Unique } from './across.ts';

const merchants = `SELECT id::text AS key, name AS detail FROM merchants WHERE ${isServedHere('id')}`;

/** A merchant lives in one cell. */
export const oneCellPerMerchant: Unique = {
  text: `${merchants} ORDER BY id`,
  again: `${merchants} AND id = ANY ($1::uuid[])`,
};

/** No operator, account or transaction has it in its name. */
export const separator = '\u001f';
const transactionKey = ['operator', 'account', 'operator_tx_id']
  .map((column) => `o.${column}`)
  .join(' || chr(31) || ');
const transactions = `
SELECT ${transactionKey} AS key, o.payment_id::text AS detail
FROM operator_transactions o JOIN tenants t ON t.id = o.tenant_id
WHERE ${isServedHere('t.merchant_id')}`;

/** A transaction of an operator is booked once, in all cells together. */
export const oneBookingPerTransaction: Unique = {
  text: `${transactions} ORDER BY (${transactionKey}) COLLATE "C"`,
  again: `${transactions} AND ${transactionKey} = ANY ($1::text[])`,
};
