import { type Dependencies, type Prepared, prepare } from '../postgres/statement.ts';

const claimGiven = { nowMs: 'timestamptz', leaseMs: 'timestamptz', limit: 'integer' } as const;

type Sql<Of> = (given: Record<keyof Of, string>) => string;

export interface Claim<Of extends Dependencies> {
  name: string;
  table: string;
  /** The primary key. */
  key: readonly string[];
  /** What the conditions need beside the instants and the limit. */
  given?: Of;
  /** Which of the due rows `r`; without it, all. */
  where?: Sql<Of>;
  /** What is joined to each row `r` while it is looked for. */
  join?: string;
  /** Which of its columns `returning` needs. */
  carry?: readonly string[];
  /** Which comes first. */
  order?: string;
  /** The bytes of a row `r`. */
  bytes?: string;
  /** Which of them fit, by their `bytes`, and by the `bytes_before` and `bytes_of_tenant_before` them. */
  fit?: Sql<Of>;
  /** The columns that the lease is written to. */
  lease?: readonly string[];
  /** What is given of the rows `r` that were taken. */
  returning: string;
  /** A query of that, as `claimed`. */
  select?: string;
}

/**
 * The statement that takes rows that are due, of all tenants, under a lease. They are found in a CTE of its own:
 * a subquery in FROM may be run again for each row of the table, and takes as many as its limit each time.
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
  // Rows of no tenant are the gateway's own.
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
