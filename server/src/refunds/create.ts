import { type Author, writeAuditRecord } from '../audit/record.ts';
import type { Clock } from '../clock.ts';
import { notFound } from '../errors.ts';
import type { DeliveryDispatcher } from '../events/dispatch.ts';
import { eventOf } from '../events/event.ts';
import { type RefundLimits, requireSmallRefund } from '../four-eyes.ts';
import { type IdempotentRequest, keysOf, type RequestHashes, requireSame } from '../idempotency.ts';
import { formatId, type Ids } from '../ids.ts';
import { createSemaphore } from '../jobs/semaphore.ts';
import { givingBackPosting } from '../ledger/postings.ts';
import { type MerchantTerms, requireActive } from '../merchant-terms.ts';
import { countRefund } from '../merchants/key-limits.ts';
import { type Database, type Queryable, repeatOnce } from '../postgres/database.ts';
import type { DueRefund } from './lease-store.ts';
import { amountToRefund, type Refund } from './refund.ts';
import { findEarlierRefund, insertRefund, type LockedPayment, lockPayment } from './store.ts';
import { creationJson, refundJson, refundRendering } from './view.ts';

/** A request for a refund; the amount is in minor units, null for all that is left. */
export interface CreateRefundInput {
  tenantId: string;
  mode: 'live' | 'test';
  paymentId: string;
  amountMinor: bigint | null;
  reason: string | null;
  /** JSON text. */
  metadata: string | null;
  /** The API key of the request, and its limits. */
  apiKey: { id: string; maxRefundedPerDayMinor: bigint | null } | null;
  /** What is agreed with the merchant. */
  terms: MerchantTerms;
  idempotency: IdempotentRequest | null;
  /** A second person has agreed: no limit asks for one again. */
  isApproved?: boolean;
  /** The person whose wish it is: then it is recorded in the same transaction. */
  author?: Author;
}

export interface CreatedRefund {
  /** The answer of the API, to the byte the same for each repetition of the request. */
  json: string;
  replayed: boolean;
}

/**
 * Creates a refund with its reservation, posting, refund.created event and deliveries; the operator
 * is called later.
 * @throws FORBIDDEN the merchant is suspended
 * @throws NOT_FOUND the tenant has no such payment
 * @throws INVALID_STATE the payment is not debited
 * @throws REFUND_EXCEEDS_PAYMENT pending and succeeded refunds would exceed the payment
 * @throws KEY_LIMIT_EXCEEDED the API key has refunded as much as it may today
 * @throws FORBIDDEN (ApprovalNeeded) with it, so much of the payment goes back that a second person must agree
 * @throws IDEMPOTENCY_KEY_REUSED the key came before with another body
 */
export type CreateRefund = (input: CreateRefundInput) => Promise<CreatedRefund>;

export interface CreateRefundDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dispatcher: DeliveryDispatcher;
  refundApprovalAbove: RefundLimits;
  /** Takes refunds in memory as they are written; its lease keeps others away from them. */
  worker: { leaseMs(refund: DueRefund): number; accept(refund: DueRefund): void };
  onRefund(refund: Refund): void;
  requestHashes: RequestHashes;
}

interface Creation {
  id: string;
  nowMs: number;
  input: CreateRefundInput;
}

interface Result {
  refund: Refund;
  isNew: boolean;
}

/** How many connections refunds that wait for one payment may hold. */
const maxTransactions = 4;

export function makeCreateRefund(dependencies: CreateRefundDependencies): CreateRefund {
  const semaphore = createSemaphore(maxTransactions);
  return async (input) => {
    const nowMs = dependencies.clock.nowMs();
    const creation = { id: dependencies.ids.next(nowMs), nowMs, input };
    // If the connection breaks, the second try finds what the first may have committed.
    const { refund, isNew } = await semaphore(() =>
      repeatOnce(() => write(dependencies, creation)),
    );
    if (isNew) {
      dependencies.onRefund(refund);
      dependencies.worker.accept({ ...refund, mode: input.mode });
    } else {
      requireSame(dependencies.requestHashes, refund, input.idempotency);
    }
    return { json: creationJson(refund), replayed: !isNew };
  };
}

async function write(dependencies: CreateRefundDependencies, creation: Creation): Promise<Result> {
  const { id, input } = creation;
  const { tenantId, paymentId } = input;
  const keys = input.idempotency ? keysOf(dependencies.requestHashes, input.idempotency) : [null];
  const earlier = async (transaction: Queryable): Promise<Result | undefined> => {
    for (const key of keys) {
      const refund = await findEarlierRefund(transaction, { tenantId, id, idempotencyKey: key });
      // The same id means that the COMMIT of an earlier try went through although its answer was lost.
      if (refund) return { refund, isNew: refund.id === id };
    }
    return undefined;
  };
  const dueAtMs = dependencies.dispatcher.leaseMs(creation.nowMs);
  const handed = await dependencies.database.transaction(async (transaction) => {
    const payment = await lockPayment(transaction, tenantId, paymentId);
    // Behind the lock, so that a request in flight under the same key is seen; and before the amount
    // is looked at, since an earlier try of this one may have taken it.
    const found = await earlier(transaction);
    if (found) return found;
    requireActive(input.terms);
    if (!payment) throw notFound('payment');
    const refund = newRefund(dependencies, creation, payment);
    if (!input.isApproved) {
      const takenMinor = payment.refundReservedMinor;
      const { amountMinor, currency } = refund;
      requireSmallRefund(dependencies.refundApprovalAbove, currency, { takenMinor, amountMinor });
    }
    const json = refundJson(refund);
    const event = eventOf(dependencies.ids, 'refund.created', refund, creation.nowMs, json);
    const posting = givingBackPosting(refund, 'refund_out', creation.nowMs);
    const subscriptions = await insertRefund(transaction, { refund, event, posting }, dueAtMs);
    if (subscriptions) await countRefund(transaction, input.apiKey, refund);
    if (subscriptions && input.author)
      await record(transaction, dependencies, refund, input.author);
    if (subscriptions) return { refund, isNew: true, event, subscriptions };
    const other = await earlier(transaction);
    if (!other) throw new Error('a refund was neither written nor found');
    return other;
  });
  if ('subscriptions' in handed) {
    const { event, subscriptions } = handed;
    dependencies.dispatcher.accept(subscriptions, [event], dueAtMs);
  }
  return handed;
}

function record(
  transaction: Queryable,
  dependencies: CreateRefundDependencies,
  { tenantId, id, paymentId, amountMinor, currency, reason }: Refund,
  author: Author,
): Promise<void> {
  const detail = { refund: formatId('re', id), amount: amountMinor.toString(), currency, reason };
  const subject = formatId('pi', paymentId);
  const about = { tenantId, action: 'refund.created', subject, detail } as const;
  return writeAuditRecord(transaction, { ...dependencies, ...author }, about);
}

function newRefund(
  dependencies: CreateRefundDependencies,
  creation: Creation,
  payment: LockedPayment,
): Refund {
  const { id, nowMs, input } = creation;
  const { mode, idempotency, amountMinor, apiKey, author: _, isApproved: __, ...given } = input;
  const refund: Refund = {
    ...given,
    id,
    version: 1,
    status: 'PENDING',
    amountMinor: amountToRefund(payment, amountMinor),
    currency: payment.currency,
    operator: payment.operator,
    operatorTxId: payment.operatorTxId,
    operatorRefundId: null,
    failureCode: null,
    failureMessage: null,
    idempotencyKey: idempotency?.key ?? null,
    requestHash: idempotency && dependencies.requestHashes.of(idempotency),
    createdByKey: apiKey?.id ?? null,
    rendering: refundRendering,
    queryCount: 0,
    dueAtMs: nowMs,
    sentAtMs: null,
    byHand: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  refund.dueAtMs = dependencies.worker.leaseMs({ ...refund, mode });
  return refund;
}
