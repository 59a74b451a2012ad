import { Conditions } from '../../platform/postgres/conditions.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import type { ExportedPayment } from './export-rows.ts';
import { addConditions, type PaymentFilter } from './list.ts';

export type ExportState = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

/** An export of payments, running or finished. */
export interface PaymentExport {
  tenantId: string;
  id: string;
  /** The person or key that exports, as in the audit log. */
  actor: string;
  format: 'CSV' | 'XLSX';
  state: ExportState;
  /** Null until the rows are counted. */
  rowsTotal: bigint | null;
  rowsWritten: bigint;
  createdAtMs: number;
  updatedAtMs: number;
}

const columns = `tenant_id AS "tenantId", id, actor, format, state, rows_total AS "rowsTotal",
  rows_written AS "rowsWritten", created_at AS "createdAtMs", updated_at AS "updatedAtMs"`;

/** How many exports of a tenant may run at once. */
export const mostRunning = 2;
/** An export without progress for this long has died with its process. */
const silentMs = 120_000;
const keptMs = 30 * 86_400_000;

const clearStatement = {
  name: 'exports.clear',
  text: `
WITH removed AS (
  DELETE FROM exports WHERE tenant_id = $1 AND state <> 'RUNNING' AND created_at < $3
)
UPDATE exports SET state = 'FAILED'
WHERE tenant_id = $1 AND state = 'RUNNING' AND updated_at < $2`,
};

const insertStatement = {
  name: 'exports.insert',
  text: `
INSERT INTO exports
  (tenant_id, id, actor, format, state, rows_written, slot, created_at, updated_at)
SELECT $1::uuid, $2, $3, $4, 'RUNNING', 0, free.slot, $5, $5
FROM generate_series(1, ${mostRunning}) AS free (slot)
WHERE NOT EXISTS (
  SELECT FROM exports e WHERE e.tenant_id = $1 AND e.state = 'RUNNING' AND e.slot = free.slot
)
ORDER BY free.slot LIMIT 1
ON CONFLICT DO NOTHING
RETURNING id`,
};

/** False if the tenant has as many running exports as it may. */
export async function insertExport(
  transaction: Queryable,
  { tenantId, id, actor, format }: Pick<PaymentExport, 'tenantId' | 'id' | 'actor' | 'format'>,
  nowMs: number,
): Promise<boolean> {
  const instants = [timestamp(nowMs - silentMs), timestamp(nowMs - keptMs)];
  await transaction.query(clearStatement, [tenantId, ...instants]);
  const values = [tenantId, id, actor, format, timestamp(nowMs)];
  // A concurrent export that took the same slot a moment ago gets an error, and tries the next slot.
  for (let tried = 0; tried < mostRunning; tried++) {
    if ((await transaction.query(insertStatement, values)).length > 0) return true;
  }
  return false;
}

const noteStatement = {
  name: 'exports.note',
  text: `
UPDATE exports SET state = $3, rows_written = $4, rows_total = coalesce($5, rows_total), updated_at = $6
WHERE tenant_id = $1 AND id = $2 AND state = 'RUNNING'
RETURNING id`,
};

/** False if the export has lost its slot: another took the slot, after a long time without progress. */
export async function noteExport(
  database: Queryable,
  { tenantId, id }: Pick<PaymentExport, 'tenantId' | 'id'>,
  now: { state: ExportState; rowsWritten: number; rowsTotal: bigint | undefined; atMs: number },
): Promise<boolean> {
  const { state, rowsWritten, rowsTotal, atMs } = now;
  const values = [tenantId, id, state, rowsWritten, rowsTotal?.toString(), timestamp(atMs)];
  return (await database.query(noteStatement, values)).length > 0;
}

const findStatement = {
  name: 'exports.find',
  text: `SELECT ${columns} FROM exports WHERE tenant_id = $1 AND id = $2`,
};

/** Progress, readable from any process. */
export async function findExport(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<PaymentExport | undefined> {
  return (await database.query<PaymentExport>(findStatement, [tenantId, id]))[0];
}

const listStatement = {
  name: 'exports.list',
  text: `SELECT ${columns} FROM exports WHERE tenant_id = $1 AND actor = $2 ORDER BY id DESC LIMIT $3`,
};

/** The latest export. */
export function listExports(
  database: Queryable,
  tenantId: string,
  actor: string,
  limit: number,
): Promise<PaymentExport[]> {
  return database.query<PaymentExport>(listStatement, [tenantId, actor, limit]);
}

export async function countPayments(
  database: Queryable,
  tenantId: string,
  filter: PaymentFilter,
): Promise<bigint> {
  const asked = new Conditions([tenantId], 'tenant_id = $1');
  narrowExport(asked, filter);
  const text = `SELECT count(*) FROM payments WHERE ${asked.text}`;
  return (await database.query<{ count: bigint }>({ text }, asked.values))[0]!.count;
}

const exported = `id, status, amount_minor AS "amountMinor", fee_minor AS "feeMinor", currency, operator,
  operator_phone AS "operatorPhone", operator_tx_id AS "operatorTxId", failure_code AS "failureCode",
  external_id AS "externalId", customer_id AS "customerId", description, created_at AS "createdAtMs"`;

/** The next page in the order of ids, which is the order of creation. */
export function nextPayments(
  database: Queryable,
  tenantId: string,
  filter: PaymentFilter,
  page: { limit: number; afterId: string | undefined },
): Promise<ExportedPayment[]> {
  const asked = new Conditions([tenantId, page.limit], 'tenant_id = $1');
  asked.where('id > ?', page.afterId);
  narrowExport(asked, filter);
  const text = `SELECT ${exported} FROM payments WHERE ${asked.text} ORDER BY id LIMIT $2`;
  return database.query<ExportedPayment>({ text }, asked.values);
}

/** All pages together scan the payments once, so a status needs no index here. */
function narrowExport(asked: Conditions, filter: PaymentFilter): void {
  addConditions(asked, filter);
  asked.where('status = ANY (?::text[])', filter.status && [filter.status].flat());
}
