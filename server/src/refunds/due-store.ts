import { type Addressed, laneOfRow, modeOfRow } from '../operators/lane.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import type { Refund } from './refund.ts';
import { refundColumns } from './store.ts';

/** With the mode of its tenant, which says who serves it. */
export type DueRefund = Refund & Addressed;

const claimStatement = {
  name: 'refunds.claim',
  text: `
WITH due AS MATERIALIZED (
  SELECT tenant_id AS due_tenant_id, id AS due_id FROM refunds r
  WHERE due_at <= $1 AND ${laneOfRow('r')} <> ALL ($4::text[])
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE refunds r SET due_at = $2, asking_until = $2
FROM due
WHERE r.tenant_id = due.due_tenant_id AND r.id = due.due_id
RETURNING ${refundColumns}, ${modeOfRow('r')} AS mode`,
};

/**
 * Takes refunds that are due, of all tenants, under a lease that ends at `leaseMs`; those of busy
 * lanes are left where they are.
 */
export function claimDueRefunds(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
  busyLanes: readonly string[] = [],
): Promise<DueRefund[]> {
  const values = [timestamp(nowMs), timestamp(leaseMs), limit, busyLanes];
  return database.query<DueRefund>(claimStatement, values);
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
