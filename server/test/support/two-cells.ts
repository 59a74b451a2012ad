import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import {
  type Database,
  openDatabase,
  type Queryable,
} from '../../src/platform/postgres/database.ts';
import { migrate } from '../../src/platform/postgres/migrations.ts';
import { withSchema } from '../../src/platform/postgres/url-options.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { createDigestKey, shareDigestKey } from '../../src/platform/secrets/digest-key.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-box.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { type Owner, ownersIn, shapesOf } from '../../src/tenants/cells/move/catalog.ts';
import type { OpenCell, OpenCells } from '../../src/tenants/cells/move/cells.ts';
import type { MoveOptions, MoveTiming } from '../../src/tenants/cells/move/move.ts';
import { installTriggers } from '../../src/tenants/cells/move/triggers.ts';
import { insertCell } from '../../src/tenants/cells/store.ts';
import { movingTables } from '../../src/tenants/cells/tables.ts';
import { cleanUp } from './cleanup.ts';
import { silentLog, testDatabase } from './database.ts';

export interface TwoCells extends OpenCells {
  north: OpenCell;
}

const secrets = createSecretBox(Buffer.alloc(32, 7));

/** The home, and a further cell as a schema beside it. */
export async function twoCells(context: TestContext): Promise<TwoCells> {
  const { url: homeUrl, database } = await testDatabase(context);
  await database.query({ text: 'CREATE SCHEMA north' });
  const url = withSchema(homeUrl, 'north');
  await migrate(url, { now: new Date() });
  const key = await createDigestKey({ database, secrets, log: silentLog }).open();
  const engine = 'POSTGRESQL';
  const north: OpenCell = { name: 'north', engine, url, database: openCell(context, url) };
  const home: OpenCell = { name: 'home', engine, url: homeUrl, database };
  await shareDigestKey(north.database, key!, secrets);
  const stored = { name: 'north', engine, schemaName: 'north', databaseUrl: null } as const;
  await insertCell(database, { ...stored, createdAtMs: Date.now() }, secrets);
  return { home, north, all: [home, north] };
}

function openCell(context: TestContext, url: string): Database {
  const database = openDatabase({
    url,
    log: silentLog,
    maxConnections: 16,
    connectTimeoutMs: 30_000,
    statementTimeoutMs: 60_000,
  });
  cleanUp(context, () => database.close());
  return database;
}

/** Nothing is waited for longer than need be. */
export const quickTiming: MoveTiming = {
  callMs: 0,
  drainMs: 1_000,
  holdLeadMs: 0,
  stopMs: 20_000,
  maxStopMs: 30_000,
  graceMs: 0,
  keyMemoryMs: 0,
  lockMs: 0,
};

export const moveOptions = (options: Partial<MoveOptions> = {}): MoveOptions => ({
  by: { clock: systemClock, ids: randomIds(), actor: 'cli:maria', origin: 'test' },
  secrets,
  timing: quickTiming,
  step: () => {},
  progress: () => {},
  ...options,
});

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

/** What checks ask for, by table. */
const fitting: Record<string, Record<string, unknown>> = {
  merchants: { fees: {}, payout_schedule: 'DAILY' },
  payments: { status: 'DEBITED', fee_minor: 0, refund_reserved_minor: 0, refunded_minor: 0 },
  refunds: { status: 'SUCCEEDED' },
  reversals: { status: 'SUCCEEDED', reason: 'LATE_DEBIT' },
  checkout_sessions: { status: 'COMPLETED' },
  postings: { from_account: 'y' },
  settlements: {
    status: 'COMPLETED',
    gross_minor: 10,
    fee_minor: 1,
    refund_minor: 2,
    net_minor: 7,
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

/** What makes a row due, where rows can be. */
const due: Record<string, Record<string, unknown>> = {
  payments: { status: 'CREATED' },
  refunds: { status: 'PENDING' },
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

/** A merchant with a row of every kind that moves, and one that is due where rows can be. */
export async function merchantWithEverything(cell: Database): Promise<Owner> {
  const owner: Owner = { merchantId: randomUUID(), tenantIds: [randomUUID(), randomUUID()] };
  const columns = await cell.query<Column>({ text: columnsText });
  await cell.transaction(async (transaction) => {
    for (const { name } of movingTables) {
      const own = columns.filter(({ table }) => table === name);
      for (const row of rowsFor(name, own, owner)) await insertRow(transaction, own, row);
    }
  });
  return owner;
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

/** Has its writes checked as by a run that is under way, or that has left its checks behind. */
export async function checkWrites(
  { url, database }: Pick<OpenCell, 'url' | 'database'>,
  owner: Owner,
  moveId: string,
): Promise<void> {
  const values = [owner.merchantId, moveId];
  const mark = `INSERT INTO moving_merchants (merchant_id, move_id, state) VALUES ($1, $2, 'COPYING')`;
  await database.query({ text: mark }, values);
  await installTriggers(url, await shapesOf(database), owner, { moveId, state: 'COPYING' });
  const text = 'DELETE FROM moving_merchants WHERE merchant_id = $1 AND move_id = $2';
  await database.query({ text }, values);
}

/** All rows of a merchant in a cell, by table. */
export async function rowsOf(cell: Database, owner: Owner): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of movingTables) {
    const text = `
SELECT t::text AS row FROM ${table.name} t WHERE ${table.owner.column} = ANY ($1::uuid[]) ORDER BY 1`;
    const found = await cell.query<{ row: string }>({ text }, [ownersIn(table, owner)]);
    rows[table.name] = found.map(({ row }) => row);
  }
  return rows;
}

export const countIn = async (cell: Database, owner: Owner) =>
  Object.values(await rowsOf(cell, owner)).flat().length;
