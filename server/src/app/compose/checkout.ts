import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { makeCreatePayment } from '../../money/payments/create.ts';
import { makeAttemptPayment } from '../../storefront/checkout/attempt.ts';
import { makeCreateSession } from '../../storefront/checkout/create.ts';
import { makeExpireSession } from '../../storefront/checkout/expire.ts';
import { CheckoutWorker } from '../../storefront/checkout/worker.ts';
import type { Base } from './base.ts';
import type { Work } from './payments.ts';

export type Checkout = ReturnType<typeof composeCheckout>;

/** Composes the creation of payments, directly or on the page of a session. */
export function composeCheckout(
  base: Base,
  dispatcher: DeliveryDispatcher,
  { payments: worker }: Work,
) {
  const { fees, paymentExpiryMs: expiryMs, publicUrl, page } = base.config;
  const { traced } = base;
  const { onPrepared } = traced;
  const creation = { ...base, fees, expiryMs, dispatcher, worker, onPrepared };
  const sessions = { ...base, dispatcher, publicUrl };
  const promptLimits = page.attemptsPerPhone;
  return {
    createPayment: traced.createPayment(makeCreatePayment(creation)),
    attemptPayment: traced.attemptPayment(makeAttemptPayment({ ...creation, promptLimits })),
    createSession: makeCreateSession(base),
    expireSession: makeExpireSession(sessions),
    checkoutWorker: new CheckoutWorker(sessions),
  };
}
