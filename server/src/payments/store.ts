import { releaseSlot, takeSlot } from '../checkout/slot.ts';
import { appendEvents, eventValues, givenEvents, type Subscription } from '../events/append.ts';
import type { NewEvent } from '../events/event.ts';
import { appendPostings, givenPostings, postingValues } from '../ledger/append.ts';
import type { Posting } from '../ledger/posting.ts';
import { bookTransitions, isBookedWhereItMustBe } from '../operators/bookings.ts';
import {
  bigintArray,
  binaryArray,
  instantArray,
  integerArray,
  textArray,
  uuidArray,
} from '../platform/arrays.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import { requireTransition } from '../platform/transitions.ts';
import { type Payment, paymentTransitions } from './payment.ts';
import { paymentRendering } from './view.ts';

export const paymentColumns = `
  tenant_id AS "tenantId", id, version, status, amount_minor AS "amountMinor", fee_minor AS "feeMinor",
  currency, operator, operator_phone AS "operatorPhone", operator_tx_id AS "operatorTxId",
  failure_code AS "failureCode", failure_message AS "failureMessage", external_id AS "externalId",
  customer_id AS "customerId", description, statement_descriptor AS "statementDescriptor", metadata,
  checkout_session_id AS "checkoutSessionId", idempotency_key AS "idempotencyKey", request_hash AS "requestHash", rendering, created_by_key AS "createdByKey",
  ask_count AS "askCount",
  due_at AS "dueAtMs", sent_at AS "sentAtMs", by_hand AS "byHand", expires_at AS "expiresAtMs",
  created_at AS "createdAtMs", updated_at AS "updatedAtMs"`;

export interface NewPayment {
  payment: Payment;
  event: NewEvent;
}

/** First what was written, then its subscriptions; joined, they would be compared each with each. */
const writtenRows = (changed: string) => `
SELECT id, NULL::uuid AS "tenantId", NULL::uuid AS "eventId", NULL::uuid AS "endpointId",
  NULL::integer AS "endpointVersion"
FROM ${changed}
UNION ALL
SELECT object_id, tenant_id, event_id, endpoint_id, endpoint_version FROM subscription`;

/** An attempt is written only where it gets the slot of its checkout session. */
const insertText = (slot: { take: string; session: string; join: string }) => `
WITH new_payment AS (
  SELECT * FROM unnest(
    $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::bytea[], $16::timestamptz[],
    $17::timestamptz[], $18::timestamptz[], $19::uuid[]
  ) AS given (
    tenant_id, id, amount_minor, fee_minor, currency, operator, operator_phone, external_id,
    customer_id, description, statement_descriptor, metadata, idempotency_key, request_hash, due_at,
    expires_at, created_at, created_by_key)
),${slot.take}
created AS (
  INSERT INTO payments (
    tenant_id, id, version, status, amount_minor, fee_minor, currency, operator, operator_phone,
    external_id, customer_id, description, statement_descriptor, metadata, idempotency_key,
    request_hash, ask_count, due_at, expires_at, created_at, updated_at, created_by_key, checkout_session_id, rendering)
  SELECT
    tenant_id, id, 1, 'CREATED', amount_minor, fee_minor, currency, operator, operator_phone,
    external_id, customer_id, description, statement_descriptor, metadata, idempotency_key,
    request_hash, 0, due_at, expires_at, created_at, created_at, created_by_key, ${slot.session},
    ${paymentRendering}
  FROM new_payment${slot.join}
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, id
),
new_event AS (
  SELECT given_event.* FROM ${givenEvents(20)}
  JOIN created ON created.tenant_id = given_event.tenant_id AND created.id = given_event.object_id
),
${appendEvents(1)}
${writtenRows('created')}`;

const insertStatement = {
  name: 'payments.insert',
  text: insertText({ take: '', session: 'NULL::uuid', join: '' }),
};

const insertAttemptStatement = {
  name: 'payments.insert_attempt',
  text: insertText({
    take: `${takeSlot({ session: 27, seen: 28 })},`,
    session: 'slot_session_id',
    join: ' JOIN slot ON slot_tenant_id = tenant_id AND slot_payment_id = id',
  }),
};

export interface Written {
  /** The ids of the rows that were written. */
  ids: Set<string>;
  subscriptions: Subscription[];
}

/**
 * Writes payments with their payment.created events and deliveries in one statement. A payment whose
 * id or idempotency key is there already is left out of the result: ask for it in a second statement.
 */
export async function insertPayments(
  database: Queryable,
  rows: readonly NewPayment[],
  deliveriesDueAtMs: number,
): Promise<Written> {
  const values = insertValues(rows, deliveriesDueAtMs);
  return written(await database.query<WrittenRow>(insertStatement, values));
}

/**
 * Takes the slot of a payment's checkout session and writes the payment, in one statement. Where the
 * session is not OPEN, has an attempt in flight, has had too many or other than `seenAttempts`, nothing
 * is written.
 */
export async function insertAttempt(
  database: Queryable,
  row: NewPayment,
  seenAttempts: number,
  deliveriesDueAtMs: number,
): Promise<Written> {
  const { checkoutSessionId } = row.payment;
  const values = [...insertValues([row], deliveriesDueAtMs), checkoutSessionId, seenAttempts];
  return written(await database.query<WrittenRow>(insertAttemptStatement, values));
}

function insertValues(rows: readonly NewPayment[], deliveriesDueAtMs: number): unknown[] {
  const payments = rows.map((row) => row.payment);
  return [
    timestamp(deliveriesDueAtMs),
    uuidArray(payments.map((payment) => payment.tenantId)),
    uuidArray(payments.map((payment) => payment.id)),
    bigintArray(payments.map((payment) => payment.amountMinor)),
    bigintArray(payments.map((payment) => payment.feeMinor)),
    textArray(payments.map((payment) => payment.currency)),
    textArray(payments.map((payment) => payment.operator)),
    textArray(payments.map((payment) => payment.operatorPhone)),
    textArray(payments.map((payment) => payment.externalId)),
    textArray(payments.map((payment) => payment.customerId)),
    textArray(payments.map((payment) => payment.description)),
    textArray(payments.map((payment) => payment.statementDescriptor)),
    textArray(payments.map((payment) => payment.metadata)),
    textArray(payments.map((payment) => payment.idempotencyKey)),
    binaryArray(payments.map((payment) => payment.requestHash)),
    instantArray(payments.map((payment) => payment.dueAtMs)),
    instantArray(payments.map((payment) => payment.expiresAtMs)),
    instantArray(payments.map((payment) => payment.createdAtMs)),
    uuidArray(payments.map((payment) => payment.createdByKey)),
    ...eventValues(rows.map((row) => row.event)),
  ];
}

/** One transition: the payment as it was seen, and as it is to be. */
export interface Transition {
  seen: Payment;
  next: Payment;
  /** The lease under which the reason for it was obtained; without one, the version alone decides. */
  leaseMs?: number | undefined;
  /** Our account at the operator, where its transaction is booked now; null: of a simulated one. */
  account?: string | null | undefined;
  event?: NewEvent | undefined;
  /** That the checkout session ends with this attempt. */
  sessionEvent?: NewEvent | undefined;
  postings: Posting[];
}

interface AdvanceShape {
  /** Attempts are among them: the end of one releases the slot of its checkout session. */
  hasAttempts: boolean;
  /** Transactions of real operators are among them: each is booked once. */
  hasBookings: boolean;
}

const advanceText = ({ hasAttempts, hasBookings }: AdvanceShape) => `
WITH transition AS (
  SELECT * FROM unnest(
    $2::uuid[], $3::uuid[], $4::integer[], $5::timestamptz[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[]${hasBookings ? ', $28::text[]' : ''}
  ) AS given (
    tenant_id, id, seen_version, lease, status, operator_tx_id, failure_code, failure_message,
    due_at, sent_at, updated_at${hasBookings ? ', account' : ''})
),${hasBookings ? bookTransitions : ''}
moved AS (
  UPDATE payments p SET
    version = p.version + 1, status = t.status, operator_tx_id = t.operator_tx_id,
    failure_code = t.failure_code, failure_message = t.failure_message,
    -- Who has no lease leaves the question that another may have under way, and has the next one wait for it.
    due_at = CASE WHEN t.lease IS NULL AND t.due_at < p.asking_until THEN p.asking_until ELSE t.due_at END,
    asking_until = CASE WHEN t.lease IS NULL THEN p.asking_until END,
    sent_at = GREATEST(p.sent_at, t.sent_at), updated_at = t.updated_at
  FROM transition t
  WHERE p.tenant_id = t.tenant_id AND p.id = t.id AND p.version = t.seen_version
    AND (t.lease IS NULL OR p.due_at = t.lease)${hasBookings ? ` AND ${isBookedWhereItMustBe}` : ''}
  RETURNING p.tenant_id, p.id${hasAttempts ? ', p.checkout_session_id, p.status, p.updated_at' : ''}
),${hasAttempts ? `${releaseSlot},` : ''}
new_event AS (
  SELECT given_event.* FROM ${givenEvents(13)}
  JOIN ${changedBy(hasAttempts)} AS changed
    ON changed.tenant_id = given_event.tenant_id AND changed.id = given_event.object_id
),
${appendEvents(1)},
new_posting AS (
  SELECT given_posting.* FROM ${givenPostings(20)}
  JOIN moved ON moved.tenant_id = given_posting.tenant_id AND moved.id = given_posting.source_id
),
${appendPostings}
${writtenRows(`${changedBy(hasAttempts)} AS changed`)}`;

const changedBy = (hasAttempts: boolean) =>
  hasAttempts
    ? '(SELECT tenant_id, id FROM moved UNION ALL SELECT tenant_id, id FROM session)'
    : 'moved';

function advanceStatement(shape: AdvanceShape) {
  const name = `payments.advance${shape.hasAttempts ? '_attempts' : ''}${shape.hasBookings ? '_booking' : ''}`;
  return { name, text: advanceText(shape) };
}

/** By whether there are attempts, then by whether there are bookings. */
const advanceStatements = [false, true].map((hasAttempts) =>
  [false, true].map((hasBookings) => advanceStatement({ hasAttempts, hasBookings })),
);

/**
 * Writes transitions with their events, deliveries and postings in one statement. A transition is a
 * compare-and-set: where the payment has moved on, the lease has passed to another, or the operator's
 * transaction is booked for something else, it is left out of the result and nothing of it is written.
 * @throws Error where the table lacks one of them
 */
export async function advancePayments(
  database: Queryable,
  transitions: readonly Transition[],
  deliveriesDueAtMs: number,
): Promise<Written> {
  for (const { seen, next } of transitions) {
    requireTransition(paymentTransitions, seen.status, next.status);
  }
  const next = transitions.map((transition) => transition.next);
  const events = transitions.flatMap((transition) => transition.event ?? []);
  const hasAttempts = next.some((payment) => payment.checkoutSessionId !== null);
  if (hasAttempts) events.push(...transitions.flatMap(({ sessionEvent }) => sessionEvent ?? []));
  const accounts = transitions.map(({ account = null }) => account);
  const hasBookings = accounts.some((account) => account !== null);
  return written(
    await database.query<WrittenRow>(advanceStatements[+hasAttempts]![+hasBookings]!, [
      timestamp(deliveriesDueAtMs),
      uuidArray(next.map((payment) => payment.tenantId)),
      uuidArray(next.map((payment) => payment.id)),
      integerArray(transitions.map((transition) => transition.seen.version)),
      instantArray(transitions.map((transition) => transition.leaseMs ?? null)),
      textArray(next.map((payment) => payment.status)),
      textArray(next.map((payment) => payment.operatorTxId)),
      textArray(next.map((payment) => payment.failureCode)),
      textArray(next.map((payment) => payment.failureMessage)),
      instantArray(next.map((payment) => payment.dueAtMs)),
      instantArray(next.map((payment) => payment.sentAtMs)),
      instantArray(next.map((payment) => payment.updatedAtMs)),
      ...eventValues(events),
      ...postingValues(transitions.flatMap((transition) => transition.postings)),
      ...(hasBookings ? [textArray(accounts)] : []),
    ]),
  );
}

const findStatement = {
  name: 'payments.find',
  text: `SELECT ${paymentColumns} FROM payments WHERE tenant_id = $1 AND id = $2`,
};

/** The payment, or undefined where the tenant has none of this id. */
export async function findPayment(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<Payment | undefined> {
  return (await database.query<Payment>(findStatement, [tenantId, id]))[0];
}

const findEarlierStatement = {
  name: 'payments.find_earlier',
  text: `
SELECT ${paymentColumns} FROM payments
JOIN unnest($1::uuid[], $2::uuid[]) AS given (tenant, payment_id)
  ON tenant_id = given.tenant AND id = given.payment_id
UNION
SELECT ${paymentColumns} FROM payments
JOIN unnest($1::uuid[], $3::text[]) AS given (tenant, key)
  ON tenant_id = given.tenant AND idempotency_key = given.key`,
};

/** The payments that stood in the way of these: the same rows committed before, or others under the same key. */
export function findEarlierPayments(
  database: Queryable,
  payments: readonly (Pick<Payment, 'tenantId' | 'idempotencyKey'> & { id?: string })[],
): Promise<Payment[]> {
  return database.query<Payment>(findEarlierStatement, [
    uuidArray(payments.map((payment) => payment.tenantId)),
    uuidArray(payments.map((payment) => payment.id ?? null)),
    textArray(payments.map((payment) => payment.idempotencyKey)),
  ]);
}

interface WrittenRow {
  id: string;
  tenantId: string | null;
  eventId: string | null;
  endpointId: string | null;
  endpointVersion: number | null;
}

function written(rows: readonly WrittenRow[]): Written {
  const subscriptions = rows.filter((row) => row.endpointId !== null) as unknown as Subscription[];
  return { ids: new Set(rows.map((row) => row.id)), subscriptions };
}
