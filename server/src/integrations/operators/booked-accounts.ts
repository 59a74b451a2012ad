import type { Queryable } from '../../platform/postgres/database.ts';

/** The tables of operators' transactions, each booked once: of money that came in, and that went out. */
export type BookingTable = 'operator_transactions' | 'outgoing_transactions';

/**
 * A recursive common table expression `account` (operator, account): ours with bookings in a table, of which there are
 * few. They are found one after the other along the key, so that no further index is needed.
 */
export const accountsIn = (table: BookingTable) => `WITH RECURSIVE account AS (
  (SELECT operator, account FROM ${table} ORDER BY operator, account LIMIT 1)
  UNION ALL
  SELECT following.operator, following.account
  FROM account a CROSS JOIN LATERAL (
    SELECT operator, account FROM ${table} o
    WHERE (o.operator, o.account) > (a.operator, a.account)
    ORDER BY operator, account LIMIT 1) AS following
)`;

const accountStatements = (['operator_transactions', 'outgoing_transactions'] as const).map(
  (table) => ({
    name: `${table}.accounts`,
    text: `${accountsIn(table)} SELECT DISTINCT account FROM account`,
  }),
);

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
