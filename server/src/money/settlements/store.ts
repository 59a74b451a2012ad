import {
  appendEvents,
  eventRows,
  newEvents,
  type Subscription,
} from '../../integrations/events/append.ts';
import { written, writtenRows } from '../../integrations/events/append-result.ts';
import type { NewEvent } from '../../integrations/events/event.ts';
import { claimStatement } from '../../platform/jobs/claim.ts';
import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { addPage, anyOf, type ListPage, orderOf } from '../../platform/postgres/list-page.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import { requireTransition } from '../../platform/values/transitions.ts';
import { appendPostings, newPostings, postingRows } from '../ledger/append.ts';
import type { Posting } from '../ledger/postings.ts';
import { type Settlement, settlementTransitions } from './settlement.ts';

const settlements = table<Settlement>({
  tenantId: 'uuid',
  id: 'uuid',
  version: 'integer',
  merchantId: 'uuid',
  status: 'text',
  currency: 'text',
  grossMinor: 'numeric',
  feeMinor: 'numeric',
  refundMinor: 'numeric',
  disbursementMinor: 'numeric',
  keptMinor: 'bigint',
  netMinor: 'numeric',
  itemCount: 'bigint',
  bankAccountId: 'uuid',
  payoutRef: 'text',
  bankReference: 'text',
  payoutError: 'text',
  idempotencyKey: 'text',
  requestHash: 'bytea',
  rendering: 'integer',
  periodStartMs: 'timestamptz',
  periodEndMs: 'timestamptz',
  toldPeriod: 'integer',
  toldThrough: 'uuid',
  dueAtMs: 'timestamptz',
  createdAtMs: 'timestamptz',
  processedAtMs: 'timestamptz',
  completedAtMs: 'timestamptz',
});

const columns = settlements.columns;

// The statement itself sets values that are the same for every new settlement.
const newSettlements = settlements.rowsWithout(
  'version',
  'status',
  'payoutRef',
  'bankReference',
  'payoutError',
  'toldPeriod',
  'toldThrough',
  'processedAtMs',
  'completedAtMs',
);

const insertStatement = prepare({
  name: 'settlements.insert',
  given: { settlements: newSettlements, postings: postingRows },
  text: (given) => `
WITH created AS (
  INSERT INTO settlements (${newSettlements.names}, version, status)
  SELECT ${newSettlements.names}, 1, 'PENDING' FROM ${given.settlements}
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, id
),
${newPostings(given.postings, 'created')},
${appendPostings}
SELECT id FROM created`,
});

/** Writes a settlement and moves its net out of "payable"; false if a settlement of the currency is open. */
export async function insertSettlement(
  transaction: Queryable,
  settlement: Settlement,
  postings: Posting[],
): Promise<boolean> {
  const given = { settlements: [settlement], postings };
  return (await insertStatement.run(transaction, given)).length > 0;
}

const moveStatement = prepare({
  name: 'settlements.move',
  given: {
    deliveriesDueAtMs: 'timestamptz',
    tenantId: 'uuid',
    id: 'uuid',
    seenVersion: 'integer',
    leaseMs: 'timestamptz',
    status: 'text',
    payoutRef: 'text',
    payoutError: 'text',
    dueAtMs: 'timestamptz',
    processedAtMs: 'timestamptz',
    completedAtMs: 'timestamptz',
    events: eventRows,
    postings: postingRows,
  },
  text: (given) => `
WITH moved AS (
  UPDATE settlements SET version = version + 1, status = ${given.status}, payout_ref = ${given.payoutRef},
    payout_error = ${given.payoutError}, due_at = ${given.dueAtMs},
    processed_at = ${given.processedAtMs}, completed_at = ${given.completedAtMs}
  WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND version = ${given.seenVersion}
    AND (${given.leaseMs} IS NULL OR due_at = ${given.leaseMs})
  RETURNING tenant_id, id
),
${newEvents(given.events, 'moved')},
${appendEvents(1)},
${newPostings(given.postings, 'moved')},
${appendPostings}
${writtenRows('moved')}`,
});

/** The changes that accompany a transition of a settlement. */
export interface SettlementTransition {
  next: Settlement;
  /** The lease under which it is made; without one, the version alone decides. */
  leaseMs?: number | null;
  events: NewEvent[];
  postings: Posting[];
  deliveriesDueAtMs: number;
}

/**
 * One transition, a compare-and-set on the version; undefined if the settlement had moved on, or the lease had passed
 * to another process.
 * @throws Error if the transition table lacks it
 */
export async function transitionSettlement(
  database: Queryable,
  seen: Settlement,
  { next, leaseMs = null, events, postings, deliveriesDueAtMs }: SettlementTransition,
): Promise<Subscription[] | undefined> {
  requireTransition(settlementTransitions, seen.status, next.status);
  const { tenantId, id, version: seenVersion } = seen;
  const place = { tenantId, id, seenVersion, leaseMs };
  const given = { ...next, ...place, events, postings, deliveriesDueAtMs };
  const { ids, subscriptions } = written(await moveStatement.run(database, given));
  return ids.size === 0 ? undefined : subscriptions;
}

const claimSettlements = claimStatement({
  name: 'settlements.claim',
  table: 'settlements',
  key: ['tenant_id', 'id'],
  given: { isCompleted: 'boolean' },
  where: (given) => `(status = 'COMPLETED') = ${given.isCompleted}`,
  returning: columns,
});

/**
 * Claims due settlements of all tenants, under a lease that ends at `leaseMs`: those to pay out, or those whose
 * payments must be marked settled.
 */
export function claimDueSettlements(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
  work: 'PAY' | 'TELL' = 'PAY',
): Promise<Settlement[]> {
  return claimSettlements.run(database, { nowMs, leaseMs, limit, isCompleted: work === 'TELL' });
}

export const findSettlement = rowQuery<Settlement, [tenantId: string, id: string]>({
  name: 'settlements.find',
  text: `SELECT ${columns} FROM settlements WHERE tenant_id = $1 AND id = $2`,
});

/**
 * The payouts with this reference of the bank, in any case: in the newest 5,000, as the reference has no index, and a
 * daily payout makes 365 a year.
 */
export const findByBankReference = rowsQuery<
  Pick<Settlement, 'id'>,
  [tenantId: string, reference: string]
>({
  name: 'settlements.of_bank_reference',
  text: `
SELECT id FROM (
  SELECT id, bank_reference FROM settlements WHERE tenant_id = $1 ORDER BY id DESC LIMIT 5000
) AS newest
WHERE lower(bank_reference) = lower($2)
ORDER BY id DESC LIMIT 5`,
});

/** The same for the gateway's staff: in the newest 50,000 payouts of all merchants. */
export const findAnyByBankReference = rowsQuery<Pick<Settlement, 'id'>, [reference: string]>({
  name: 'settlements.of_any_bank_reference',
  text: `
SELECT id FROM (SELECT id, bank_reference FROM settlements ORDER BY id DESC LIMIT 50000) AS newest
WHERE lower(bank_reference) = lower($1)
ORDER BY id DESC LIMIT 5`,
});

/** By idempotency key, plain or sealed. */
export const findSettlementByKeys = rowQuery<
  Settlement,
  [tenantId: string, keys: readonly string[]]
>({
  name: 'settlements.find_by_keys',
  text: `
SELECT ${columns} FROM settlements WHERE tenant_id = $1 AND idempotency_key = ANY ($2::text[])
ORDER BY array_position($2::text[], idempotency_key) LIMIT 1`,
});

/** Newest first; a page before a settlement, oldest first. Returns one row more than the limit if there are more. */
export function listSettlements(
  database: Queryable,
  tenantId: string,
  status: string | readonly string[] | undefined,
  page: ListPage,
): Promise<Settlement[]> {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  addPage(asked, page);
  const order = orderOf(page);
  const parts = asked
    .each('status', status)
    .map(
      (way) =>
        `SELECT ${columns} FROM settlements WHERE ${asked.text} AND ${way} ORDER BY id ${order} LIMIT $2`,
    );
  return database.query<Settlement>({ text: anyOf(parts, order) }, asked.values);
}

export interface SettlementSearch {
  merchantId?: string | undefined;
  mode?: 'live' | 'test' | undefined;
  status?: string | undefined;
}

/**
 * For the gateway's staff: settlements of all tenants, newest first. A merchant's are read along its key, others
 * along the index of all, no further than the page. Returns one row more than the limit if there are more.
 */
export function listAllSettlements(
  database: Queryable,
  { merchantId, mode, status }: SettlementSearch,
  { limit, startingAfter = null }: { limit: number; startingAfter?: string | null | undefined },
): Promise<Settlement[]> {
  const state = status === undefined ? '$2::text IS NULL' : 'status = $2';
  const where = `($1::uuid IS NULL OR id < $1) AND ${state}`;
  const newest = `ORDER BY id DESC LIMIT ${limit + 1}`;
  const isOfTenant = `($3::uuid IS NULL OR t.merchant_id = $3) AND ($4::text IS NULL OR t.mode = $4)`;
  const text =
    merchantId === undefined
      ? `
SELECT ${columns} FROM settlements
WHERE ${where} AND EXISTS (SELECT FROM tenants t WHERE t.id = tenant_id AND ${isOfTenant})
${newest}`
      : `
SELECT found.* FROM tenants t CROSS JOIN LATERAL (
  SELECT ${columns} FROM settlements WHERE tenant_id = t.id AND ${where} ${newest}
) AS found
WHERE ${isOfTenant}
ORDER BY found.id DESC LIMIT ${limit + 1}`;
  const values = [startingAfter, status ?? null, merchantId ?? null, mode ?? null];
  return database.query<Settlement>({ text }, values);
}

/** For the gateway's staff: the settlements of all tenants that wait for the bank. */
export const unfinishedSettlements = rowsQuery<Settlement, []>({
  name: 'settlements.unfinished',
  text: `SELECT ${columns} FROM settlements
WHERE status IN ('PENDING', 'PROCESSING') ORDER BY created_at`,
});

/** For the gateway's staff, who name a settlement without its tenant. */
export const findSettlementById = rowQuery<Settlement, [id: string]>({
  name: 'settlements.find_by_id',
  text: `SELECT ${columns} FROM settlements WHERE id = $1`,
});
