import { type Dependencies, type Prepared, prepare } from '../postgres/statement.ts';

const claimGiven = { nowMs: 'timestamptz', leaseMs: 'timestamptz', limit: 'integer' } as const;

type Sql<Of> = (given: Record<keyof Of, string>) => string;

export interface Claim<Of extends Dependencies> {
  name: string;
  table: string;
  /** The primary key. */
  key: readonly string[];
  /** Further parameters of the conditions. */
  given?: Of;
  /** A condition on the due rows `r`; without it, all qualify. */
  where?: Sql<Of>;
  /** A join to each row `r` in the search. */
  join?: string;
  /** The columns of the join that `returning` needs. */
  carry?: readonly string[];
  /** The order. */
  order?: string;
  /** The bytes of a row `r`. */
  bytes?: string;
  /** Which of them fit, by their `bytes`, and by the `bytes_before` and `bytes_of_tenant_before` them. */
  fit?: Sql<Of>;
  /** The columns that the lease is written to. */
  lease?: readonly string[];
  /** The returned expressions on the claimed rows `r`. */
  returning: string;
  /** A query of that, as `claimed`. */
  select?: string;
}

/**
 * The statement that claims due rows of all tenants under a lease. A separate CTE finds them: a subquery in FROM may
 * run again for each row of the table, and would apply its limit each time.
 */
export function claimStatement<Of extends Dependencies = Record<never, never>>({
  name,
  table,
  key,
  given: more,
  where = () => 'true',
  join = '',
  carry = [],
  order = 'due_at',
  bytes = '0',
  fit = () => 'true',
  lease = ['due_at'],
  returning,
  select,
}: Claim<Of>): Prepared<Of & typeof claimGiven> {
  const dueKey = key.map((column) => `r.${column} AS due_${column}`).join(', ');
  const carried = carry.map((column) => `, ${column}`).join('');
  const byKey = key.map((column) => `r.${column} = due_${column}`).join(' AND ');
  // Rows without a tenant belong to the gateway itself.
  const tenant = key.includes('tenant_id') ? 'due_tenant_id' : 'NULL::uuid';
  const oneByOne = `ORDER BY found_due_at, ${key.map((column) => `due_${column}`).join(', ')}`;
  return prepare({
    name,
    given: { ...claimGiven, ...(more as Of) },
    text: (given) => {
      const found = `
WITH due AS MATERIALIZED (
  SELECT ${dueKey}, due_at AS found_due_at, ${bytes} AS bytes${carried}
  FROM ${table} r ${join}
  WHERE due_at <= ${given.nowMs} AND ${where(given)}
  ORDER BY ${order} LIMIT ${given.limit} FOR UPDATE OF r SKIP LOCKED
), weighed AS MATERIALIZED (
  SELECT due.*, sum(bytes) OVER (${oneByOne}) - bytes AS bytes_before,
    sum(bytes) OVER (PARTITION BY ${tenant} ${oneByOne}) - bytes AS bytes_of_tenant_before
  FROM due
)`;
      const update = `
UPDATE ${table} r SET ${lease.map((column) => `${column} = ${given.leaseMs}`).join(', ')}
FROM weighed
WHERE ${byKey} AND ${fit(given)}
RETURNING ${returning}`;
      return select ? `${found}, claimed AS (${update}\n)${select}` : `${found}${update}`;
    },
  });
}
