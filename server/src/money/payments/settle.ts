import { eventOf } from '../../integrations/events/event.ts';
import type { Ids } from '../../platform/values/ids.ts';
import type { Payment, PaymentStatus } from './payment.ts';
import type { Transition } from './transition-store.ts';
import { paymentJson } from './view.ts';

/** The payment's status once its settlement is completed; a refunded payment gets no event. */
const settledAs: Partial<Record<PaymentStatus, PaymentStatus>> = {
  DEBITED: 'SETTLED',
  PARTIALLY_REFUNDED: 'PARTIALLY_REFUNDED',
};

/** The transitions of the payments of a completed settlement, each with its payment.settled. */
export function settleTransitions(payments: Payment[], ids: Ids, nowMs: number): Transition[] {
  return payments.flatMap((seen) => {
    const status = settledAs[seen.status];
    if (!status) return [];
    const next: Payment = { ...seen, version: seen.version + 1, status, updatedAtMs: nowMs };
    const event = eventOf(ids, 'payment.settled', next, nowMs, paymentJson(next));
    return [{ seen, next, event, postings: [] }];
  });
}
