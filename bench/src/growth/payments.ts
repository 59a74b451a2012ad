import {
  type EventType,
  type NewEvent,
  newEvent,
} from '../../../server/src/integrations/events/event.ts';
import {
  debitPostings,
  type Posting,
  returnPosting,
} from '../../../server/src/money/ledger/postings.ts';
import type { Payment, PaymentStatus } from '../../../server/src/money/payments/payment.ts';
import { createdPayment, paymentJson } from '../../../server/src/money/payments/view.ts';
import type { Refund } from '../../../server/src/money/refunds/refund.ts';
import { createdRefund, refundJson } from '../../../server/src/money/refunds/view.ts';
import { firstVersionOf } from '../../../server/src/platform/idempotency/idempotency.ts';
import { feeOf } from '../../../server/src/platform/values/fee.ts';
import { randomIds } from '../../../server/src/platform/values/ids.ts';

/** How many payments each settlement contains. */
export const settlementSize = 10_000;
/** The latest, unsettled payments: as many in a short history as in a long one. */
const unsettledPayments = 4_000;
const paymentsOfCustomer = 20;
const dayMs = 86_400_000;
const historyMs = 180 * dayMs;
/** Older events have been removed, as with the default RETENTION_DAYS. */
const eventsKeptMs = 30 * dayMs;
const failureCodes = ['INSUFFICIENT_FUNDS', 'PAYER_DECLINED', 'OPERATOR_ERROR'] as const;
const latestAgoMs = 300_000;
const fee = { basisPoints: 200, fixedMinor: 0n };

/** A merchant's payments of the last 180 days. */
export interface History {
  tenantId: string;
  count: number;
  nowMs: number;
}

/** One payment with all its rows. */
export interface Life {
  payment: Payment;
  refund: Refund | undefined;
  events: NewEvent[];
  postings: Posting[];
  /** Of its debit and refund. */
  period: number;
}

const ids = randomIds();

export const settledPeriods = ({ count }: History) =>
  Math.ceil((count - unsettledPayments) / settlementSize);

export const customerId = (index: number, count: number) =>
  `customer-${index % (count / paymentsOfCustomer)}`;
export const idempotencyKey = (index: number) => `order-${index}`;

/** The request that created the payment. */
export function bodyOf(index: number, count: number) {
  const angolan = index % 10 < 3;
  const number = String(9_000_000 + ((index * 7_919) % 999_999)).slice(0, 5);
  return {
    amount: 5_000 + ((index * 7_919) % 495_000),
    operator: (['CVMOVEL', 'UNITEL_TMAIS', 'MOCK'] as const)[index % 3]!,
    operatorPhone: angolan ? `+24492${number}05` : `+238${number}05`,
    externalId: `order-${index}`,
    customerId: customerId(index, count),
    metadata: { order: index, channel: index % 2 ? 'web' : 'app' },
  };
}

/** Of a hundred payments: three failed, three expired, one was cancelled, two were refunded. */
function statusOf(index: number, settled: boolean): PaymentStatus {
  const share = index % 100;
  if (share < 3) return 'FAILED';
  if (share < 6) return 'EXPIRED';
  if (share === 6) return 'CANCELLED';
  if (share === 7) return 'REFUNDED';
  if (share === 8) return 'PARTIALLY_REFUNDED';
  return settled ? 'SETTLED' : 'DEBITED';
}

/** The payment at this position of a history, with its events, postings and refund. */
export function lifeOf(history: History, index: number): Life {
  const settled = index < history.count - unsettledPayments;
  const period = settled ? Math.floor(index / settlementSize) + 1 : settledPeriods(history) + 1;
  const payment = paymentOf(history, index, statusOf(index, settled));
  const { createdAtMs, updatedAtMs, status } = payment;
  const event = (type: EventType, sequence: number, atMs: number, seen: Payment) =>
    newEvent({ ...common(payment, ids.next(atMs), atMs), type, sequence }, paymentJson(seen));
  const isTold = createdAtMs > history.nowMs - eventsKeptMs;
  const events = isTold ? [event('payment.created', 1, createdAtMs, createdPayment(payment))] : [];
  if (status === 'FAILED' || status === 'EXPIRED' || status === 'CANCELLED') {
    const type = `payment.${status.toLowerCase()}` as EventType;
    if (isTold) events.push(event(type, 4, updatedAtMs, payment));
    return { payment, refund: undefined, events, postings: [], period };
  }
  if (isTold) {
    events.push(event('payment.debited', 4, updatedAtMs, { ...payment, status: 'DEBITED' }));
  }
  const settledAtMs = updatedAtMs + 3_600_000;
  if (isTold && settled && status !== 'REFUNDED')
    events.push(event('payment.settled', payment.version, settledAtMs, payment));
  const postings = debitPostings(payment, updatedAtMs);
  const refund = refundOf(payment);
  if (refund) {
    const refundEvent = (type: EventType, sequence: number, seen: Refund) => {
      const about = {
        ...common(refund, ids.next(seen.updatedAtMs), seen.updatedAtMs),
        type,
        sequence,
      };
      return newEvent(about, refundJson(seen));
    };
    if (isTold) {
      events.push(refundEvent('refund.created', 1, createdRefund(refund)));
      events.push(refundEvent('refund.succeeded', 3, refund));
    }
    postings.push(returnPosting(refund, 'refund_out', refund.createdAtMs));
    postings.push(returnPosting(refund, 'refund_done', refund.updatedAtMs));
  }
  return { payment, refund, events, postings, period };
}

const common = ({ tenantId, id: objectId }: Payment | Refund, id: string, createdAtMs: number) => ({
  tenantId,
  id,
  objectId,
  createdAtMs,
});

function paymentOf(
  { tenantId, count, nowMs }: History,
  index: number,
  status: PaymentStatus,
): Payment {
  const body = bodyOf(index, count);
  const agoMs = historyMs * (1 - index / count) + latestAgoMs;
  const createdAtMs = Math.round(nowMs - agoMs);
  const id = ids.next(createdAtMs);
  const { amount, metadata, ...given } = body;
  const amountMinor = BigInt(amount);
  const failed = status === 'FAILED';
  const debited = !failed && status !== 'EXPIRED' && status !== 'CANCELLED';
  return {
    ...given,
    tenantId,
    id,
    version: status === 'DEBITED' || !debited ? 4 : 5,
    status,
    amountMinor,
    feeMinor: feeOf(amountMinor, fee),
    currency: body.operatorPhone.startsWith('+244') ? 'AOA' : 'CVE',
    operatorTxId: debited ? `SIM${id.replaceAll('-', '').toUpperCase().slice(-20)}` : null,
    failureCode: failed
      ? failureCodes[index % failureCodes.length]!
      : status === 'EXPIRED'
        ? 'CONFIRMATION_TIMEOUT'
        : null,
    failureMessage: null,
    description: null,
    statementDescriptor: null,
    metadata: JSON.stringify(metadata),
    checkoutSessionId: null,
    idempotencyKey: idempotencyKey(index),
    requestHash: firstVersionOf(body),
    createdByKey: null,
    rendering: 1,
    queryCount: 0,
    dueAtMs: null,
    sentAtMs: status === 'CANCELLED' ? null : createdAtMs,
    byHand: false,
    mismatched: false,
    expiresAtMs: createdAtMs + 300_000,
    createdAtMs,
    // The totals keep times to confirm apart: more distinct times mean more rows.
    updatedAtMs: createdAtMs + 1_000 * (1 + (Math.floor(index / 100) % 97)),
  };
}

function refundOf(payment: Payment): Refund | undefined {
  const { status, tenantId, amountMinor, currency, operator, operatorTxId } = payment;
  const { externalId, checkoutSessionId } = payment;
  if (status !== 'REFUNDED' && status !== 'PARTIALLY_REFUNDED') return undefined;
  const createdAtMs = payment.updatedAtMs + 10_000;
  const id = ids.next(createdAtMs);
  return {
    tenantId,
    id,
    paymentId: payment.id,
    externalId,
    checkoutSessionId,
    version: 3,
    status: 'SUCCEEDED',
    amountMinor: status === 'REFUNDED' ? amountMinor : amountMinor / 2n,
    currency,
    operator,
    operatorTxId: operatorTxId!,
    operatorRefundId: `SIM${id.replaceAll('-', '').toUpperCase().slice(-20)}`,
    reason: 'returned',
    failureCode: null,
    failureMessage: null,
    metadata: null,
    idempotencyKey: null,
    requestHash: null,
    createdByKey: null,
    rendering: 1,
    queryCount: 0,
    dueAtMs: null,
    sentAtMs: createdAtMs,
    byHand: false,
    createdAtMs,
    updatedAtMs: createdAtMs + 1_000,
  };
}
