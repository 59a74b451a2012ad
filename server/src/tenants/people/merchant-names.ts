/** A FROM item: what merchants are called, those of further cells among them. People are at home in the first cell. */
export const merchantNames = `(
    SELECT id, name FROM merchants UNION ALL
    SELECT c.merchant_id, c.name FROM cell_merchants c
    WHERE NOT EXISTS (SELECT FROM merchants here WHERE here.id = c.merchant_id)
  ) AS t (id, name)`;
