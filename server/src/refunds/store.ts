import { appendEvents, eventValues, givenEvents, type Subscription } from '../events/append.ts';
import type { NewEvent } from '../events/event.ts';
import { appendPostings, givenPostings, postingValues } from '../ledger/append.ts';
import type { Posting } from '../ledger/posting.ts';
import type { OperatorName } from '../operators/operator.ts';
import { type Currency, type PaymentStatus, paymentTransitions } from '../payments/payment.ts';
import {
  bigintArray,
  instantArray,
  integerArray,
  textArray,
  uuidArray,
} from '../platform/arrays.ts';
import { Conditions } from '../platform/conditions.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import { requireTransition, statusesBefore } from '../platform/transitions.ts';
import { type Refund, type RefundablePayment, refundTransitions } from './refund.ts';

export const refundColumns = `
  tenant_id AS "tenantId", id, payment_id AS "paymentId", version, status, amount_minor AS "amountMinor",
  currency, operator, operator_tx_id AS "operatorTxId", operator_refund_id AS "operatorRefundId",
  reason, failure_code AS "failureCode", failure_message AS "failureMessage", metadata,
  idempotency_key AS "idempotencyKey", request_hash AS "requestHash", created_by_key AS "createdByKey", rendering,
  ask_count AS "askCount",
  due_at AS "dueAtMs", sent_at AS "sentAtMs", by_hand AS "byHand", created_at AS "createdAtMs",
  updated_at AS "updatedAtMs"`;

const lockPaymentStatement = {
  name: 'refunds.lock_payment',
  text: `
SELECT status, amount_minor AS "amountMinor",
  refund_reserved_minor + late_refund_minor AS "refundReservedMinor", currency,
  operator, operator_tx_id AS "operatorTxId"
FROM payments WHERE tenant_id = $1 AND id = $2
FOR UPDATE`,
};

export interface LockedPayment extends RefundablePayment {
  currency: Currency;
  operator: OperatorName;
  operatorTxId: string;
}

/** The payment as it stays until the transaction ends: its refunds are made one after the other. */
export async function lockPayment(
  transaction: Queryable,
  tenantId: string,
  id: string,
): Promise<LockedPayment | undefined> {
  return (await transaction.query<LockedPayment>(lockPaymentStatement, [tenantId, id]))[0];
}

const findEarlierStatement = {
  name: 'refunds.find_earlier',
  text: `
SELECT ${refundColumns} FROM refunds WHERE tenant_id = $1 AND id = $2
UNION ALL
SELECT ${refundColumns} FROM refunds WHERE tenant_id = $1 AND idempotency_key = $3 AND id <> $2`,
};

/** The refund that stands in the way of this one: the same row committed before, or another under its key. */
export async function findEarlierRefund(
  database: Queryable,
  { tenantId, id, idempotencyKey }: Pick<Refund, 'tenantId' | 'id' | 'idempotencyKey'>,
): Promise<Refund | undefined> {
  return (await database.query<Refund>(findEarlierStatement, [tenantId, id, idempotencyKey]))[0];
}

const insertStatement = {
  name: 'refunds.insert',
  text: `
WITH created AS (
  INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency, operator,
    operator_tx_id, reason, metadata, idempotency_key, request_hash, ask_count, due_at, created_at, updated_at,
    created_by_key, rendering)
  VALUES ($2, $3, $4, 1, 'PENDING', $5, $6, $7, $8, $9, $10, $11, $12, 0, $13, $14, $14, $15, $16)
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, id, payment_id, amount_minor
),
reserved AS (
  UPDATE payments p SET refund_reserved_minor = p.refund_reserved_minor + created.amount_minor
  FROM created
  WHERE p.tenant_id = created.tenant_id AND p.id = created.payment_id
),
new_event AS (
  SELECT given_event.* FROM ${givenEvents(17)}
  JOIN created ON created.tenant_id = given_event.tenant_id AND created.id = given_event.object_id
),
${appendEvents(1)},
new_posting AS (
  SELECT given_posting.* FROM ${givenPostings(24)}
  JOIN created ON created.tenant_id = given_posting.tenant_id AND created.id = given_posting.source_id
),
${appendPostings}
SELECT created.id, subscription.event_id AS "eventId", subscription.tenant_id AS "tenantId",
  subscription.endpoint_id AS "endpointId", subscription.endpoint_version AS "endpointVersion"
FROM created
LEFT JOIN subscription ON subscription.tenant_id = created.tenant_id AND subscription.object_id = created.id`,
};

/**
 * Writes a refund, reserves its amount on the payment (locked before), and appends event, deliveries
 * and posting. Undefined where its id or idempotency key is there already: then nothing is written.
 */
export async function insertRefund(
  transaction: Queryable,
  { refund, event, posting }: { refund: Refund; event: NewEvent; posting: Posting },
  deliveriesDueAtMs: number,
): Promise<Subscription[] | undefined> {
  const rows = await transaction.query<WrittenRow>(insertStatement, [
    timestamp(deliveriesDueAtMs),
    refund.tenantId,
    refund.id,
    refund.paymentId,
    refund.amountMinor.toString(),
    refund.currency,
    refund.operator,
    refund.operatorTxId,
    refund.reason,
    refund.metadata,
    refund.idempotencyKey,
    refund.requestHash,
    timestamp(refund.dueAtMs),
    timestamp(refund.createdAtMs),
    refund.createdByKey,
    refund.rendering,
    ...eventValues([event]),
    ...postingValues([posting]),
  ]);
  return rows.length === 0 ? undefined : subscriptionsOf(rows);
}

/** One transition: the refund as it was seen, as it is to be, and what that does to its payment. */
export interface Transition {
  seen: Refund;
  next: Refund;
  /** The lease under which the reason for it was obtained; without one, the version alone decides. */
  leaseMs?: number | undefined;
  /** What the payment's refunds have given back by it. */
  refundedMinor: bigint;
  /** What is free again for other refunds of the payment. */
  releasedMinor: bigint;
  /** What the operator gave back after the refund had FAILED: no other refund may take it again. */
  lateMinor: bigint;
  event?: NewEvent | undefined;
  posting?: Posting | undefined;
}

/** The status where the payment may take it, else NULL, which fails the statement: nothing of it is written. */
const refundedAs = (status: PaymentStatus) =>
  `CASE WHEN p.status IN ${statusesBefore(paymentTransitions, status)} THEN '${status}' END`;

// The payments are updated within the main query: before the balances, as everywhere else. They are
// locked in the order of their ids, whatever the plan, since settlements lock many of them at once.
const moveStatement = {
  name: 'refunds.move',
  text: `
WITH transition AS (
  SELECT * FROM unnest(
    $2::uuid[], $3::uuid[], $4::integer[], $5::timestamptz[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::bigint[], $14::bigint[],
    $15::bigint[]
  ) AS given (
    tenant_id, id, seen_version, lease, status, operator_refund_id, failure_code, failure_message,
    sent_at, due_at, updated_at, refunded_minor, released_minor, late_minor)
),
moved AS (
  UPDATE refunds r SET
    version = r.version + 1, status = t.status, operator_refund_id = t.operator_refund_id,
    failure_code = t.failure_code, failure_message = t.failure_message, sent_at = t.sent_at,
    due_at = t.due_at, asking_until = NULL, updated_at = t.updated_at
  FROM transition t
  WHERE r.tenant_id = t.tenant_id AND r.id = t.id AND r.version = t.seen_version
    AND (t.lease IS NULL OR r.due_at = t.lease)
  RETURNING r.tenant_id, r.id, r.payment_id, r.updated_at, t.refunded_minor, t.released_minor,
    t.late_minor
),
locked AS (
  SELECT p.tenant_id, p.id FROM payments p
  JOIN moved ON moved.tenant_id = p.tenant_id AND moved.payment_id = p.id
  WHERE moved.refunded_minor + moved.released_minor + moved.late_minor > 0
  ORDER BY p.tenant_id, p.id FOR UPDATE OF p
),
payment AS (
  UPDATE payments p SET
    refund_reserved_minor = p.refund_reserved_minor - moved.released_minor,
    refunded_minor = p.refunded_minor + moved.refunded_minor,
    late_refund_minor = p.late_refund_minor + moved.late_minor,
    status = CASE
      WHEN moved.refunded_minor = 0 THEN p.status
      WHEN p.refunded_minor + moved.refunded_minor = p.amount_minor THEN ${refundedAs('REFUNDED')}
      ELSE ${refundedAs('PARTIALLY_REFUNDED')} END,
    version = p.version + CASE WHEN moved.refunded_minor = 0 THEN 0 ELSE 1 END,
    updated_at = CASE WHEN moved.refunded_minor = 0 THEN p.updated_at ELSE moved.updated_at END
  FROM locked JOIN moved ON moved.tenant_id = locked.tenant_id AND moved.payment_id = locked.id
  WHERE p.tenant_id = locked.tenant_id AND p.id = locked.id
  RETURNING p.tenant_id, p.id, p.status
),
new_event AS (
  SELECT given_event.* FROM ${givenEvents(16)}
  JOIN moved ON moved.tenant_id = given_event.tenant_id AND moved.id = given_event.object_id
),
${appendEvents(1)},
new_posting AS (
  SELECT given_posting.* FROM ${givenPostings(23)}
  JOIN moved ON moved.tenant_id = given_posting.tenant_id AND moved.id = given_posting.source_id
),
${appendPostings}
SELECT moved.id, payment.status AS "paymentStatus", subscription.event_id AS "eventId",
  subscription.tenant_id AS "tenantId", subscription.endpoint_id AS "endpointId",
  subscription.endpoint_version AS "endpointVersion"
FROM moved
LEFT JOIN payment ON payment.tenant_id = moved.tenant_id AND payment.id = moved.payment_id
LEFT JOIN subscription ON subscription.tenant_id = moved.tenant_id AND subscription.object_id = moved.id`,
};

export interface Moved {
  /** Of each refund that moved, the status of its payment where that was touched. */
  paymentStatuses: Map<string, PaymentStatus | null>;
  subscriptions: Subscription[];
}

/**
 * Writes transitions, at most one of each payment, with their payments, events, deliveries and
 * postings in one statement. A transition is a compare-and-set: where the refund has moved on, or
 * the lease has passed to another, it is left out of the result and nothing of it is written.
 * @throws Error where the table lacks one of them, for the refund or for its payment
 */
export async function moveRefunds(
  database: Queryable,
  transitions: readonly Transition[],
  deliveriesDueAtMs: number,
): Promise<Moved> {
  for (const { seen, next } of transitions) {
    requireTransition(refundTransitions, seen.status, next.status);
  }
  const next = transitions.map((transition) => transition.next);
  const rows = await database.query<WrittenRow & { paymentStatus: PaymentStatus | null }>(
    moveStatement,
    [
      timestamp(deliveriesDueAtMs),
      uuidArray(next.map((refund) => refund.tenantId)),
      uuidArray(next.map((refund) => refund.id)),
      integerArray(transitions.map((transition) => transition.seen.version)),
      instantArray(transitions.map((transition) => transition.leaseMs ?? null)),
      textArray(next.map((refund) => refund.status)),
      textArray(next.map((refund) => refund.operatorRefundId)),
      textArray(next.map((refund) => refund.failureCode)),
      textArray(next.map((refund) => refund.failureMessage)),
      instantArray(next.map((refund) => refund.sentAtMs)),
      instantArray(next.map((refund) => refund.dueAtMs)),
      instantArray(next.map((refund) => refund.updatedAtMs)),
      bigintArray(transitions.map((transition) => transition.refundedMinor)),
      bigintArray(transitions.map((transition) => transition.releasedMinor)),
      bigintArray(transitions.map((transition) => transition.lateMinor)),
      ...eventValues(transitions.flatMap((transition) => transition.event ?? [])),
      ...postingValues(transitions.flatMap((transition) => transition.posting ?? [])),
    ],
  );
  const paymentStatuses = new Map(rows.map((row) => [row.id, row.paymentStatus]));
  return { paymentStatuses, subscriptions: subscriptionsOf(rows) };
}

const findStatement = {
  name: 'refunds.find',
  text: `SELECT ${refundColumns} FROM refunds WHERE tenant_id = $1 AND id = $2`,
};

/** The refund, or undefined where the tenant has none of this id. */
export async function findRefund(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<Refund | undefined> {
  return (await database.query<Refund>(findStatement, [tenantId, id]))[0];
}

export interface RefundFilter {
  paymentId?: string | undefined;
  status?: string | undefined;
}

/** Newest first, beginning after the refund of this id; one row more than the limit tells whether there are more. */
export function listRefunds(
  database: Queryable,
  tenantId: string,
  filter: RefundFilter,
  page: { limit: number; startingAfter?: string | undefined },
): Promise<Refund[]> {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  asked.where('id < ?', page.startingAfter);
  asked.where('payment_id = ?', filter.paymentId);
  asked.where('status = ?', filter.status);
  return database.query<Refund>(
    { text: `SELECT ${refundColumns} FROM refunds WHERE ${asked.text} ORDER BY id DESC LIMIT $2` },
    asked.values,
  );
}

interface WrittenRow {
  id: string;
  tenantId: string | null;
  eventId: string | null;
  endpointId: string | null;
  endpointVersion: number | null;
}

function subscriptionsOf(rows: readonly WrittenRow[]): Subscription[] {
  return rows.filter((row) => row.endpointId !== null) as unknown as Subscription[];
}
