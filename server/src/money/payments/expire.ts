import type { Progress } from '../../integrations/operators/operator.ts';
import { nextQueryMs, requestIsOver } from '../../integrations/operators/query-schedule.ts';
import type { Decision, PaymentTiming, Traits } from './decide.ts';
import type { Payment } from './payment.ts';

export const expired = { to: 'EXPIRED', failureCode: 'CONFIRMATION_TIMEOUT' } as const;

/**
 * A payment that was sent, and that the operator has not decided, waits until it expires, and for the grace period
 * after that while the operator still calls it pending.
 */
export function waitOrExpire(
  payment: Payment,
  progress: Progress,
  nowMs: number,
  timing: PaymentTiming,
  traits: Traits,
): Decision {
  const isUnheard = progress === 'NOT_FOUND' && requestIsOver(payment, nowMs, timing);
  const nextMs = nextQueryMs(payment, nowMs, timing);
  if (nowMs >= payment.expiresAtMs) {
    const graceEndMs = payment.expiresAtMs + timing.expiryGraceMs;
    if (isUnheard || nowMs >= graceEndMs) return { ...expired, dueAtMs: nextMs };
    return { dueAtMs: Math.min(nextMs, graceEndMs) };
  }
  if (isUnheard && traits.deduplicates) return { send: true };
  const dueAtMs = Math.min(nextMs, payment.expiresAtMs);
  if (progress === 'PROMPTED' && payment.status === 'OPERATOR_PENDING') {
    return { to: 'USER_CONFIRMING', dueAtMs };
  }
  return { dueAtMs };
}
