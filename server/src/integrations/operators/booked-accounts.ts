import type { Queryable } from '../../platform/postgres/database.ts';

/** Our accounts with bookings in a table, of which there are few: found one after the other along the key. */
const accountsOf = (table: string) => ({
  name: `${table}.accounts`,
  text: `
WITH RECURSIVE each AS (
  (SELECT operator, account FROM ${table} ORDER BY operator, account LIMIT 1)
  UNION ALL
  SELECT following.operator, following.account
  FROM each e CROSS JOIN LATERAL (
    SELECT operator, account FROM ${table} o
    WHERE (o.operator, o.account) > (e.operator, e.account)
    ORDER BY operator, account LIMIT 1) AS following
)
SELECT DISTINCT account FROM each`,
});
const accountStatements = ['operator_transactions', 'outgoing_transactions'].map(accountsOf);

/**
 * Our accounts with any bookings, and '', which stands for any account: for bookings from before accounts were
 * stored.
 */
export async function findBookedAccounts(database: Queryable): Promise<string[]> {
  const accounts = new Set(['']);
  for (const statement of accountStatements) {
    const found = await database.query<{ account: string }>(statement);
    for (const { account } of found) accounts.add(account);
  }
  return [...accounts];
}
