/*
 * Conditions of lists that a program or a person puts together from several cells, and of work on rows of all merchants.
 * While a merchant moves, rows of it are in two cells; what has not yet arrived, or has left, is shown, and worked on,
 * where it is served. With one cell nothing moves, and the array is empty.
 */

const elsewhere = `ARRAY(SELECT merchant_id FROM moving_merchants WHERE state IN ('ARRIVING', 'GONE'))`;

/** Of a row that says its merchant, in this column. */
export const isServedHere = (merchant: string): string => `${merchant} <> ALL (${elsewhere})`;

/** Of a row that says its tenant alone. A merchant that arrives has rows before it has its tenants. */
export const isOfServed = (tenant: string): string =>
  `EXISTS (SELECT FROM tenants served WHERE served.id = ${tenant} AND ${isServedHere('served.merchant_id')})`;

/** The same of a row that may be of no tenant. */
export const isOfServedOrNobody = (tenant: string): string =>
  `(${tenant} IS NULL OR ${isOfServed(tenant)})`;

/** Of a row that says its tenant, and does not come before it: quicker for many rows. */
export const isNotOfMoved = (tenant: string): string => `${tenant} <> ALL (ARRAY(
  SELECT moved.id FROM moving_merchants m JOIN tenants moved ON moved.merchant_id = m.merchant_id
  WHERE m.state IN ('ARRIVING', 'GONE')))`;
