import { makeAttemptPayment } from '../../checkout/attempt.ts';
import { makeCreateSession } from '../../checkout/create.ts';
import { makeExpireSession } from '../../checkout/expire.ts';
import { CheckoutWorker } from '../../checkout/worker.ts';
import type { DeliveryDispatcher } from '../../events/dispatch.ts';
import { makeCreatePayment } from '../../payments/create.ts';
import type { Base } from './base.ts';
import type { Work } from './payments.ts';

export type Checkout = ReturnType<typeof composeCheckout>;

/** Payments are created, directly or on the page of a session. */
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
