import { type Addressed, laneOfRow, modeOfRow } from '../operators/lane.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import type { ClaimRoom } from '../platform/due-worker.ts';
import { pageBytes } from '../platform/page-bytes.ts';
import type { Refund } from './refund.ts';
import { refundColumns } from './store.ts';

/** With the mode of its tenant, which says who serves it. */
export type DueRefund = Refund & Addressed;

const claimStatement = {
  name: 'refunds.claim',
  text: `
WITH due AS MATERIALIZED (
  SELECT tenant_id AS due_tenant_id, id AS due_id, due_at AS found_due_at,
    coalesce(octet_length(metadata), 0) AS bytes
  FROM refunds r
  WHERE due_at <= $1 AND ${laneOfRow('r')} <> ALL ($4::text[])
    AND tenant_id <> ALL ($5::uuid[])
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
), weighed AS MATERIALIZED (
  SELECT due.*, sum(bytes) OVER (ORDER BY found_due_at, due_id) - bytes AS bytes_before,
    sum(bytes) OVER (PARTITION BY due_tenant_id ORDER BY found_due_at, due_id) - bytes AS bytes_of_tenant_before
  FROM due
)
UPDATE refunds r SET due_at = $2, asking_until = $2
FROM weighed
WHERE r.tenant_id = due_tenant_id AND r.id = due_id AND bytes_before < $6 AND bytes_of_tenant_before < $7
RETURNING ${refundColumns}, ${modeOfRow('r')} AS mode`,
};

/**
 * Takes refunds that are due, of all tenants, under a lease that ends at `leaseMs`; as
 * far as there is room; at least one.
 */
export function claimDueRefunds(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
  room: Partial<ClaimRoom> = {},
): Promise<DueRefund[]> {
  const {
    busyLanes = [],
    fullTenantIds = [],
    bytes = pageBytes,
    bytesPerTenant = pageBytes,
  } = room;
  const values = [timestamp(nowMs), timestamp(leaseMs), limit, busyLanes, fullTenantIds];
  return database.query<DueRefund>(claimStatement, [...values, bytes, bytesPerTenant]);
}

const takeStatement = {
  name: 'refunds.take',
  text: `
UPDATE refunds r SET due_at = $4, asking_until = $4,
  -- This question is none of those that are planned, whose gaps would grow with every hint.
  ask_count = GREATEST(ask_count - 1, 0)
WHERE tenant_id = $1 AND id = $2 AND (asking_until IS NULL OR asking_until <= $3)
RETURNING ${refundColumns}`,
};

export interface Taking {
  tenantId: string;
  id: string;
  nowMs: number;
  leaseMs: number;
}

/**
 * Takes one refund to ask about it now, whenever it is due; undefined where somebody is asking about it
 * already, or there is none.
 */
export async function takeRefund(
  database: Queryable,
  { tenantId, id, nowMs, leaseMs }: Taking,
): Promise<Refund | undefined> {
  const values = [tenantId, id, timestamp(nowMs), timestamp(leaseMs)];
  return (await database.query<Refund>(takeStatement, values))[0];
}

const renewStatement = {
  name: 'refunds.renew',
  text: `
UPDATE refunds SET due_at = $5, asking_until = $5
WHERE tenant_id = $1 AND id = $2 AND version = $3 AND due_at = $4
RETURNING id`,
};

/** Lengthens the lease that a refund is held with; false where it had passed to another. */
export async function renewRefund(
  database: Queryable,
  { tenantId, id, version, dueAtMs }: Refund,
  leaseMs: number,
): Promise<boolean> {
  const values = [tenantId, id, version, timestamp(dueAtMs), timestamp(leaseMs)];
  return (await database.query(renewStatement, values)).length > 0;
}

const rescheduleStatement = {
  name: 'refunds.reschedule',
  text: `
UPDATE refunds SET due_at = $5, sent_at = $6, asking_until = NULL, ask_count = ask_count + 1
WHERE tenant_id = $1 AND id = $2 AND version = $3 AND due_at = $4
RETURNING id`,
};

/**
 * Sets when a refund needs attention next (null: never), and whether a request for it may have left,
 * under the lease that it is held with. False where that had passed to another.
 */
export async function rescheduleRefund(
  database: Queryable,
  { tenantId, id, version, dueAtMs: leaseMs }: Refund,
  { dueAtMs, sentAtMs }: Pick<Refund, 'dueAtMs' | 'sentAtMs'>,
): Promise<boolean> {
  const values = [tenantId, id, version, timestamp(leaseMs)];
  const rows = await database.query(rescheduleStatement, [
    ...values,
    timestamp(dueAtMs),
    timestamp(sentAtMs),
  ]);
  return rows.length > 0;
}

const markStatement = {
  name: 'refunds.by_hand',
  text: 'UPDATE refunds SET by_hand = true WHERE tenant_id = $1 AND id = $2',
};

/** Marks a refund whose outcome a person tells: what the operator says otherwise is for a person too. */
export async function markRefundByHand(
  database: Queryable,
  { tenantId, id }: Pick<Refund, 'tenantId' | 'id'>,
): Promise<void> {
  await database.query(markStatement, [tenantId, id]);
}
