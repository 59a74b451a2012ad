/*
 * Conditions of lists that a program or a person puts together from several cells. While a merchant moves, rows of it
 * are in two of them; what has not yet arrived, or has left, is shown where it is served. With one cell nothing moves,
 * and the array is empty.
 */

const elsewhere = `ARRAY(SELECT merchant_id FROM moving_merchants WHERE state IN ('ARRIVING', 'GONE'))`;

/** Of a row that says its merchant, in this column. */
export const isServedHere = (merchant: string): string => `${merchant} <> ALL (${elsewhere})`;

/** Of a row that says its tenant alone. A merchant that arrives has rows before it has its tenants. */
export const isOfServed = (tenant: string): string =>
  `EXISTS (SELECT FROM tenants served WHERE served.id = ${tenant} AND ${isServedHere('served.merchant_id')})`;
