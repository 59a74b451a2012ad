import { shownThen } from '../../platform/idempotency/idempotency.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Refund } from './refund.ts';

/** Since which rendering (rendering.ts) the answer to the creation shows a field. */
const since = { externalId: 2, checkoutSessionId: 2 };

/** The refund as the API shows it. Every field is always present, but for those that tell of its payment's order. */
export function refundView(refund: Refund) {
  return {
    id: formatId('re', refund.id),
    paymentIntentId: formatId('pi', refund.paymentId),
    amount: refund.amountMinor.toString(),
    currency: refund.currency,
    status: refund.status,
    reason: refund.reason,
    failureCode: refund.failureCode,
    failureMessage: refund.failureMessage,
    operatorRefundId: refund.operatorRefundId,
    metadata:
      refund.metadata === null ? null : (JSON.parse(refund.metadata) as Record<string, unknown>),
    createdAt: new Date(refund.createdAtMs).toISOString(),
    updatedAt: new Date(refund.updatedAtMs).toISOString(),
    ...(refund.externalId !== null && { externalId: refund.externalId }),
    ...(refund.checkoutSessionId !== null && {
      checkoutSessionId: formatId('cs', refund.checkoutSessionId),
    }),
  };
}

export function refundJson(refund: Refund): string {
  return JSON.stringify(refundView(refund));
}

/**
 * The answer to the creation of the refund, whatever the refund has become since and whatever fields are shown by
 * now: rebuilt from fields that never change, so that a repeated request gets the same bytes.
 */
export function creationJson(refund: Refund): string {
  return JSON.stringify(shownThen(refundView(createdRefund(refund)), since, refund.rendering));
}

/** The refund as it was when it was created. */
export function createdRefund(refund: Refund): Refund {
  return {
    ...refund,
    status: 'PENDING',
    failureCode: null,
    failureMessage: null,
    operatorRefundId: null,
    updatedAtMs: refund.createdAtMs,
  };
}
