import { type EventType, newEvent } from '../events/event.ts';
import type { DeliveryHandover } from '../events/handover.ts';
import { type IdempotentRequest, type RequestHashes, requireSame } from '../idempotency.ts';
import { checkPaymentLimit } from '../merchants/key-limits.ts';
import type { OperatorName } from '../operators/operator.ts';
import { Batcher } from '../platform/batching.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { invalid } from '../platform/errors.ts';
import type { Ids } from '../platform/ids.ts';
import type { DuePayment } from './due-store.ts';
import {
  type Currency,
  currencyOfPhone,
  type Fee,
  feeOf,
  normalizePhone,
  type Payment,
  phoneRule,
} from './payment.ts';
import { findEarlierPayments, insertPayments, type NewPayment } from './store.ts';
import { creationJson, paymentJson, paymentRendering } from './view.ts';

/** A request for a payment; the amount is in minor units. */
export interface CreatePaymentInput {
  tenantId: string;
  mode: 'live' | 'test';
  amountMinor: bigint;
  operator: OperatorName;
  operatorPhone: string;
  currency: Currency | null;
  externalId: string | null;
  customerId: string | null;
  description: string | null;
  statementDescriptor: string | null;
  /** JSON text. */
  metadata: string | null;
  /** The API key that asks, and how much it may. */
  apiKey: { id: string; maxPaymentMinor: bigint | null } | null;
  idempotency: IdempotentRequest | null;
}

export interface CreatedPayment {
  /** The answer of the API, to the byte the same for each repetition of the request. */
  json: string;
  replayed: boolean;
}

/**
 * Creates a payment with its payment.created event and deliveries; the debit is asked for later.
 * @throws VALIDATION_ERROR phone, or an operator or currency that is not configured in live mode
 * @throws KEY_LIMIT_EXCEEDED it is more than the API key may ask for
 * @throws IDEMPOTENCY_KEY_REUSED the key came before with another body
 */
export type CreatePayment = (input: CreatePaymentInput) => Promise<CreatedPayment>;

export interface CreateParts {
  database: Database;
  clock: Clock;
  ids: Ids;
  fees: Record<OperatorName, Fee>;
  expiryMs: number;
  handover: DeliveryHandover;
  /** Takes payments in memory as they are written; its lease keeps others away from them. */
  worker: {
    leaseMs(payment: DuePayment): number;
    accept(payment: DuePayment): void;
  };
  /** @throws VALIDATION_ERROR when a live payment cannot be made with this operator and currency */
  checkOperator(mode: 'live' | 'test', operator: OperatorName, currency: Currency): void;
  onTransition(payment: Payment): void;
  requestHashes: RequestHashes;
  /** Hears of a payment before it is written, in the request that asks for it. */
  onPrepared?: ((payment: Payment) => void) | undefined;
}

interface PreparedPayment extends NewPayment {
  payment: DuePayment;
  json: string;
}

type Outcome = { kind: 'created' } | { kind: 'earlier'; payment: Payment };

export function createCreatePayment(parts: CreateParts): CreatePayment {
  const batcher = new Batcher<PreparedPayment, Outcome>({
    maxItems: 256,
    maxInFlight: 1,
    // Rows with one idempotency key stand together: batches in flight then wait for each other in one order.
    keyOf: ({ payment }) => `${payment.tenantId} ${payment.idempotencyKey ?? ''} ${payment.id}`,
    ownerOf: ({ payment }) => payment.tenantId,
    write: (payments) => write(parts, payments),
  });

  return async (input) => {
    const sealed = await findUnder(parts, input, sealedKeys(parts, input));
    if (sealed) return replay(parts, sealed, input);
    let prepared: PreparedPayment;
    try {
      prepared = preparePayment(parts, input);
    } catch (error) {
      // What was taken once keeps its answer, even where the configuration would refuse it by now.
      const payment = await findUnder(parts, input, [input.idempotency?.key ?? []].flat());
      if (!payment) throw error;
      return replay(parts, payment, input);
    }
    const outcome = await batcher.submit(prepared);
    if (outcome.kind === 'created') {
      parts.onTransition(prepared.payment);
      parts.worker.accept(prepared.payment);
      return { json: prepared.json, replayed: false };
    }
    return replay(parts, outcome.payment, input);
  };
}

function replay(
  { requestHashes }: CreateParts,
  payment: Payment,
  { idempotency }: CreatePaymentInput,
): CreatedPayment {
  requireSame(requestHashes, payment, idempotency);
  return { json: creationJson(payment), replayed: true };
}

/** How the key may stand since the phone that it names was erased; hardly any key names one. */
const sealedKeys = ({ requestHashes }: CreateParts, { idempotency }: CreatePaymentInput) =>
  idempotency ? requestHashes.sealedKeys(idempotency.key) : [];

async function findUnder(
  { database }: CreateParts,
  { tenantId }: CreatePaymentInput,
  keys: readonly string[],
): Promise<Payment | undefined> {
  if (keys.length === 0) return undefined;
  const wanted = keys.map((idempotencyKey) => ({ tenantId, idempotencyKey }));
  return (await findEarlierPayments(database, wanted))[0];
}

/** The payment with its event, not written yet; one of a checkout session by checkout/attempt.ts. */
export function preparePayment(
  parts: CreateParts,
  input: CreatePaymentInput,
  checkoutSessionId: string | null = null,
): PreparedPayment {
  const operatorPhone = normalizePhone(input.operatorPhone);
  if (operatorPhone === undefined) {
    throw invalid('operatorPhone', phoneRule);
  }
  const currency = input.currency ?? currencyOfPhone(operatorPhone);
  checkPaymentLimit(input.apiKey, { amountMinor: input.amountMinor, currency });
  parts.checkOperator(input.mode, input.operator, currency);
  const nowMs = parts.clock.nowMs();
  const { idempotency } = input;
  const payment: DuePayment = {
    tenantId: input.tenantId,
    mode: input.mode,
    id: parts.ids.next(nowMs),
    version: 1,
    status: 'CREATED',
    amountMinor: input.amountMinor,
    feeMinor: feeOf(input.amountMinor, parts.fees[input.operator]),
    currency,
    operator: input.operator,
    operatorPhone,
    checkoutSessionId,
    externalId: input.externalId,
    customerId: input.customerId,
    description: input.description,
    statementDescriptor: input.statementDescriptor,
    metadata: input.metadata,
    operatorTxId: null,
    failureCode: null,
    failureMessage: null,
    idempotencyKey: idempotency?.key ?? null,
    requestHash: idempotency && parts.requestHashes.of(idempotency),
    createdByKey: input.apiKey?.id ?? null,
    rendering: paymentRendering,
    askCount: 0,
    dueAtMs: nowMs,
    sentAtMs: null,
    byHand: false,
    expiresAtMs: nowMs + parts.expiryMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  payment.dueAtMs = parts.worker.leaseMs(payment);
  parts.onPrepared?.(payment);
  const json = paymentJson(payment);
  const type: EventType = 'payment.created';
  const eventId = parts.ids.next(nowMs);
  const event = newEvent(
    {
      tenantId: payment.tenantId,
      id: eventId,
      type,
      objectId: payment.id,
      sequence: 1,
      createdAtMs: nowMs,
    },
    json,
  );
  return { payment, event, json };
}

async function write(parts: CreateParts, rows: PreparedPayment[]): Promise<Outcome[]> {
  const dueAtMs = parts.handover.leaseMs(parts.clock.nowMs());
  const { ids, subscriptions } = await insertPayments(parts.database, rows, dueAtMs);
  const events = rows.map(({ event }) => event);
  parts.handover.accept(subscriptions, events, dueAtMs);
  const refused = rows.filter(({ payment }) => !ids.has(payment.id));
  const earlier =
    refused.length === 0
      ? []
      : await findEarlierPayments(
          parts.database,
          refused.map(({ payment }) => payment),
        );
  return rows.map(({ payment }) => {
    if (ids.has(payment.id)) return { kind: 'created' };
    // The same id means that the COMMIT of an earlier try went through although its answer was lost.
    const found = earlier.find(
      (other) =>
        other.id === payment.id ||
        (payment.idempotencyKey !== null &&
          other.tenantId === payment.tenantId &&
          other.idempotencyKey === payment.idempotencyKey),
    );
    if (!found) throw new Error('a payment was neither written nor found');
    return found.id === payment.id ? { kind: 'created' } : { kind: 'earlier', payment: found };
  });
}
