/** A FROM item: the names of merchants, including those in further cells. People are in the home. */
export const merchantNames = `(
    SELECT id, name FROM merchants UNION ALL
    SELECT c.merchant_id, c.name FROM cell_merchants c
    WHERE NOT EXISTS (SELECT FROM merchants here WHERE here.id = c.merchant_id)
  ) AS t (id, name)`;
