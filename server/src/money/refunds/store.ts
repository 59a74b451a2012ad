import { appendEvents, eventRows, newEvents } from '../../integrations/events/append.ts';
import {
  type Written,
  type WrittenRow,
  written,
  writtenRows,
} from '../../integrations/events/append-result.ts';
import type { NewEvent } from '../../integrations/events/event.ts';
import type { OperatorName } from '../../integrations/operators/operator.ts';
import { bookOutgoing } from '../../integrations/operators/outgoing-bookings.ts';
import { spellingsIn } from '../../integrations/operators/transaction-ids.ts';
import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { findByMetadata, type MetadataFilter } from '../../platform/postgres/find-by-metadata.ts';
import {
  addPage,
  anyOf,
  type ListPage,
  orderOf,
  tableOf,
} from '../../platform/postgres/list-page.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { type Columns, prepare, rowsOf, table } from '../../platform/postgres/statement.ts';
import type { Currency } from '../../platform/values/money.ts';
import { requireTransition, statusesBefore } from '../../platform/values/transitions.ts';
import { appendPostings, newPostings, postingRows } from '../ledger/append.ts';
import type { Posting } from '../ledger/postings.ts';
import { type PaymentStatus, paymentTransitions } from '../payments/payment.ts';
import { countedOfRefund, countRefunds } from '../totals/count.ts';
import { type Refund, type RefundablePayment, refundTransitions } from './refund.ts';

/** A column of the table for each field, and its type. */
export const refundFields = {
  tenantId: 'uuid',
  id: 'uuid',
  paymentId: 'uuid',
  version: 'integer',
  status: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  operator: 'text',
  operatorTxId: 'text',
  operatorRefundId: 'text',
  reason: 'text',
  failureCode: 'text',
  failureMessage: 'text',
  metadata: 'text',
  idempotencyKey: 'text',
  requestHash: 'bytea',
  createdByKey: 'uuid',
  rendering: 'integer',
  queryCount: 'integer',
  dueAtMs: 'timestamptz',
  sentAtMs: 'timestamptz',
  byHand: 'boolean',
  createdAtMs: 'timestamptz',
  updatedAtMs: 'timestamptz',
} as const;
/** Fields whose columns have other names. */
export const refundColumnNames = { queryCount: 'ask_count' } as const;

/** The fields of its payment that a refund shows: they stay in the payment alone. */
const paymentColumns = { externalId: 'external_id', checkoutSessionId: 'checkout_session_id' };

/** The fields of a refund that its table has. */
export type RefundRow = Omit<Refund, keyof typeof paymentColumns>;

export const refundFieldNames = [...Object.keys(refundFields), ...Object.keys(paymentColumns)];

/** The columns of a refund `r`. */
export const refundColumns = [
  table<RefundRow>(refundFields, refundColumnNames).columns,
  ...Object.entries(paymentColumns).map(
    ([field, column]) => `(
    SELECT ${column} FROM payments AS paid WHERE paid.tenant_id = r.tenant_id AND paid.id = r.payment_id
  ) AS "${field}"`,
  ),
].join(', ');

export interface LockedPayment extends RefundablePayment {
  currency: Currency;
  operator: OperatorName;
  operatorTxId: string;
  externalId: string | null;
  checkoutSessionId: string | null;
}

/** Locks the payment until the transaction ends: its refunds are made one after the other. */
export const lockPayment = rowQuery<LockedPayment, [tenantId: string, id: string]>({
  name: 'refunds.lock_payment',
  text: `
SELECT status, amount_minor AS "amountMinor",
  refund_reserved_minor + late_refund_minor AS "refundReservedMinor",
  late_refund_minor AS "lateRefundMinor", currency,
  operator, operator_tx_id AS "operatorTxId",
  external_id AS "externalId", checkout_session_id AS "checkoutSessionId"
FROM payments WHERE tenant_id = $1 AND id = $2
FOR UPDATE`,
});

/** One transition: the refund before and after, and the effect on its payment. */
export interface Transition {
  seen: Refund;
  next: Refund;
  /** The lease under which the reason for it was obtained; without one, the version alone decides. */
  leaseMs?: number | undefined;
  /** Our account at the operator, where its transaction is booked now; null: simulated, or no transaction yet. */
  account?: string | null | undefined;
  /** The sum that the payment's refunds have returned, this one included. */
  refundedMinor: bigint;
  /** The amount released for other refunds of the payment. */
  releasedMinor: bigint;
  /** The amount that the operator returned after the refund had FAILED: no other refund may take it again. */
  lateMinor: bigint;
  event?: NewEvent | undefined;
  posting?: Posting | undefined;
}

/** The status if the payment may enter it, else NULL, which fails the statement: nothing of it is written. */
const refundedAs = (status: PaymentStatus) =>
  `CASE WHEN p.status IN ${statusesBefore(paymentTransitions, status)} THEN '${status}' END`;

const transitionColumns: Columns<Transition> = {
  tenant_id: ['uuid', ({ next }) => next.tenantId],
  id: ['uuid', ({ next }) => next.id],
  seen_version: ['integer', ({ seen }) => seen.version],
  lease: ['timestamptz', ({ leaseMs }) => leaseMs ?? null],
  status: ['text', ({ next }) => next.status],
  operator_refund_id: ['text', ({ next }) => next.operatorRefundId],
  failure_code: ['text', ({ next }) => next.failureCode],
  failure_message: ['text', ({ next }) => next.failureMessage],
  sent_at: ['timestamptz', ({ next }) => next.sentAtMs],
  due_at: ['timestamptz', ({ next }) => next.dueAtMs],
  updated_at: ['timestamptz', ({ next }) => next.updatedAtMs],
  refunded_minor: ['bigint', ({ refundedMinor }) => refundedMinor],
  released_minor: ['bigint', ({ releasedMinor }) => releasedMinor],
  late_minor: ['bigint', ({ lateMinor }) => lateMinor],
};
const accountColumn: Columns<Transition> = { account: ['text', ({ account }) => account ?? null] };

const seen = `
seen AS (
  SELECT * FROM (
    SELECT r.tenant_id, r.id, r.operator, t.account, ${spellingsIn('t.operator_refund_id')} AS spellings
    FROM transition t JOIN refunds r ON r.tenant_id = t.tenant_id AND r.id = t.id
    WHERE t.account IS NOT NULL AND r.version = t.seen_version AND (t.lease IS NULL OR r.due_at = t.lease)
    ORDER BY r.tenant_id, r.id FOR UPDATE OF r
  ) AS refund
),`;

const isBookedWhereItMustBe = ` AND (t.account IS NULL OR EXISTS (
      SELECT FROM booked b WHERE b.tenant_id = t.tenant_id AND b.subject_id = t.id))`;

// The payments are updated within the main query: before the balances, as everywhere else. They are
// locked in the order of their ids, whatever the plan, since settlements lock many of them at once.
const moveStatement = (hasBookings: boolean) =>
  prepare({
    name: `refunds.move${hasBookings ? '_booking' : ''}`,
    given: {
      deliveriesDueAtMs: 'timestamptz',
      transitions: rowsOf({ ...transitionColumns, ...(hasBookings && accountColumn) }),
      events: eventRows,
      postings: postingRows,
    },
    text: (given) => `
WITH transition AS (SELECT * FROM ${given.transitions}),${hasBookings ? seen + bookOutgoing('REFUND') : ''}
moved AS (
  UPDATE refunds r SET
    version = r.version + 1, status = t.status, operator_refund_id = t.operator_refund_id,
    failure_code = t.failure_code, failure_message = t.failure_message, sent_at = t.sent_at,
    due_at = t.due_at, asking_until = NULL, updated_at = t.updated_at,
    transaction_entered = r.transaction_entered OR (r.operator_refund_id IS NULL AND t.operator_refund_id IS NOT NULL)
  FROM transition t
  WHERE r.tenant_id = t.tenant_id AND r.id = t.id AND r.version = t.seen_version
    AND (t.lease IS NULL OR r.due_at = t.lease)${hasBookings ? isBookedWhereItMustBe : ''}
  RETURNING r.tenant_id, r.id, r.payment_id, r.updated_at, t.refunded_minor, t.released_minor, t.late_minor,
    ${countedOfRefund}
),
locked AS (
  SELECT * FROM (
    SELECT p.tenant_id, p.id FROM payments p
    JOIN moved ON moved.tenant_id = p.tenant_id AND moved.payment_id = p.id
    WHERE moved.refunded_minor + moved.released_minor + moved.late_minor > 0
    ORDER BY p.tenant_id, p.id FOR UPDATE OF p
  ) AS payment
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
  RETURNING moved.id AS refund_id, p.status
),
${newEvents(given.events, 'moved')},
${appendEvents(1)},
${newPostings(given.postings, 'moved')},
${appendPostings},${countRefunds}
SELECT *, NULL AS "paymentStatus" FROM (${writtenRows('moved')}) AS written
UNION ALL
SELECT refund_id, NULL, NULL, NULL, NULL, status FROM payment`,
  });

const moves = moveStatement(false);
const bookingMoves = moveStatement(true);

export interface RefundTransitions extends Written {
  /** For refunds that moved, the new status of their payments if it changed. */
  paymentStatuses: Map<string, PaymentStatus>;
}

/**
 * Writes transitions, at most one of each payment, with their payments, events, deliveries and postings in one
 * statement. A transition is a compare-and-set: if the refund has moved on, the lease has passed to another worker,
 * or the operator's transaction is booked for something else, the transition is left out of the result and nothing of
 * it is written.
 * @throws Error if the transition table of refunds or payments lacks one of them
 */
export async function transitionRefunds(
  database: Queryable,
  transitions: readonly Transition[],
  deliveriesDueAtMs: number,
): Promise<RefundTransitions> {
  for (const { seen, next } of transitions) {
    requireTransition(refundTransitions, seen.status, next.status);
  }
  const hasBookings = transitions.some(({ account = null }) => account !== null);
  const statement = hasBookings ? bookingMoves : moves;
  const rows = await statement.run<WrittenRow & { paymentStatus: PaymentStatus | null }>(database, {
    deliveriesDueAtMs,
    transitions,
    events: transitions.flatMap((transition) => transition.event ?? []),
    postings: transitions.flatMap((transition) => transition.posting ?? []),
  });
  const statuses = rows.flatMap(({ id, paymentStatus }) =>
    paymentStatus === null ? [] : [[id, paymentStatus] as const],
  );
  return { ...written(rows), paymentStatuses: new Map(statuses) };
}

/** The refund, or undefined if the tenant has none with this id. */
export const findRefund = rowQuery<Refund, [tenantId: string, id: string]>({
  name: 'refunds.find',
  text: `SELECT ${refundColumns} FROM refunds r WHERE tenant_id = $1 AND id = $2`,
});

export interface RefundFilter {
  paymentId?: string | undefined;
  /** Any of these. */
  status?: string | readonly string[] | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
}

function conditionsOf(tenantId: string, filter: RefundFilter, page: ListPage): Conditions {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  addPage(asked, page);
  asked.where('payment_id = ?', filter.paymentId);
  return asked;
}

/** The ids of the refunds on a page that also have this metadata. @throws VALIDATION_ERROR too much to search */
export function findRefundsByMetadata(
  database: Database,
  tenantId: string,
  filter: RefundFilter,
  page: ListPage,
  metadata: MetadataFilter,
): Promise<string[]> {
  const asked = conditionsOf(tenantId, filter, page);
  asked.oneOf('status', filter.status);
  return findByMetadata(database, { table: 'refunds', asked, metadata, page });
}

/** Newest first; a page before a refund, oldest first. Returns one row more than the limit if there are more. */
export function listRefunds(
  database: Queryable,
  tenantId: string,
  filter: RefundFilter,
  page: ListPage,
): Promise<Refund[]> {
  const asked = conditionsOf(tenantId, filter, page);
  const order = orderOf(page);
  const from = tableOf(asked, 'refunds', filter.ids, 'r');
  const parts = asked
    .each('status', filter.status)
    .map(
      (way) =>
        `SELECT ${refundColumns} FROM ${from} WHERE ${asked.text} AND ${way} ORDER BY id ${order} LIMIT $2`,
    );
  return database.query<Refund>({ text: anyOf(parts, order) }, asked.values);
}
