import { nextAskMs } from '../operators/asking.ts';
import type { DebitRequest, Operator, OperatorAnswer } from '../operators/operator.ts';
import { isNotSent } from '../operators/question.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { sendUnderLease } from '../platform/fence.ts';
import type { Advance } from './advance.ts';
import type { PaymentTiming } from './decide.ts';
import { unsendPayment } from './due-store.ts';
import { isOpen, type Payment } from './payment.ts';
import type { Reschedule } from './reschedule.ts';

export interface SendParts {
  database: Database;
  clock: Clock;
  timing: PaymentTiming;
  advance: Advance;
  reschedule: Reschedule;
  operatorFor(payment: Payment): Operator;
}

/**
 * Asks for a debit. That it is about to be sent is committed first: CREATED becomes OPERATOR_PENDING,
 * and `sentAtMs` says since when "not found" proves nothing. Gives the answer where it tells something,
 * with the payment as it was sent; undefined where there is nothing to record.
 */
export async function sendDebit(
  parts: SendParts,
  payment: Payment,
  leaseMs: number,
): Promise<{ payment: Payment; answer: OperatorAnswer } | undefined> {
  const request = { ...debitRequest(payment), repeated: payment.sentAtMs !== null };
  const sent = await sendUnderLease<Payment, OperatorAnswer>({
    clock: parts.clock,
    lengthMs: parts.timing.operatorTimeoutMs,
    renew: (sentAtMs, untilMs) =>
      renew(parts, payment, leaseMs, sentAtMs, Math.max(leaseMs, untilMs)),
    send: () => parts.operatorFor(payment).requestDebit(request),
  });
  if (sent.kind === 'LOST') return undefined;
  const { row } = sent;
  if (sent.kind === 'LATE' || isNotSent(sent.result)) {
    const dueAtMs = nextAskMs(payment, parts.clock.nowMs(), parts.timing);
    await unsendPayment(parts.database, row, payment.sentAtMs, dueAtMs);
    return undefined;
  }
  // The lease is the time of the first question too, so "pending" needs no write.
  const isSilent = sent.result.kind === 'unknown' && sent.result.progress !== 'PROMPTED';
  return isSilent ? undefined : { payment: row, answer: sent.result };
}

async function renew(
  parts: SendParts,
  payment: Payment,
  leaseMs: number,
  sentAtMs: number,
  dueAtMs: number,
): Promise<Payment | undefined> {
  if (payment.status === 'CREATED') {
    return parts.advance(payment, { to: 'OPERATOR_PENDING', dueAtMs, sentAtMs }, leaseMs);
  }
  const isMine = await parts.reschedule(payment, leaseMs, dueAtMs, sentAtMs);
  return isMine ? { ...payment, dueAtMs, sentAtMs } : undefined;
}

export function debitRequest(payment: Payment): DebitRequest {
  return {
    tenantId: payment.tenantId,
    reference: payment.id,
    operator: payment.operator,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    phone: payment.operatorPhone,
    expiresAtMs: payment.expiresAtMs,
    abandoned: !isOpen(payment.status),
    repeated: false,
  };
}
