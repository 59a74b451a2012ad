import type {
  DebitRequest,
  Operator,
  OperatorAnswer,
} from '../../integrations/operators/operator.ts';
import { isNotSent } from '../../integrations/operators/query.ts';
import { nextQueryMs } from '../../integrations/operators/query-schedule.ts';
import { sendUnderLease } from '../../platform/jobs/send-under-lease.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { PaymentTiming } from './decide.ts';
import { unsendPayment } from './lease-store.ts';
import { isOpen, type Payment } from './payment.ts';
import type { Reschedule } from './reschedule.ts';
import type { ApplyTransition, Change } from './transition.ts';

export interface SendDependencies {
  database: Database;
  clock: Clock;
  timing: PaymentTiming;
  applyTransition: ApplyTransition;
  reschedule: Reschedule;
  operatorFor(payment: Payment): Operator;
}

/**
 * Requests a debit. Commits first that the request is about to be sent: CREATED becomes OPERATOR_PENDING, and
 * `sentAtMs` says since when "not found" proves nothing. Returns the answer if it says anything, with the payment as
 * it was sent; undefined if there is nothing to record.
 */
export async function sendDebit(
  dependencies: SendDependencies,
  payment: Payment,
  leaseMs: number,
): Promise<{ payment: Payment; answer: OperatorAnswer } | undefined> {
  const operator = dependencies.operatorFor(payment);
  const request: DebitRequest = { ...debitRequest(payment), repeated: payment.sentAtMs !== null };
  if (payment.status === 'CREATED')
    request.record = (await operator.recordOf?.(request)) ?? undefined;
  const sent = await sendUnderLease<Payment, OperatorAnswer>({
    clock: dependencies.clock,
    lengthMs: dependencies.timing.operatorTimeoutMs,
    renew: (sentAtMs, untilMs) => {
      const dueAtMs = Math.max(leaseMs, untilMs);
      return renew(dependencies, payment, leaseMs, { sentAtMs, dueAtMs, record: request.record });
    },
    send: () => operator.requestDebit(request),
  });
  if (sent.kind === 'LOST') return undefined;
  const { row } = sent;
  if (sent.kind === 'LATE' || isNotSent(sent.result)) {
    const dueAtMs = nextQueryMs(payment, dependencies.clock.nowMs(), dependencies.timing);
    const { sentAtMs } = payment;
    await unsendPayment(dependencies.database, { ...row, leaseMs: row.dueAtMs, sentAtMs, dueAtMs });
    return undefined;
  }
  // The lease also sets the time of the first query, so "pending" needs no write.
  const { result } = sent;
  const isSilent = result.kind === 'unknown' && result.progress !== 'PROMPTED' && !result.reported;
  return isSilent ? undefined : { payment: row, answer: result };
}

async function renew(
  dependencies: SendDependencies,
  payment: Payment,
  leaseMs: number,
  change: Pick<Change, 'record'> & { sentAtMs: number; dueAtMs: number },
): Promise<Payment | undefined> {
  if (payment.status === 'CREATED') {
    return dependencies.applyTransition(payment, { to: 'OPERATOR_PENDING', ...change }, leaseMs);
  }
  const { sentAtMs, dueAtMs } = change;
  const isMine = await dependencies.reschedule(payment, leaseMs, dueAtMs, sentAtMs);
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
    statementDescriptor: payment.statementDescriptor,
    expiresAtMs: payment.expiresAtMs,
    abandoned: !isOpen(payment.status),
    repeated: false,
  };
}
