import { appendEvents } from '../../integrations/events/append.ts';
import { type Written, written, writtenRows } from '../../integrations/events/append-result.ts';
import type { NewEvent } from '../../integrations/events/event.ts';
import { textArray, uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { columnsIn, prepare, rowsOf, table } from '../../platform/postgres/statement.ts';
import { type Payment, shownFields } from './payment.ts';
import { takeSlot } from './session-slot.ts';
import { paymentRendering } from './view.ts';

const payments = table<Payment>(
  {
    tenantId: 'uuid',
    id: 'uuid',
    version: 'integer',
    status: 'text',
    amountMinor: 'bigint',
    feeMinor: 'bigint',
    currency: 'text',
    operator: 'text',
    operatorPhone: 'text',
    operatorTxId: 'text',
    failureCode: 'text',
    failureMessage: 'text',
    externalId: 'text',
    customerId: 'text',
    description: 'text',
    statementDescriptor: 'text',
    metadata: 'text',
    checkoutSessionId: 'uuid',
    idempotencyKey: 'text',
    requestHash: 'bytea',
    rendering: 'integer',
    createdByKey: 'uuid',
    queryCount: 'integer',
    dueAtMs: 'timestamptz',
    sentAtMs: 'timestamptz',
    byHand: 'boolean',
    mismatched: 'boolean',
    expiresAtMs: 'timestamptz',
    createdAtMs: 'timestamptz',
    updatedAtMs: 'timestamptz',
  },
  { queryCount: 'ask_count' },
);

export const paymentColumns = payments.columns;
export const shownColumns = payments.columnsOf(shownFields);

export interface NewPayment {
  payment: Payment;
  event: NewEvent;
  /**
   * Its key could exist in sealed form, and nobody has checked: the payment is not written if the tenant may have
   * such keys.
   */
  keyMayBeSealed?: boolean;
}

// The statement itself sets values that are the same for every new payment.
const newPaymentColumns = payments.columnsWithout(
  'version',
  'status',
  'operatorTxId',
  'failureCode',
  'failureMessage',
  'checkoutSessionId',
  'rendering',
  'queryCount',
  'sentAtMs',
  'byHand',
  'mismatched',
  'updatedAtMs',
);
const newPaymentNames = Object.keys(newPaymentColumns).join(', ');

/** The payment.created event repeats only values that the statement already has. */
const newPayments = rowsOf<NewPayment>({
  ...columnsIn(({ payment }: NewPayment) => payment, newPaymentColumns),
  event_id: ['uuid', ({ event }) => event.id],
  event_body: ['text', ({ event }) => event.body],
  key_may_be_sealed: ['boolean', ({ keyMayBeSealed }) => keyMayBeSealed || null],
});

const hasNoSealedKey = `given.key_may_be_sealed IS NULL
  OR NOT (SELECT t.may_have_sealed_keys FROM tenants t WHERE t.id = given.tenant_id)`;

/** An attempt is written only if it gets the slot of its checkout session. */
const insertText = (rows: string, slot = { take: '', session: 'NULL::uuid', join: '' }) => `
WITH new_payment AS (
  SELECT * FROM ${rows} WHERE ${hasNoSealedKey}
),${slot.take}
created AS (
  INSERT INTO payments (
    ${newPaymentNames},
    version, status, ask_count, updated_at, checkout_session_id, rendering)
  SELECT
    ${newPaymentNames},
    1, 'CREATED', 0, created_at, ${slot.session}, ${paymentRendering}
  FROM new_payment${slot.join}
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, id
),
new_event AS (
  SELECT tenant_id, event_id AS id, 'payment.created' AS type, id AS object_id, 1 AS sequence,
    event_body AS body, created_at
  FROM new_payment JOIN created USING (tenant_id, id)
),
${appendEvents(1)}
${writtenRows('created')}`;

const insertGiven = { deliveriesDueAtMs: 'timestamptz', payments: newPayments } as const;

const insertStatement = prepare({
  name: 'payments.insert',
  given: insertGiven,
  text: (given) => insertText(given.payments),
});

const insertAttemptStatement = prepare({
  name: 'payments.insert_attempt',
  given: { ...insertGiven, session: 'uuid', seenAttempts: 'integer' },
  text: (given) =>
    insertText(given.payments, {
      take: `${takeSlot(given)},`,
      session: 'slot_session_id',
      join: ' JOIN slot ON slot_tenant_id = tenant_id AND slot_payment_id = id',
    }),
});

/**
 * Writes payments with their payment.created events and deliveries in one statement. A payment whose id or idempotency
 * key already exists, or may exist in sealed form, is left out of the result: read it with a second statement.
 */
export async function insertPayments(
  database: Queryable,
  rows: readonly NewPayment[],
  deliveriesDueAtMs: number,
): Promise<Written> {
  return written(await insertStatement.run(database, { deliveriesDueAtMs, payments: rows }));
}

/**
 * Takes the slot of a payment's checkout session and writes the payment, in one statement. Writes nothing if the
 * session is not OPEN, has an attempt in flight, has had too many attempts, or other than `seenAttempts`.
 */
export async function insertAttempt(
  database: Queryable,
  row: NewPayment,
  seenAttempts: number,
  deliveriesDueAtMs: number,
): Promise<Written> {
  const session = row.payment.checkoutSessionId;
  const given = { deliveriesDueAtMs, payments: [row], session, seenAttempts };
  return written(await insertAttemptStatement.run(database, given));
}

/** The payment, or undefined if the tenant has none with this id. */
export const findPayment = rowQuery<Payment, [tenantId: string, id: string]>({
  name: 'payments.find',
  text: `SELECT ${paymentColumns} FROM payments WHERE tenant_id = $1 AND id = $2`,
});

/** The ways to identify a payment. */
export type PaymentIdentity = Pick<Payment, 'tenantId' | 'idempotencyKey'> & { id?: string };

const findEarlierStatement = {
  name: 'payments.find_earlier',
  text: `
SELECT ${paymentColumns} FROM payments
JOIN unnest($1::uuid[], $2::uuid[]) AS given (tenant, payment_id)
  ON tenant_id = given.tenant AND id = given.payment_id
UNION ALL
SELECT ${paymentColumns} FROM payments
JOIN unnest($1::uuid[], $3::text[]) AS given (tenant, key)
  ON tenant_id = given.tenant AND idempotency_key = given.key`,
};

/**
 * The payments that conflict with these, once or twice each: the same rows committed before, or others under the same
 * key.
 */
export function findEarlierPayments(
  database: Queryable,
  payments: readonly PaymentIdentity[],
): Promise<Payment[]> {
  return database.query<Payment>(findEarlierStatement, [
    uuidArray(payments, (payment) => payment.tenantId),
    uuidArray(payments, (payment) => payment.id ?? null),
    textArray(payments, (payment) => payment.idempotencyKey),
  ]);
}
