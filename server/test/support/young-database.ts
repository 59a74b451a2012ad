import type { Client } from 'pg';

/** The tenant whose rows the statements request. */
export const tenantId = '0a1b2c3d-0000-7000-8000-000000000001';
/** The number of rows in small tables, in all or for each merchant. */
const few = 20;

/** Tables of the installation: a few rows, regardless of the number of merchants. */
const fewInAll =
  /^(admin_keys|alerts|audit_unsealed|backups|blocked_phones|cells|operator_watchers|payment_total_deltas|running_processes|staff|people)$/;
/** Tables with the single row that a migration inserted. */
const ours = /^(schema_migrations|this_cell|phone_digest_key)$/;
/** Tables of merchants: a few rows each. */
const fewPerMerchant =
  /^(api_keys|api_request_chunks|approvals|balances|bank_accounts|exports|invitations|memberships|payable_hours|payment_day_totals|payment_links|payment_totals|personal_data_walks|products|settlement_periods|settlements|short_links|unsettled|webhook_endpoints)$/;

interface Column {
  table: string;
  name: string;
  type: string;
  isRequired: boolean;
  /** The values that a CHECK allows, if it is a list. */
  allowed: string[] | null;
}

const ofSchema = 'current_schema()::regnamespace';

const columnsText = `
SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, NULL) AS type,
  a.attnotnull AS "isRequired", (
    SELECT array_agg(found[1]) FROM pg_constraint k
    CROSS JOIN regexp_matches(pg_get_constraintdef(k.oid), $$'([^']*)'::text$$, 'g') AS found
    WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
  ) AS allowed
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = ${ofSchema} AND c.relkind = 'r' AND a.attnum > 0
  AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = ''
ORDER BY c.relname, a.attnum`;

const preparations = `
SELECT format('ALTER TABLE %s SET (autovacuum_enabled = false)', oid::regclass) AS text
FROM pg_class WHERE relnamespace = ${ofSchema} AND relkind = 'r'
UNION ALL
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname)
FROM pg_constraint WHERE connamespace = ${ofSchema} AND contype IN ('c', 'f')`;

export const idAt = (n: string) =>
  `(lpad(to_hex(${n}), 8, '0') || '-0000-7000-8000-000000000000')::uuid`;

/** A distinct, plausible value for each `n`, by type. */
function madeUp({ table, name, type, isRequired, allowed }: Column): string {
  if (allowed) {
    const list = allowed.map((each) => `'${each}'`).join(', ');
    return `(ARRAY[${list}])[1 + n % ${allowed.length}]`;
  }
  if (table !== 'tenants' && (name === 'tenant_id' || name === 'merchant_id')) {
    const isOurs = fewPerMerchant.test(table) ? `n <= ${few}` : 'true';
    return `CASE WHEN ${isOurs} THEN '${tenantId}' ELSE ${idAt('n')} END`;
  }
  // Most rows of a table are not due.
  if (!isRequired && (name.endsWith('due_at') || name === 'deleted_at')) return 'NULL';
  const values: Record<string, string> = {
    uuid: idAt('n'),
    'timestamp with time zone': 'to_timestamp(1700000000 + n)',
    date: `DATE '2024-01-01' + n`,
    boolean: 'n % 2 = 0',
    bytea: `decode(md5(n::text), 'hex')`,
    jsonb: `'{}'`,
    interval: `interval '1 day'`,
  };
  return values[type] ?? (type.endsWith('[]') ? `'{}'` : `n::text::${type}`);
}

/** Disables autovacuum, and the constraints that would reject invented rows. */
export async function keepYoung(client: Client): Promise<void> {
  const { rows } = await client.query<{ text: string }>(preparations);
  for (const { text } of rows) await client.query(text);
}

/** Fills every table with this many rows, most of them of one merchant if a merchant has many. */
export async function fill(client: Client, columns: Column[], count: number): Promise<void> {
  for (const [table, own] of Object.entries(Object.groupBy(columns, ({ table }) => table))) {
    if (ours.test(table)) continue;
    const names = own!.map(({ name }) => name).join(', ');
    const insert = (values: string[], rows: number) =>
      client.query(
        `INSERT INTO ${table} (${names}) SELECT ${values.join(', ')}
        FROM generate_series(1, ${rows}) AS n ON CONFLICT DO NOTHING`,
      );
    const isOwner = table === 'tenants' || table === 'merchants';
    const ofOwner = (column: Column) => (column.name === 'id' ? `'${tenantId}'` : madeUp(column));
    if (isOwner) await insert(own!.map(ofOwner), 1);
    await insert(own!.map(madeUp), fewInAll.test(table) ? few : count);
  }
}

/** Runs before the CHECKs with the allowed values are dropped. */
export const columnsOf = async (client: Client): Promise<Column[]> =>
  (await client.query<Column>(columnsText)).rows;
