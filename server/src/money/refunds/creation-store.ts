import { appendEvents, eventRows, newEvents } from '../../integrations/events/append.ts';
import { type Written, written, writtenRows } from '../../integrations/events/append-result.ts';
import type { NewEvent } from '../../integrations/events/event.ts';
import type { OperatorName } from '../../integrations/operators/operator.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare, rowsOf, table } from '../../platform/postgres/statement.ts';
import type { Currency } from '../../platform/values/money.ts';
import {
  countDays,
  dayOf,
  fitsItsDay,
  lockDays,
} from '../../tenants/merchants/daily-refund-limit.ts';
import { appendPostings, newPostings, postingRows } from '../ledger/append.ts';
import { returnPosting } from '../ledger/postings.ts';
import type { PaymentStatus } from '../payments/payment.ts';
import type { Creation } from './creation.ts';
import type { Refund } from './refund.ts';
import {
  type LockedPayment,
  type RefundRow,
  refundColumnNames,
  refundColumns,
  refundFieldNames,
  refundFields,
} from './store.ts';
import { unexplainedMinorOf } from './unexplained-amount.ts';

/** The data that decides about a refund, all from one instant. */
export interface RefundBasis {
  /** Undefined if the tenant has no such payment. */
  payment: LockedPayment | undefined;
  /** Refunds that conflict: with the same id, committed by an earlier try, or under one of its keys. */
  earlier: Refund[];
  /** The amount counted towards the API key's daily limit; null if it has no limit, or nothing is counted yet. */
  usedMinor: bigint | null;
}

/** A request, and the idempotency keys that its refund may be stored under; null: it has none. */
export interface RefundLookup {
  creation: Creation;
  keys: readonly (string | null)[];
}

const askedRows = rowsOf<{ creation: Creation; key: string | null }>(
  {
    asked_tenant_id: ['uuid', ({ creation }) => creation.input.tenantId],
    new_id: ['uuid', ({ creation }) => creation.id],
    asked_payment_id: ['uuid', ({ creation }) => creation.input.paymentId],
    asked_key: ['text', ({ key }) => key],
    api_key_id: ['uuid', ({ creation }) => limitedKeyOf(creation)],
    asked_at: ['timestamptz', ({ creation }) => creation.nowMs],
  },
  'given_asked',
);

// Conflicting refunds are joined once for all rows: looked up for each row, all refunds would be scanned row by row
// if the statistics dated from a time with few refunds.
const readStatement = prepare({
  name: 'refunds.before',
  given: { asked: askedRows },
  text: (given) => `
WITH asked AS (SELECT * FROM ${given.asked}),
earlier AS (
  SELECT new_id AS of_id, ${refundColumns} FROM asked
  JOIN refunds r ON tenant_id = asked_tenant_id AND id = new_id
  UNION ALL
  SELECT new_id, ${refundColumns} FROM asked
  JOIN refunds r ON tenant_id = asked_tenant_id AND idempotency_key = asked_key
)
SELECT asked.new_id AS "newId", p.status AS "paymentStatus", p.amount_minor AS "paidMinor",
  p.refund_reserved_minor + p.late_refund_minor AS "takenMinor", p.late_refund_minor AS "lateMinor", p.currency AS "paymentCurrency",
  p.operator AS "paymentOperator", p.operator_tx_id AS "paymentTxId", p.external_id AS "paymentExternalId",
  p.checkout_session_id AS "paymentSessionId", d.amount_minor AS "usedMinor",
  earlier.*
FROM asked
LEFT JOIN payments p ON p.tenant_id = asked_tenant_id AND p.id = asked_payment_id
LEFT JOIN api_key_refund_days d ON d.tenant_id = asked_tenant_id AND d.key_id = api_key_id
  AND d.day = ${dayOf('asked_at')} AND d.currency = p.currency
LEFT JOIN earlier ON earlier.of_id = asked.new_id`,
});

interface BeforeRow {
  newId: string;
  paymentStatus: PaymentStatus | null;
  paidMinor: bigint;
  takenMinor: bigint;
  lateMinor: bigint;
  paymentCurrency: Currency;
  paymentOperator: OperatorName;
  paymentTxId: string;
  paymentExternalId: string | null;
  paymentSessionId: string | null;
  usedMinor: bigint | null;
}

/**
 * Reads the data that decides about refunds in one statement, so that a request in flight under the same key is seen
 * together with its reservation, or not at all. How much of the late returns is explained is read afterwards: if that
 * changes, so does the reservation.
 * @returns in the order of the requests
 */
export async function readBefore(
  database: Queryable,
  requests: readonly RefundLookup[],
): Promise<RefundBasis[]> {
  const asked = requests.flatMap(({ creation, keys }) => keys.map((key) => ({ creation, key })));
  const rows = await readStatement.run<BeforeRow & (Refund | { id: null })>(database, { asked });
  const byId = new Map<string, RefundBasis>();
  for (const row of rows) {
    const before = byId.get(row.newId) ?? beforeOf(row);
    if (row.id !== null) before.earlier.push(refundOf(row));
    byId.set(row.newId, before);
  }
  for (const { creation } of requests) {
    const { input } = creation;
    const payment = byId.get(creation.id)?.payment;
    if (payment?.lateRefundMinor) {
      payment.unexplainedMinor = await unexplainedMinorOf(database, input, payment);
    }
  }
  return requests.map(({ creation }) => byId.get(creation.id)!);
}

function beforeOf(row: BeforeRow): RefundBasis {
  const { paymentStatus: status, usedMinor } = row;
  const payment = status && {
    status,
    amountMinor: row.paidMinor,
    refundReservedMinor: row.takenMinor,
    lateRefundMinor: row.lateMinor,
    currency: row.paymentCurrency,
    operator: row.paymentOperator,
    operatorTxId: row.paymentTxId,
    externalId: row.paymentExternalId,
    checkoutSessionId: row.paymentSessionId,
  };
  return { payment: payment ?? undefined, earlier: [], usedMinor };
}

/** Without the columns that say what it conflicts with. */
const refundOf = (row: Refund): Refund =>
  Object.fromEntries(refundKeys.map((field) => [field, row[field]])) as unknown as Refund;

const refundKeys = refundFieldNames as (keyof Refund)[];

const limitedKeyOf = ({ input: { apiKey } }: Creation) =>
  apiKey === null || apiKey.maxRefundedPerDayMinor === null ? null : apiKey.id;

/** A refund to be written if its payment has not changed since it was read. */
export interface NewRefund {
  refund: Refund;
  /** The answer to its creation. */
  json: string;
  event: NewEvent;
  /** Of the payment. */
  seen: { status: PaymentStatus; takenMinor: bigint };
  /** Of the API key; null: it has no such limit. */
  dayLimitMinor: bigint | null;
}

interface NewRow extends RefundRow {
  seenStatus: PaymentStatus;
  seenTakenMinor: bigint;
  seenExternalId: string | null;
  dayLimitMinor: bigint | null;
}

const fixed = [
  'version',
  'status',
  'operatorRefundId',
  'failureCode',
  'failureMessage',
  'queryCount',
  'sentAtMs',
  'byHand',
  'updatedAtMs',
] as const;

// The statement itself sets values that are the same for every new refund.
const newRefunds = table<RefundRow>(refundFields, refundColumnNames).rowsWithout(...fixed);
const givenRefunds = table<NewRow>(
  {
    ...refundFields,
    seenStatus: 'text',
    seenTakenMinor: 'bigint',
    seenExternalId: 'text',
    dayLimitMinor: 'bigint',
  },
  refundColumnNames,
).rowsWithout(...fixed);

// Every statement that writes refunds locks in this order, so that none wait in a circle: payments, days of API keys,
// idempotency keys, and then the balances. Each of these is sorted, and a sort takes all rows of one before the next
// begins.
const insertStatement = prepare({
  name: 'refunds.insert',
  given: {
    deliveriesDueAtMs: 'timestamptz',
    refunds: givenRefunds,
    events: eventRows,
    postings: postingRows,
  },
  text: (given) => `
WITH locked AS (
  SELECT * FROM (
    SELECT given.* FROM payments p
    JOIN ${given.refunds} ON given.tenant_id = p.tenant_id AND given.payment_id = p.id
    WHERE p.status = given.seen_status AND p.operator_tx_id = given.operator_tx_id
      AND p.external_id IS NOT DISTINCT FROM given.seen_external_id
      AND p.refund_reserved_minor + p.late_refund_minor = given.seen_taken_minor
    ORDER BY p.tenant_id, p.id FOR UPDATE OF p
  ) AS payment
),
${lockDays},
created AS (
  INSERT INTO refunds (${newRefunds.names}, version, status, ask_count, updated_at)
  SELECT ${newRefunds.names}, 1, 'PENDING', 0, created_at FROM locked
  WHERE ${fitsItsDay}
  ORDER BY tenant_id, idempotency_key
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, id, payment_id, amount_minor, currency, created_by_key, created_at
),
reserved AS (
  UPDATE payments p SET refund_reserved_minor = p.refund_reserved_minor + created.amount_minor
  FROM created
  WHERE p.tenant_id = created.tenant_id AND p.id = created.payment_id
),
${countDays},
${newEvents(given.events, 'created')},
${appendEvents(1)},
${newPostings(given.postings, 'created')},
${appendPostings}
${writtenRows('created')}`,
});

/**
 * Writes refunds, at most one of each payment, each with its reservation, event, deliveries and posting, in one
 * statement. A refund is left out of the result, with nothing of it written, if its payment has changed since it was
 * read, if its API key no longer has room for all of its refunds here, or if its id or idempotency key exists
 * already.
 */
export async function insertRefunds(
  database: Queryable,
  rows: readonly NewRefund[],
  deliveriesDueAtMs: number,
): Promise<Written> {
  const refunds = rows.map(({ refund, seen, dayLimitMinor }) => ({
    ...refund,
    seenStatus: seen.status,
    seenTakenMinor: seen.takenMinor,
    // An erasure may have taken a phone out of it, which the event must not bring back.
    seenExternalId: refund.externalId,
    dayLimitMinor,
  }));
  const events = rows.map(({ event }) => event);
  const postings = rows.map(({ refund }) =>
    returnPosting(refund, 'refund_out', refund.createdAtMs),
  );
  const given = { deliveriesDueAtMs, refunds, events, postings };
  return written(await insertStatement.run(database, given));
}
