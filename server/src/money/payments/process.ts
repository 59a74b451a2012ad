import type {
  OperatorAnswer,
  OperatorNotification,
} from '../../integrations/operators/operator.ts';
import {
  holdForQuery,
  leaseOf,
  type QueryDependencies,
  queryUnderLease,
  takeForQuery,
} from '../../integrations/operators/query.ts';
import { untilUnchanged } from '../../platform/jobs/retry-on-conflict.ts';
import type { Origin } from '../../platform/jobs/worker.ts';
import { renewPayment, takePayment } from './lease-store.ts';
import { isOpen, type Payment } from './payment.ts';
import { type PaymentProcessorDependencies, recordAnswer, send } from './record-answer.ts';
import { debitRequest } from './send.ts';
import { findPayment } from './store.ts';

export interface PaymentProcessor {
  /** Processes a due payment: sends it, or queries it. Its `dueAtMs` is the lease under which it was claimed. */
  process(payment: Payment, origin: Origin): Promise<void>;
  /**
   * Queries the operator about a payment now, because somebody hinted that there is news. Returns false if
   * a query is already under way.
   */
  hint(tenantId: string, reference: string): Promise<boolean>;
  /** Applies an authentic notification of the operator. Repeated or reordered, it changes nothing the second time. */
  notify(notification: OperatorNotification): Promise<void>;
  /** Applies an outcome about a payment under the lease that it was seen with. */
  answered(payment: Payment, answer: OperatorAnswer): Promise<void>;
  /** Queries the operator about a payment now, and returns the payment as it is then. */
  refresh(payment: Payment): Promise<Payment>;
}

export function createPaymentProcessor(
  dependencies: PaymentProcessorDependencies,
): PaymentProcessor {
  const process = async (payment: Payment, origin: Origin): Promise<void> => {
    const isUnsent = payment.sentAtMs === null && isOpen(payment.status);
    if (isUnsent && origin === 'MEMORY') return sendOrExpire(dependencies, payment);
    const held = await holdForQuery(queryDependenciesOf(dependencies), payment);
    if (!held) return;
    if (isUnsent) return queryBeforeSending(dependencies, held);
    await answered(held, await queryOperator(dependencies, held));
  };

  const answered = async (payment: Payment, answer: OperatorAnswer): Promise<void> => {
    await recordAnswer(dependencies, payment, answer, leaseOf(payment));
  };

  const hint = async (tenantId: string, reference: string): Promise<boolean> => {
    const taken = await takeForQuery(queryDependenciesOf(dependencies), tenantId, reference);
    if (!taken) return false;
    const { row: payment, leaseMs } = taken;
    await recordAnswer(dependencies, payment, await queryOperator(dependencies, payment), leaseMs);
    return true;
  };

  const notify = async ({ tenantId, reference, answer }: OperatorNotification): Promise<void> => {
    await untilUnchanged('a payment changed under every try to record a notification', async () => {
      const payment = await findPayment(dependencies.database, tenantId, reference);
      return !payment || (await recordAnswer(dependencies, payment, answer)) || undefined;
    });
  };

  const refresh = async (payment: Payment): Promise<Payment> => {
    const answer = await queryOperator(dependencies, payment);
    await notify({ tenantId: payment.tenantId, reference: payment.id, answer });
    return (await findPayment(dependencies.database, payment.tenantId, payment.id)) ?? payment;
  };

  return { process, hint, notify, answered, refresh };
}

const queryDependenciesOf = ({
  database,
  ...dependencies
}: PaymentProcessorDependencies): QueryDependencies<Payment> => ({
  ...dependencies,
  take: (taking) => takePayment(database, taking),
  renew: (payment, leaseMs) => renewPayment(database, payment, leaseMs),
  ask: (operator, payment) => operator.queryDebit(debitRequest(payment)),
});

const queryOperator = (dependencies: PaymentProcessorDependencies, payment: Payment) =>
  queryUnderLease(queryDependenciesOf(dependencies), payment);

/** A payment that this process has just created: it was certainly never sent. */
async function sendOrExpire(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
): Promise<void> {
  const leaseMs = leaseOf(payment);
  if (dependencies.clock.nowMs() >= payment.expiresAtMs) {
    const failureCode = 'CONFIRMATION_TIMEOUT';
    await dependencies.applyTransition(
      payment,
      { to: 'EXPIRED', dueAtMs: null, failureCode },
      leaseMs,
    );
  } else if (!(await isHeld(dependencies, payment))) await send(dependencies, payment, leaseMs);
}

/**
 * A payment that was never sent according to the database, which a restore or a failover may have set back. So the
 * operator is queried before the payment is sent or closed.
 */
async function queryBeforeSending(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
): Promise<void> {
  const isOver = dependencies.clock.nowMs() >= payment.expiresAtMs;
  if (!isOver && (await isHeld(dependencies, payment))) return;
  await recordAnswer(
    dependencies,
    payment,
    await queryOperator(dependencies, payment),
    leaseOf(payment),
  );
}

/** While the operator is down a payment waits unsent. */
async function isHeld(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
): Promise<boolean> {
  const heldUntilMs = await dependencies.operatorFor(payment).heldUntilMs?.(payment);
  if (typeof heldUntilMs !== 'number') return false;
  await dependencies.reschedule(
    payment,
    leaseOf(payment),
    Math.min(heldUntilMs, payment.expiresAtMs),
  );
  return true;
}
