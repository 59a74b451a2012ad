import type { DebitRequest, FailureCode } from '../../integrations/operators/operator.ts';
import { nextQueryMs } from '../../integrations/operators/query-schedule.ts';
import {
  leaseOf,
  type PreparedRequest,
  type SendingPlan,
} from '../../integrations/operators/request-processor.ts';
import { unsendPayment } from './lease-store.ts';
import { isOpen, type Payment } from './payment.ts';
import type { PaymentProcessorDependencies } from './process.ts';
import type { Change } from './transition.ts';

/**
 * Looks up the data of a debit that was never sent, or that the operator, which deduplicates, has not heard of.
 * Undefined if the phone must not be prompted: then the payment has FAILED.
 */
export async function prepareDebit(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  leaseMs: number,
): Promise<PreparedRequest<Payment> | undefined> {
  const failureCode = await refusalOf(dependencies, payment);
  if (failureCode) {
    const change = { to: 'FAILED', dueAtMs: null, failureCode } as const;
    await dependencies.applyTransition(payment, change, leaseMs);
    return undefined;
  }
  const operator = dependencies.operatorFor(payment);
  const request: DebitRequest = { ...debitRequest(payment), repeated: payment.sentAtMs !== null };
  if (payment.status === 'CREATED')
    request.record = (await operator.recordOf?.(request)) ?? undefined;
  const { record } = request;
  return {
    begin: (plan) => beginDebit(dependencies, payment, leaseMs, { ...plan, record }),
    send: () => operator.requestDebit(request),
  };
}

/** Why the phone must not be prompted. A payment that was sent before is exempt; simulated phones do not ring. */
async function refusalOf(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
): Promise<FailureCode | undefined> {
  if (!dependencies.takePrompt || payment.status !== 'CREATED') return undefined;
  const { account } = await dependencies.operatorFor(payment).traits(payment);
  return account === null ? undefined : dependencies.takePrompt(payment);
}

/**
 * Commits that a debit is about to be requested: CREATED becomes OPERATOR_PENDING, and `sentAtMs` says since when
 * "not found" proves nothing. Undefined if the lease had passed to another worker, or the payment had moved on.
 */
export async function beginDebit(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  leaseMs: number,
  change: SendingPlan & Pick<Change, 'record'>,
): Promise<Payment | undefined> {
  if (payment.status === 'CREATED') {
    return dependencies.applyTransition(payment, { to: 'OPERATOR_PENDING', ...change }, leaseMs);
  }
  const { sentAtMs, dueAtMs } = change;
  const isMine = await dependencies.reschedule(payment, leaseMs, dueAtMs, sentAtMs);
  return isMine ? { ...payment, dueAtMs, sentAtMs } : undefined;
}

/** The debit certainly never left: the payment is as it was before, and is sent again at the time of its next query. */
export async function unsendDebit(
  { database, clock, timing }: PaymentProcessorDependencies,
  payment: Payment,
  unsent: Payment,
): Promise<void> {
  const dueAtMs = nextQueryMs(unsent, clock.nowMs(), timing);
  const { sentAtMs } = unsent;
  await unsendPayment(database, { ...payment, leaseMs: leaseOf(payment), sentAtMs, dueAtMs });
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
