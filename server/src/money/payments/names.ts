import type { Queryable } from '../../platform/postgres/database.ts';

/** The names by which a merchant's books know a payment. */
export interface PaymentNames {
  externalId: string | null;
  customerId: string | null;
  operator: string;
  operatorTxId: string | null;
}

const namesStatement = {
  name: 'payments.names',
  text: `
SELECT id, external_id AS "externalId", customer_id AS "customerId", operator,
  operator_tx_id AS "operatorTxId"
FROM payments WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`,
};

/** Adds to each row of a page the names of its payment; undefined for rows without one. */
export async function withNames<Row extends { paymentId: string | null }>(
  database: Queryable,
  tenantId: string,
  rows: readonly Row[],
): Promise<(Row & { names: PaymentNames | undefined })[]> {
  const ids = [...new Set(rows.flatMap(({ paymentId }) => paymentId ?? []))];
  type Found = PaymentNames & { id: string };
  const found =
    ids.length === 0 ? [] : await database.query<Found>(namesStatement, [tenantId, ids]);
  const names = new Map(found.map((each) => [each.id, each]));
  return rows.map((row) => ({ ...row, names: names.get(row.paymentId ?? '') }));
}
