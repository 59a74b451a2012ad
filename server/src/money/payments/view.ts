import { isoInstant } from '../../platform/formats/instant.ts';
import { shownThen } from '../../platform/idempotency/idempotency.ts';
import { formatId } from '../../platform/values/ids.ts';
import { maskPhone } from '../../platform/values/phone.ts';
import type { Payment, ShownPayment } from './payment.ts';
import type { PaymentView } from './schemas.ts';

/** Increased with each field that is added here; new rows store it. */
export const paymentRendering = 2;
const since = { checkoutSessionId: 2 };

/**
 * The payment as the API shows it (contract, section 2.6), as JSON. Every field is always present, but for the
 * checkout session: the contract names the fields of an ordinary payment. It is put together by hand, since it
 * is made with each event and for each row of a list: a third of the time that JSON.stringify takes.
 */
export function paymentJson(payment: ShownPayment): string {
  const { amountMinor, feeMinor, checkoutSessionId: session } = payment;
  return `{"id":"${formatId('pi', payment.id)}","externalId":${text(payment.externalId)},"amount":"${amountMinor}","currency":"${payment.currency}","feeAmount":"${feeMinor}","netAmount":"${amountMinor - feeMinor}","operator":"${payment.operator}","operatorPhone":"${payment.operatorPhone}","operatorTxId":${text(payment.operatorTxId)},"status":"${payment.status}","failureCode":${text(payment.failureCode)},"failureMessage":${text(payment.failureMessage)},"description":${text(payment.description)},"statementDescriptor":${text(payment.statementDescriptor)},"customerId":${text(payment.customerId)},"metadata":${payment.metadata},"expiresAt":"${isoInstant(payment.expiresAtMs)}","createdAt":"${isoInstant(payment.createdAtMs)}","updatedAt":"${isoInstant(payment.updatedAtMs)}"${session === null ? '' : `,"checkoutSessionId":"${formatId('cs', session)}"`}}`;
}

/** Writes `null` for null, without a lookup. */
const text = (value: string | null) => (value === null ? null : JSON.stringify(value));

/** The same as an object. */
export function paymentView(payment: ShownPayment): PaymentView {
  return JSON.parse(paymentJson(payment)) as PaymentView;
}

/** The payment as shown to a key without the permission to read phones. */
export function maskedPaymentView(payment: ShownPayment): PaymentView {
  return paymentView({ ...payment, operatorPhone: maskPhone(payment.operatorPhone) });
}

/**
 * The answer to the creation of the payment, whatever the payment has become since and whatever fields are shown by
 * now: rebuilt from fields that never change, so that a repeated request gets the same bytes.
 */
export function creationJson(payment: Payment): string {
  const created = createdPayment(payment);
  if (payment.rendering === paymentRendering) return paymentJson(created);
  return JSON.stringify(shownThen(paymentView(created), since, payment.rendering));
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
