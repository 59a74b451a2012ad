import type { Queryable } from '../../platform/postgres/database.ts';

const noteStatement = {
  name: 'cell_merchants.note',
  text: `
INSERT INTO cell_merchants (merchant_id, name)
SELECT id, name FROM unnest($1::uuid[], $2::text[]) AS given (id, name)
WHERE NOT EXISTS (SELECT FROM merchants here WHERE here.id = given.id)
ON CONFLICT (merchant_id) DO UPDATE SET name = excluded.name WHERE cell_merchants.name <> excluded.name`,
};

/** Notes where people are at home what merchants of further cells are called; one that is served there is in no list. */
export async function noteMerchantNames(
  home: Queryable,
  merchants: readonly { id: string; name: string }[],
): Promise<void> {
  const values = [merchants.map(({ id }) => id), merchants.map(({ name }) => name)];
  if (merchants.length > 0) await home.query(noteStatement, values);
}
