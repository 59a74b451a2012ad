import type { Queryable } from '../../platform/postgres/database.ts';

const noteStatement = {
  name: 'cell_merchants.note',
  text: `
INSERT INTO cell_merchants (merchant_id, name)
SELECT id, name FROM unnest($1::uuid[], $2::text[]) AS given (id, name)
WHERE NOT EXISTS (SELECT FROM merchants here WHERE here.id = given.id)
ON CONFLICT (merchant_id) DO UPDATE SET name = excluded.name WHERE cell_merchants.name <> excluded.name`,
};

/** Stores the names of merchants in further cells in the home, for their people; merchants of the home are skipped. */
export async function storeMerchantNames(
  home: Queryable,
  merchants: readonly { id: string; name: string }[],
): Promise<void> {
  const values = [merchants.map(({ id }) => id), merchants.map(({ name }) => name)];
  if (merchants.length > 0) await home.query(noteStatement, values);
}
