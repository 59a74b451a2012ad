import { type Addressed, laneOfRow, modeOfRow } from '../operators/lane.ts';
import { instantArray, integerArray, uuidArray } from '../platform/arrays.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import type { ClaimRoom } from '../platform/due-worker.ts';
import { pageBytes } from '../platform/page-bytes.ts';
import type { Payment } from './payment.ts';
import { paymentColumns } from './store.ts';

/** With the mode of its tenant, which says who serves it. */
export type DuePayment = Payment & Addressed;

const claimStatement = {
  name: 'payments.claim',
  text: `
WITH due AS MATERIALIZED (
  SELECT tenant_id AS due_tenant_id, id AS due_id, due_at AS found_due_at,
    coalesce(octet_length(metadata), 0) AS bytes
  FROM payments p
  WHERE due_at <= $1 AND ${laneOfRow('p')} <> ALL ($4::text[])
    AND tenant_id <> ALL ($5::uuid[])
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
), weighed AS MATERIALIZED (
  SELECT due.*, sum(bytes) OVER (ORDER BY found_due_at, due_id) - bytes AS bytes_before,
    sum(bytes) OVER (PARTITION BY due_tenant_id ORDER BY found_due_at, due_id) - bytes AS bytes_of_tenant_before
  FROM due
)
UPDATE payments p SET due_at = $2, asking_until = $2
FROM weighed
WHERE p.tenant_id = due_tenant_id AND p.id = due_id AND bytes_before < $6 AND bytes_of_tenant_before < $7
RETURNING ${paymentColumns}, ${modeOfRow('p')} AS mode`,
};

/**
 * Takes payments that are due, of all tenants, under a lease that ends at `leaseMs`; as
 * far as there is room; at least one.
 */
export function claimDuePayments(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
  room: Partial<ClaimRoom> = {},
): Promise<DuePayment[]> {
  const {
    busyLanes = [],
    fullTenantIds = [],
    bytes = pageBytes,
    bytesPerTenant = pageBytes,
  } = room;
  const values = [timestamp(nowMs), timestamp(leaseMs), limit, busyLanes, fullTenantIds];
  return database.query<DuePayment>(claimStatement, [...values, bytes, bytesPerTenant]);
}

const takeStatement = {
  name: 'payments.take',
  text: `
WITH found AS MATERIALIZED (
  SELECT due_at AS found_due_at FROM payments WHERE tenant_id = $1 AND id = $2 FOR UPDATE
)
UPDATE payments p SET due_at = $4, asking_until = $4,
  -- This question is none of those that are planned, whose gaps would grow with every hint.
  ask_count = GREATEST(p.ask_count - 1, 0)
FROM found
WHERE p.tenant_id = $1 AND p.id = $2 AND (p.asking_until IS NULL OR p.asking_until <= $3)
RETURNING ${paymentColumns}, found_due_at AS "foundDueAtMs"`,
};

export interface Taking {
  tenantId: string;
  id: string;
  nowMs: number;
  leaseMs: number;
}

/**
 * Takes one payment to ask about it now, whenever it is due. Gives it with `dueAtMs` as it was before;
 * undefined where somebody is asking about it already, or there is none.
 */
export async function takePayment(
  database: Queryable,
  { tenantId, id, nowMs, leaseMs }: Taking,
): Promise<Payment | undefined> {
  const values = [tenantId, id, timestamp(nowMs), timestamp(leaseMs)];
  const [row] = await database.query<Payment & { foundDueAtMs: number | null }>(
    takeStatement,
    values,
  );
  if (!row) return undefined;
  const { foundDueAtMs, ...payment } = row;
  return { ...payment, dueAtMs: foundDueAtMs };
}

const renewStatement = {
  name: 'payments.renew',
  text: `
UPDATE payments SET due_at = $5, asking_until = $5
WHERE tenant_id = $1 AND id = $2 AND version = $3 AND due_at = $4
RETURNING id`,
};

/** Lengthens the lease that a payment is held with; false where it had passed to another. */
export async function renewPayment(
  database: Queryable,
  { tenantId, id, version, dueAtMs }: Payment,
  leaseMs: number,
): Promise<boolean> {
  const values = [tenantId, id, version, timestamp(dueAtMs), timestamp(leaseMs)];
  return (await database.query(renewStatement, values)).length > 0;
}

const rescheduleStatement = {
  name: 'payments.reschedule',
  text: `
UPDATE payments p SET due_at = given.due_at, asking_until = NULL,
  -- What was never sent is asked about before it is sent, however often it waits.
  ask_count = p.ask_count + (p.status <> 'CREATED')::integer,
  sent_at = coalesce(given.sent_at, p.sent_at)
FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[])
  AS given (tenant_id, id, seen_version, lease, due_at, sent_at)
WHERE p.tenant_id = given.tenant_id AND p.id = given.id AND p.version = given.seen_version
  AND p.due_at = given.lease
RETURNING p.id`,
};

export interface Rescheduling {
  payment: Payment;
  leaseMs: number;
  dueAtMs: number | null;
  /** When the debit is asked for again; absent: it is not. */
  sentAtMs?: number | undefined;
}

/**
 * Sets when payments need attention next (null: never), each under the lease that it was attended to
 * with. Gives the ids of those whose lease still held.
 */
export async function reschedulePayments(
  database: Queryable,
  rows: readonly Rescheduling[],
): Promise<Set<string>> {
  const moved = await database.query<{ id: string }>(rescheduleStatement, [
    uuidArray(rows.map((row) => row.payment.tenantId)),
    uuidArray(rows.map((row) => row.payment.id)),
    integerArray(rows.map((row) => row.payment.version)),
    instantArray(rows.map((row) => row.leaseMs)),
    instantArray(rows.map((row) => row.dueAtMs)),
    instantArray(rows.map((row) => row.sentAtMs ?? null)),
  ]);
  return new Set(moved.map((row) => row.id));
}

const unsendStatement = {
  name: 'payments.unsend',
  text: `
UPDATE payments SET sent_at = $5, due_at = $6, asking_until = NULL
WHERE tenant_id = $1 AND id = $2 AND version = $3 AND due_at = $4`,
};

/**
 * Takes back that a payment was about to be sent: the connection was certainly never made. Where the
 * lease had passed to another nothing is written, and the payment is asked about like any that was sent.
 */
export async function unsendPayment(
  database: Queryable,
  { tenantId, id, version, dueAtMs }: Payment,
  sentAtMs: number | null,
  nextDueAtMs: number,
): Promise<void> {
  const values = [tenantId, id, version, timestamp(dueAtMs), timestamp(sentAtMs)];
  await database.query(unsendStatement, [...values, timestamp(nextDueAtMs)]);
}

const markStatement = {
  name: 'payments.by_hand',
  text: 'UPDATE payments SET by_hand = true WHERE tenant_id = $1 AND id = $2',
};

/** Marks a payment whose outcome a person tells: what the operator says otherwise is for a person too. */
export async function markByHand(
  database: Queryable,
  { tenantId, id }: Pick<Payment, 'tenantId' | 'id'>,
): Promise<void> {
  await database.query(markStatement, [tenantId, id]);
}
