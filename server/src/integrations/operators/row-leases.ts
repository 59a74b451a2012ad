import { claimStatement } from '../../platform/jobs/claim.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import type { ClaimRoom } from '../../platform/jobs/worker.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { pageBytes } from '../../platform/postgres/page-bytes.ts';
import { listOf, prepare } from '../../platform/postgres/statement.ts';
import { type Addressed, modeOfRow, queueOfRow } from './queue.ts';

/** A payment, refund or reversal that is queried at an operator; during the query, `dueAtMs` is the lease. */
interface DueRow {
  tenantId: string;
  id: string;
  dueAtMs: number | null;
  version?: number;
}

interface DueTable {
  table: string;
  columns: string;
  /** The bytes of a row `r` that a merchant may fill. */
  bytes: string;
  /** Whether a lease ends as soon as another writer has changed the row. */
  isVersioned: boolean;
}

export interface Taking {
  tenantId: string;
  id: string;
  nowMs: number;
  leaseMs: number;
  /** A request sent after this may be on its way, and its lease is not shortened. */
  underWaySinceMs?: number;
}

/** A claimed row, and the lease under which it is held. */
export interface ClaimedRow<Row> {
  row: Row;
  leaseMs: number;
}

/** The statements that lease the rows of a table: of payments, refunds, reversals or disbursements. */
export const rowLeases = <Row extends DueRow>(table: DueTable) => ({
  claim: claimOf<Row>(table),
  take: takeOf<Row>(table),
  renew: renewOf<Row>(table),
  markByHand: markOf(table),
});

/** Claims due rows of all tenants, under a lease; as many as fit; at least one. */
function claimOf<Row>({ table, columns, bytes }: DueTable) {
  const statement = claimStatement({
    name: `${table}.claim`,
    table,
    key: ['tenant_id', 'id'],
    given: {
      busyQueues: listOf('text'),
      fullTenantIds: listOf('uuid'),
      bytes: 'integer',
      bytesPerTenant: 'integer',
    },
    where: (given) =>
      `${queueOfRow('r')} <> ALL (${given.busyQueues}) AND tenant_id <> ALL (${given.fullTenantIds})`,
    bytes,
    fit: (given) =>
      `bytes_before < ${given.bytes} AND bytes_of_tenant_before < ${given.bytesPerTenant}`,
    lease: ['due_at', 'asking_until'],
    returning: `${columns}, ${modeOfRow('r')} AS mode`,
  });
  const allRoom = {
    busyQueues: [],
    fullTenantIds: [],
    bytes: pageBytes,
    bytesPerTenant: pageBytes,
  };
  return (
    database: Queryable,
    nowMs: number,
    leaseMs: number,
    limit: number,
    room: Partial<ClaimRoom> = {},
  ): Promise<(Row & Addressed)[]> =>
    statement.run(database, { nowMs, leaseMs, limit, ...allRoom, ...room });
}

/**
 * Claims one row to query it now, due or not, and returns when it was due; undefined if a query about it is under
 * way, or if it does not exist.
 */
function takeOf<Row>({ table, columns }: DueTable) {
  const statement = prepare({
    name: `${table}.take`,
    given: {
      tenantId: 'uuid',
      id: 'uuid',
      nowMs: 'timestamptz',
      leaseMs: 'timestamptz',
      underWaySinceMs: 'timestamptz',
    },
    text: (given) => `
WITH found AS MATERIALIZED (
  SELECT due_at AS found_due_at FROM ${table} WHERE tenant_id = ${given.tenantId} AND id = ${given.id} FOR UPDATE
)
UPDATE ${table} r SET asking_until = ${given.leaseMs},
  due_at = CASE WHEN r.sent_at >= ${given.underWaySinceMs} THEN GREATEST(r.due_at, ${given.leaseMs})
    ELSE ${given.leaseMs} END,
  -- This query is none of those that are planned, whose intervals would grow with every hint.
  ask_count = GREATEST(r.ask_count - 1, 0)
FROM found
WHERE r.tenant_id = ${given.tenantId} AND r.id = ${given.id}
  AND (r.asking_until IS NULL OR r.asking_until <= ${given.nowMs})
RETURNING ${columns}, found_due_at AS "foundDueAtMs"`,
  });
  return async (database: Queryable, taking: Taking) => {
    const [taken] = await statement.run<{ foundDueAtMs: number | null }>(database, {
      underWaySinceMs: null,
      ...taking,
    });
    if (!taken) return undefined;
    const { foundDueAtMs, ...row } = taken;
    const { dueAtMs: leaseMs } = row as DueRow & { dueAtMs: number };
    return { row: row as Row, leaseMs, foundDueAtMs };
  };
}

/** Extends the lease under which a row is held; false if the lease had passed to another worker. */
function renewOf<Row extends DueRow>({ table, isVersioned }: DueTable) {
  const key = { tenantId: 'uuid', id: 'uuid', dueAtMs: 'timestamptz' } as const;
  const version = isVersioned && ({ version: 'integer' } as const);
  const statement = prepare({
    name: `${table}.renew`,
    given: { ...key, ...version, leaseMs: 'timestamptz' },
    text: (given) => `
UPDATE ${table} SET due_at = ${given.leaseMs}, asking_until = ${given.leaseMs}
WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND ${isUnderLease('due_at', given.dueAtMs)}
  ${isVersioned ? `AND version = ${given.version}` : ''}
RETURNING id`,
  });
  return async (database: Queryable, row: Row, leaseMs: number) =>
    (await statement.run(database, { version: null, ...row, leaseMs })).length > 0;
}

/**
 * Marks a row whose outcome a person recorded: if the operator contradicts it, the contradiction goes to review too.
 */
function markOf({ table }: DueTable) {
  const statement = prepare({
    name: `${table}.by_hand`,
    given: { tenantId: 'uuid', id: 'uuid' },
    text: (given) =>
      `UPDATE ${table} SET by_hand = true WHERE tenant_id = ${given.tenantId} AND id = ${given.id}`,
  });
  return async (database: Queryable, row: Pick<DueRow, 'tenantId' | 'id'>): Promise<void> => {
    await statement.run(database, row);
  };
}
