import { createAttemptPayment } from '../checkout/attempt.ts';
import { createCreateSession } from '../checkout/create.ts';
import { createExpireSession } from '../checkout/expire.ts';
import { CheckoutWorker } from '../checkout/worker.ts';
import type { DeliveryHandover } from '../events/handover.ts';
import { createCreatePayment } from '../payments/create.ts';
import type { Base } from './base.ts';
import type { Work } from './work.ts';

export type Checkout = ReturnType<typeof composeCheckout>;

/** Payments are created, directly or on the page of a session. */
export function composeCheckout(
  base: Base,
  handover: DeliveryHandover,
  { payments: worker }: Work,
) {
  const { fees, paymentExpiryMs: expiryMs, publicUrl, page } = base.config;
  const { traced } = base;
  const { onPrepared } = traced;
  const creation = { ...base, fees, expiryMs, handover, worker, onPrepared };
  const sessions = { ...base, handover, publicUrl };
  const promptLimits = page.attemptsPerPhone;
  return {
    createPayment: traced.createPayment(createCreatePayment(creation)),
    attemptPayment: traced.attemptPayment(createAttemptPayment({ ...creation, promptLimits })),
    createSession: createCreateSession(base),
    expireSession: createExpireSession(sessions),
    checkoutWorker: new CheckoutWorker(sessions),
  };
}
