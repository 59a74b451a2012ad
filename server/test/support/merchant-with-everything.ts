import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../../src/platform/postgres/database.ts';
import { merchantTables } from '../../src/tenants/cells/tables.ts';

interface Owner {
  merchantId: string;
  tenantIds: string[];
}

interface Column {
  table: string;
  name: string;
  type: string;
  isNeeded: boolean;
}

const values: Record<string, () => unknown> = {
  uuid: () => randomUUID(),
  text: () => `ã ${randomUUID()}`,
  integer: () => 1,
  bigint: () => 1,
  smallint: () => 1,
  'numeric(39,0)': () => '12345678901234567890123456789',
  boolean: () => false,
  date: () => '2026-11-23',
  jsonb: () => ({ deep: [1, null, 'ã'] }),
  bytea: () => `\\x${Buffer.from(randomUUID()).toString('hex')}`,
  'text[]': () => ['a', 'b,"c"'],
  'timestamp with time zone': () => '2026-11-23T10:11:12.131415Z',
};

/** Values that CHECKs require, by table. */
const fitting: Record<string, Record<string, unknown>> = {
  merchants: { fees: {}, payout_schedule: 'DAILY' },
  payments: { status: 'DEBITED', fee_minor: 0, refund_reserved_minor: 0, refunded_minor: 0 },
  refunds: { status: 'SUCCEEDED' },
  disbursements: { status: 'SUCCEEDED' },
  disbursement_batches: { status: 'COMPLETED' },
  disbursement_days: { scope: 'MERCHANT' },
  reversals: { status: 'SUCCEEDED', reason: 'LATE_DEBIT' },
  checkout_sessions: { status: 'COMPLETED' },
  postings: { from_account: 'y' },
  settlements: {
    status: 'COMPLETED',
    gross_minor: 10,
    fee_minor: 1,
    refund_minor: 2,
    disbursement_minor: 3,
    net_minor: 4,
  },
  payment_totals: { outcome: 'SUCCEEDED' },
  webhook_endpoints: { status: 'ACTIVE' },
  deliveries: { status: 'SUCCEEDED' },
  exports: { format: 'CSV', state: 'SUCCEEDED' },
  approvals: { kind: 'REFUND', status: 'DONE', ended_at: '2026-11-23T10:11:12Z' },
  notices: { kind: 'ENDPOINT_DISABLED' },
  notice_recipients: { place: 'MERCHANT' },
  operator_callbacks: { kind: 'DEBIT' },
  operator_transactions: { kind: 'DEBIT' },
  outgoing_transactions: { kind: 'REFUND' },
  simulator_transactions: { kind: 'DEBIT', status: 'SUCCEEDED' },
  payment_links: { amount_minor: 5, description: 'x' },
  personal_data_walks: { kind: 'PAYMENTS' },
  review_items: { kind: 'UNCLEAR', subject_kind: 'PAYMENT' },
};

/** Makes a row due, for tables with due rows. */
const due: Record<string, Record<string, unknown>> = {
  payments: { status: 'CREATED' },
  refunds: { status: 'PENDING' },
  disbursements: { status: 'CREATED' },
  disbursement_batches: { status: 'CREATED' },
  reversals: { status: 'PENDING' },
  checkout_sessions: { status: 'OPEN' },
  settlements: { status: 'PENDING' },
  deliveries: { status: 'PENDING' },
  approvals: { status: 'APPROVED', ended_at: null },
  simulator_transactions: { status: 'PENDING' },
};

const columnsText = `
SELECT c.relname::text AS "table", a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type,
  a.attnotnull AS "isNeeded"
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`;

/** A merchant with a row in each table, and with a due row in each table that has due rows. */
export async function merchantWithEverything(cell: Database): Promise<void> {
  const owner: Owner = { merchantId: randomUUID(), tenantIds: [randomUUID(), randomUUID()] };
  const columns = await cell.query<Column>({ text: columnsText });
  await cell.transaction(async (transaction) => {
    for (const name of merchantTables) {
      const own = columns.filter(({ table }) => table === name);
      for (const row of rowsFor(name, own, owner)) await insertRow(transaction, own, row);
    }
  });
}

function rowsFor(table: string, columns: readonly Column[], owner: Owner) {
  const row = () => rowOf(table, columns, owner);
  if (table === 'merchants') return [{ ...row(), id: owner.merchantId }];
  if (table === 'tenants') {
    return owner.tenantIds.map((id, index) => ({ ...row(), id, mode: index ? 'test' : 'live' }));
  }
  if (!(table in due) && table !== 'operator_callbacks') return [row()];
  return [row(), { ...row(), due_at: '2026-11-23T10:11:12.131415Z', ...due[table], outcome: 'd' }];
}

function rowOf(
  table: string,
  columns: readonly Column[],
  { merchantId, tenantIds }: Owner,
): Record<string, unknown> {
  const needed = columns.filter(({ isNeeded }) => isNeeded);
  const row = Object.fromEntries(needed.map(({ name, type }) => [name, values[type]!()]));
  return { ...row, ...fitting[table], merchant_id: merchantId, tenant_id: tenantIds[0] };
}

async function insertRow(
  cell: Queryable,
  columns: readonly Column[],
  row: Record<string, unknown>,
): Promise<void> {
  const { table } = columns[0]!;
  const names = columns
    .map(({ name }) => name)
    .filter((name) => name in row)
    .join();
  const text = `
INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_record(NULL::${table}, $1::json)`;
  await cell.query({ text }, [JSON.stringify(row)]);
}
