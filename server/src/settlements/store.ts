import { appendEvents, eventValues, givenEvents, type Subscription } from '../events/append.ts';
import type { NewEvent } from '../events/event.ts';
import { appendPostings, givenPostings, postingValues } from '../ledger/append.ts';
import type { Posting } from '../ledger/posting.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import { requireTransition } from '../platform/transitions.ts';
import { type Settlement, settlementTransitions } from './settlement.ts';

const columns = `
  tenant_id AS "tenantId", id, version, merchant_id AS "merchantId", status, currency,
  gross_minor AS "grossMinor", fee_minor AS "feeMinor", refund_minor AS "refundMinor",
  net_minor AS "netMinor", item_count AS "itemCount", payout_ref AS "payoutRef",
  payout_error AS "payoutError", idempotency_key AS "idempotencyKey", request_hash AS "requestHash", rendering, period_start AS "periodStartMs",
  period_end AS "periodEndMs", told_period AS "toldPeriod", told_through AS "toldThrough",
  due_at AS "dueAtMs", created_at AS "createdAtMs", processed_at AS "processedAtMs",
  completed_at AS "completedAtMs"`;

const insertStatement = {
  name: 'settlements.insert',
  text: `
WITH created AS (
  INSERT INTO settlements (tenant_id, id, version, merchant_id, status, currency, gross_minor, fee_minor,
    refund_minor, net_minor, item_count, idempotency_key, request_hash, period_start, period_end, due_at,
    created_at, rendering)
  VALUES ($1, $2, 1, $3, 'PENDING', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $13, $14)
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, id
),
new_posting AS (
  SELECT given_posting.* FROM ${givenPostings(15)}
  JOIN created ON created.tenant_id = given_posting.tenant_id AND created.id = given_posting.source_id
),
${appendPostings}
SELECT id FROM created`,
};

/** Writes a settlement and moves its net out of "payable"; false where one of the currency is open. */
export async function insertSettlement(
  transaction: Queryable,
  settlement: Settlement,
  postings: Posting[],
): Promise<boolean> {
  const rows = await transaction.query(insertStatement, [
    settlement.tenantId,
    settlement.id,
    settlement.merchantId,
    settlement.currency,
    settlement.grossMinor.toString(),
    settlement.feeMinor.toString(),
    settlement.refundMinor.toString(),
    settlement.netMinor.toString(),
    settlement.itemCount.toString(),
    settlement.idempotencyKey,
    settlement.requestHash,
    timestamp(settlement.periodStartMs),
    timestamp(settlement.periodEndMs),
    settlement.rendering,
    ...postingValues(postings),
  ]);
  return rows.length > 0;
}

const moveStatement = {
  name: 'settlements.move',
  text: `
WITH moved AS (
  UPDATE settlements SET version = version + 1, status = $5, payout_ref = $6, due_at = $7,
    processed_at = $8, completed_at = $9, payout_error = $10
  WHERE tenant_id = $2 AND id = $3 AND version = $4 AND ($11::timestamptz IS NULL OR due_at = $11)
  RETURNING tenant_id, id
),
new_event AS (
  SELECT given_event.* FROM ${givenEvents(12)}
  JOIN moved ON moved.tenant_id = given_event.tenant_id AND moved.id = given_event.object_id
),
${appendEvents(1)},
new_posting AS (
  SELECT given_posting.* FROM ${givenPostings(19)}
  JOIN moved ON moved.tenant_id = given_posting.tenant_id AND moved.id = given_posting.source_id
),
${appendPostings}
SELECT moved.id, subscription.event_id AS "eventId", subscription.tenant_id AS "tenantId",
  subscription.endpoint_id AS "endpointId", subscription.endpoint_version AS "endpointVersion"
FROM moved LEFT JOIN subscription
  ON subscription.tenant_id = moved.tenant_id AND subscription.object_id = moved.id`,
};

/** What goes with a transition of a settlement. */
export interface SettlementMove {
  next: Settlement;
  /** The lease under which it is made; without one, the version alone decides. */
  leaseMs?: number | null;
  events: NewEvent[];
  postings: Posting[];
  deliveriesDueAtMs: number;
}

/**
 * One transition, a compare-and-set on the version; undefined where the settlement had moved on, or
 * the lease had passed to another.
 * @throws Error where the table lacks it
 */
export async function moveSettlement(
  database: Queryable,
  seen: Settlement,
  { next, leaseMs = null, events, postings, deliveriesDueAtMs }: SettlementMove,
): Promise<Subscription[] | undefined> {
  requireTransition(settlementTransitions, seen.status, next.status);
  const rows = await database.query<{ id: string } & Subscription>(moveStatement, [
    timestamp(deliveriesDueAtMs),
    seen.tenantId,
    seen.id,
    seen.version,
    next.status,
    next.payoutRef,
    timestamp(next.dueAtMs),
    timestamp(next.processedAtMs),
    timestamp(next.completedAtMs),
    next.payoutError,
    timestamp(leaseMs),
    ...eventValues(events),
    ...postingValues(postings),
  ]);
  if (rows.length === 0) return undefined;
  return rows.filter((row) => row.endpointId !== null);
}

const claimStatement = {
  name: 'settlements.claim',
  text: `
WITH due AS MATERIALIZED (
  SELECT tenant_id AS due_tenant_id, id AS due_id FROM settlements
  WHERE due_at <= $1 AND (status = 'COMPLETED') = $4
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE settlements s SET due_at = $2
FROM due
WHERE s.tenant_id = due.due_tenant_id AND s.id = due.due_id
RETURNING ${columns}`,
};

/**
 * Takes settlements that are due, of all tenants, under a lease that ends at `leaseMs`: those to pay out,
 * or those whose payments are to be told.
 */
export function claimDueSettlements(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
  work: 'PAY' | 'TELL' = 'PAY',
): Promise<Settlement[]> {
  const values = [timestamp(nowMs), timestamp(leaseMs), limit, work === 'TELL'];
  return database.query<Settlement>(claimStatement, values);
}

const findStatement = {
  name: 'settlements.find',
  text: `SELECT ${columns} FROM settlements WHERE tenant_id = $1 AND id = $2`,
};

export async function findSettlement(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<Settlement | undefined> {
  return (await database.query<Settlement>(findStatement, [tenantId, id]))[0];
}

const findByKeyStatement = {
  name: 'settlements.find_by_key',
  text: `SELECT ${columns} FROM settlements WHERE tenant_id = $1 AND idempotency_key = $2`,
};

export async function findSettlementByKey(
  database: Queryable,
  tenantId: string,
  idempotencyKey: string,
): Promise<Settlement | undefined> {
  return (await database.query<Settlement>(findByKeyStatement, [tenantId, idempotencyKey]))[0];
}

const listStatement = {
  name: 'settlements.list',
  text: `
SELECT ${columns} FROM settlements
WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR status = $3)
ORDER BY id DESC LIMIT $4`,
};

/** Newest first; one row more than the limit tells whether there are more. */
export function listSettlements(
  database: Queryable,
  tenantId: string,
  status: string | undefined,
  page: { limit: number; startingAfter?: string | undefined },
): Promise<Settlement[]> {
  const values = [tenantId, page.startingAfter ?? null, status ?? null, page.limit + 1];
  return database.query<Settlement>(listStatement, values);
}

const unfinishedStatement = {
  name: 'settlements.unfinished',
  text: `SELECT ${columns} FROM settlements WHERE status IN ('PENDING', 'PROCESSING') ORDER BY created_at`,
};

/** For whoever runs the gateway: the settlements of all tenants that wait for the bank. */
export function unfinishedSettlements(database: Queryable): Promise<Settlement[]> {
  return database.query<Settlement>(unfinishedStatement);
}

const findByIdStatement = {
  name: 'settlements.find_by_id',
  text: `SELECT ${columns} FROM settlements WHERE id = $1`,
};

/** For whoever runs the gateway, and speaks of a settlement without its tenant. */
export async function findSettlementById(
  database: Queryable,
  id: string,
): Promise<Settlement | undefined> {
  return (await database.query<Settlement>(findByIdStatement, [id]))[0];
}
