import { eventOf } from '../../integrations/events/event.ts';
import { notFound } from '../../platform/errors/errors.ts';
import type { RequestHashes } from '../../platform/idempotency/idempotency.ts';
import type { RenderingChange } from '../../platform/idempotency/rendering-change.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { type AmountLimits, requireSmallRefund } from '../../platform/values/four-eyes.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { requireActive } from '../../platform/values/merchant-terms.ts';
import type { Creation } from './creation.ts';
import type { NewRefund, RefundBasis } from './creation-store.ts';
import type { DueRefund } from './lease-store.ts';
import { amountToRefund, type Refund } from './refund.ts';
import type { LockedPayment } from './store.ts';
import { creationJson, refundJson } from './view.ts';

export interface PrepareDependencies {
  clock: Clock;
  ids: Ids;
  refundApprovalAbove: AmountLimits;
  worker: { leaseMs(refund: DueRefund): number };
  requestHashes: RequestHashes;
  refundRendering: Pick<RenderingChange, 'at'>;
}

/**
 * Builds the refund with its event, without writing it, if the payment as read allows it.
 * @throws FORBIDDEN the merchant is suspended
 * @throws NOT_FOUND the tenant has no such payment
 * @throws INVALID_STATE the payment is not debited
 * @throws REFUND_EXCEEDS_PAYMENT nothing, or too little, is left
 * @throws FORBIDDEN (ApprovalNeeded) a second person must approve
 */
export function prepareRefund(
  dependencies: PrepareDependencies,
  creation: Creation,
  { payment }: RefundBasis,
): NewRefund {
  const { input, nowMs } = creation;
  requireActive(input.terms);
  if (!payment) throw notFound('payment', 'paymentIntentId');
  const refund = newRefund(dependencies, creation, payment);
  const takenMinor = payment.refundReservedMinor;
  if (!input.isApproved) {
    const { amountMinor, currency } = refund;
    requireSmallRefund(dependencies.refundApprovalAbove, currency, { takenMinor, amountMinor });
  }
  return {
    refund,
    json: creationJson(refund),
    event: eventOf(dependencies.ids, 'refund.created', refund, nowMs, refundJson(refund)),
    seen: { status: payment.status, takenMinor },
    dayLimitMinor: input.apiKey?.maxRefundedPerDayMinor ?? null,
  };
}

function newRefund(
  dependencies: PrepareDependencies,
  { id, nowMs, input }: Creation,
  payment: LockedPayment,
): Refund {
  const { mode, idempotency } = input;
  const refund: Refund = {
    tenantId: input.tenantId,
    id,
    paymentId: input.paymentId,
    externalId: payment.externalId,
    checkoutSessionId: payment.checkoutSessionId,
    version: 1,
    status: 'PENDING',
    amountMinor: amountToRefund(payment, input.amountMinor),
    currency: payment.currency,
    operator: payment.operator,
    operatorTxId: payment.operatorTxId,
    operatorRefundId: null,
    reason: input.reason,
    failureCode: null,
    failureMessage: null,
    metadata: input.metadata,
    idempotencyKey: idempotency?.key ?? null,
    requestHash: idempotency && dependencies.requestHashes.of(idempotency),
    createdByKey: input.apiKey?.id ?? null,
    rendering: dependencies.refundRendering.at(nowMs),
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
