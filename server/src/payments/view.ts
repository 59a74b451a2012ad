import { putJson } from '../formats/raw-json.ts';
import { shownThen } from '../idempotency.ts';
import { formatId } from '../ids.ts';
import { maskPhone } from '../phone.ts';
import type { Payment } from './payment.ts';

/** Increased with each field that is added here; new rows store it. */
export const paymentRendering = 2;
const since = { checkoutSessionId: 2 };

/** The payment as the API shows it (contract, section 2.6). Every field is always present. */
export function paymentView(payment: Payment) {
  return {
    id: formatId('pi', payment.id),
    externalId: payment.externalId,
    amount: payment.amountMinor.toString(),
    currency: payment.currency,
    feeAmount: payment.feeMinor.toString(),
    netAmount: (payment.amountMinor - payment.feeMinor).toString(),
    operator: payment.operator,
    operatorPhone: payment.operatorPhone,
    operatorTxId: payment.operatorTxId,
    status: payment.status,
    failureCode: payment.failureCode,
    failureMessage: payment.failureMessage,
    description: payment.description,
    statementDescriptor: payment.statementDescriptor,
    customerId: payment.customerId,
    metadata:
      payment.metadata === null ? null : (JSON.parse(payment.metadata) as Record<string, unknown>),
    expiresAt: new Date(payment.expiresAtMs).toISOString(),
    createdAt: new Date(payment.createdAtMs).toISOString(),
    updatedAt: new Date(payment.updatedAtMs).toISOString(),
    // Only if there is one: the contract names the fields of an ordinary payment.
    ...(payment.checkoutSessionId !== null && {
      checkoutSessionId: formatId('cs', payment.checkoutSessionId),
    }),
  };
}

/** The payment as a key sees it that may not read phones. */
export function maskedPaymentView(payment: Payment) {
  return paymentView({ ...payment, operatorPhone: maskPhone(payment.operatorPhone) });
}

export function paymentJson(payment: Payment): string {
  const bare = JSON.stringify(paymentView({ ...payment, metadata: null }));
  return putJson(bare, 'metadata', 'null', payment.metadata);
}

/**
 * The answer to the creation of the payment, whatever it has become since and whatever fields are shown
 * by now: rebuilt from what never changes, so that a repeated request gets the same bytes.
 */
export function creationJson(payment: Payment): string {
  return JSON.stringify(shownThen(paymentView(createdPayment(payment)), since, payment.rendering));
}

/** The payment as it was when it was created. */
export function createdPayment(payment: Payment): Payment {
  return {
    ...payment,
    status: 'CREATED',
    operatorTxId: null,
    failureCode: null,
    failureMessage: null,
    updatedAtMs: payment.createdAtMs,
  };
}
