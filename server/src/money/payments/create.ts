import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { eventOf } from '../../integrations/events/event.ts';
import type { CheckOperator } from '../../integrations/operators/check.ts';
import type { OperatorName } from '../../integrations/operators/operator.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import {
  type IdempotentRequest,
  type RequestHashes,
  requireSame,
} from '../../platform/idempotency/idempotency.ts';
import { Batcher } from '../../platform/jobs/batcher.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { type Fee, feeOf } from '../../platform/values/fee.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import {
  agreedFee,
  type MerchantTerms,
  requireWithinTerms,
} from '../../platform/values/merchant-terms.ts';
import type { Currency } from '../../platform/values/money.ts';
import { checkPaymentLimit } from '../../tenants/merchants/check-key-limit.ts';
import { makeFindEarlier } from './find-original.ts';
import type { DuePayment } from './lease-store.ts';
import type { Payment } from './payment.ts';
import { insertPayments, type NewPayment } from './store.ts';
import { insertTillCharge, type TillCharge } from './till-charges.ts';
import { creationJson, paymentJson, paymentRendering } from './view.ts';
import { checkWallet, readWallet } from './wallet.ts';

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
  /** The API key of the request, and its limits. */
  apiKey: { id: string; maxPaymentMinor: bigint | null } | null;
  /** The terms agreed with the merchant. */
  terms: MerchantTerms;
  idempotency: IdempotentRequest | null;
  /** For the audit log if a person makes the request; payments created by API keys are not audited. */
  author?: Author;
  /** For a person's charge at the till: who made it, and what was sold. Needs an author. */
  tillCharge?: TillCharge;
}

export interface CreatedPayment {
  /** The API's response, identical to the byte for each repetition of the request. */
  json: string;
  replayed: boolean;
}

/**
 * Creates a payment with its payment.created event and deliveries; the debit is requested later.
 * @throws VALIDATION_ERROR phone; in live mode an operator or currency that is not configured, or a currency other
 * than that of the phone's country; amount, if it exceeds the merchant's limit
 * @throws FORBIDDEN the merchant is suspended
 * @throws KEY_LIMIT_EXCEEDED the amount exceeds the limit of the API key
 * @throws IDEMPOTENCY_KEY_REUSED the key was used before with another body
 */
export type CreatePayment = (input: CreatePaymentInput) => Promise<CreatedPayment>;

export interface CreateDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  fees: Record<OperatorName, Fee>;
  expiryMs: number;
  dispatcher: DeliveryDispatcher;
  /** Processes payments in memory as they are written; its lease keeps other workers away from them. */
  worker: {
    leaseMs(payment: DuePayment): number;
    accept(payment: DuePayment): void;
  };
  checkOperator: CheckOperator;
  onTransition(payment: Payment): void;
  requestHashes: RequestHashes;
  /** Called with a payment before it is written, in the request that creates it. */
  onPrepared?: ((payment: Payment) => void) | undefined;
}

interface PreparedPayment extends NewPayment {
  payment: DuePayment;
  json: string;
}

export function makeCreatePayment(dependencies: CreateDependencies): CreatePayment {
  const inserts = new Batcher<PreparedPayment, boolean>({
    maxItems: 256,
    maxInFlight: 1,
    spacingMs: 3,
    // Rows with an idempotency key are sorted: batches in flight then wait for each other in one order.
    keyOf: ({ payment }) => `${payment.tenantId} ${payment.idempotencyKey ?? ''} ${payment.id}`,
    ownerOf: ({ payment }) => payment.tenantId,
    write: (payments) => write(dependencies, payments),
  });
  const findEarlier = makeFindEarlier(dependencies);
  // At most one per tenant that has such keys.
  const withSealedKeys = new Set<string>();
  const insert = (row: PreparedPayment, { author, tillCharge }: CreatePaymentInput) =>
    author ? writeRecorded(dependencies, row, author, tillCharge) : inserts.submit(row);
  /** The unique index decides about the plain key; sealed keys are searched only if a tenant may have some. */
  const writeOrFind = async (row: PreparedPayment, input: CreatePaymentInput): Promise<Payment> => {
    const { payment } = row;
    const { tenantId, idempotencyKey: key } = payment;
    const keyMayBeSealed = key !== null && dependencies.requestHashes.maySeal(key);
    if (!keyMayBeSealed || !withSealedKeys.has(tenantId)) {
      if (await insert(keyMayBeSealed ? { ...row, keyMayBeSealed } : row, input)) return payment;
    }
    const original = await findEarlier(payment);
    if (original) return original;
    if (keyMayBeSealed) {
      withSealedKeys.add(tenantId);
      if (await insert(row, input)) return payment;
      const simultaneous = await findEarlier(payment);
      if (simultaneous) return simultaneous;
    }
    throw new Error('a payment was neither written nor found');
  };

  return async (input) => {
    let prepared: PreparedPayment;
    try {
      prepared = preparePayment(dependencies, input);
    } catch (error) {
      // A request that was once accepted keeps its answer, even if the configuration would refuse it by now.
      const { tenantId, idempotency } = input;
      const payment =
        idempotency && (await findEarlier({ tenantId, idempotencyKey: idempotency.key }));
      if (!payment) throw error;
      return replay(dependencies, payment, input);
    }
    const { payment, json } = prepared;
    const original = await writeOrFind(prepared, input);
    // The same id means that the COMMIT of an earlier try succeeded although its answer was lost.
    if (original.id !== payment.id) return replay(dependencies, original, input);
    dependencies.onTransition(payment);
    dependencies.worker.accept(payment);
    return { json, replayed: false };
  };
}

function replay(
  { requestHashes }: CreateDependencies,
  payment: Payment,
  { idempotency }: CreatePaymentInput,
): CreatedPayment {
  requireSame(requestHashes, payment, idempotency);
  return { json: creationJson(payment), replayed: true };
}

/**
 * Builds the payment with its event, without writing it; checkout/attempt.ts writes the payments of checkout
 * sessions.
 */
export function preparePayment(
  dependencies: CreateDependencies,
  input: CreatePaymentInput,
  checkoutSessionId: string | null = null,
): PreparedPayment {
  const wallet = readWallet(input);
  const { operatorPhone, currency } = wallet;
  requireWithinTerms(input.terms, input.amountMinor);
  checkPaymentLimit(input.apiKey, { amountMinor: input.amountMinor, currency });
  checkWallet(dependencies.checkOperator, input, wallet);
  const nowMs = dependencies.clock.nowMs();
  const { idempotency } = input;
  const payment: DuePayment = {
    tenantId: input.tenantId,
    mode: input.mode,
    id: dependencies.ids.next(nowMs),
    version: 1,
    status: 'CREATED',
    amountMinor: input.amountMinor,
    feeMinor: feeOf(
      input.amountMinor,
      agreedFee(input.terms, input.operator, dependencies.fees[input.operator]),
    ),
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
    requestHash: idempotency && dependencies.requestHashes.of(idempotency),
    createdByKey: input.apiKey?.id ?? null,
    rendering: paymentRendering,
    queryCount: 0,
    dueAtMs: nowMs,
    sentAtMs: null,
    byHand: false,
    mismatched: false,
    expiresAtMs: nowMs + dependencies.expiryMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  payment.dueAtMs = dependencies.worker.leaseMs(payment);
  dependencies.onPrepared?.(payment);
  const json = paymentJson(payment);
  const event = eventOf(dependencies.ids, 'payment.created', payment, nowMs, json);
  return { payment, event, json };
}

/** Writes payments, and says of each whether it was written; if not, it exists already, or its key was used before. */
async function write(
  dependencies: CreateDependencies,
  rows: PreparedPayment[],
): Promise<boolean[]> {
  const events = rows.map(({ event }) => event);
  const dueAtMs = dependencies.dispatcher.leaseMs(dependencies.clock.nowMs(), events);
  const { ids, subscriptions } = await insertPayments(dependencies.database, rows, dueAtMs);
  dependencies.dispatcher.accept(subscriptions, events, dueAtMs);
  return rows.map(({ payment }) => ids.has(payment.id));
}

/** A person's payment and its audit record, both or neither: in a transaction of their own, off the hot path. */
async function writeRecorded(
  dependencies: CreateDependencies,
  row: PreparedPayment,
  author: Author,
  tillCharge: TillCharge | undefined,
): Promise<boolean> {
  const events = [row.event];
  const dueAtMs = dependencies.dispatcher.leaseMs(dependencies.clock.nowMs(), events);
  const { tenantId, id, amountMinor, currency } = row.payment;
  const written = await dependencies.database.transaction(async (transaction) => {
    const inserted = await insertPayments(transaction, [row], dueAtMs);
    if (!inserted.ids.has(id)) return inserted;
    const after = { amount: amountMinor.toString(), currency };
    const subject = formatId('pi', id);
    const record = { tenantId, action: 'payment.created', subject, after } as const;
    await writeAuditRecord(transaction, { ...dependencies, ...author }, record);
    if (tillCharge) await insertTillCharge(transaction, row.payment, tillCharge);
    return inserted;
  });
  dependencies.dispatcher.accept(written.subscriptions, events, dueAtMs);
  return written.ids.has(id);
}
