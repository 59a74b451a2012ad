import type { Operator, OperatorAnswer } from '../../integrations/operators/operator.ts';
import {
  leaseOf,
  type Processor,
  RequestProcessor,
} from '../../integrations/operators/request-processor.ts';
import type { Origin } from '../../platform/jobs/worker.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { TakePrompt } from '../phones/prompt-limits.ts';
import type { RequestReview } from '../review/request-review.ts';
import type { PaymentTiming } from './decide.ts';
import { renewPayment, takePayment } from './lease-store.ts';
import { isOpen, type Payment } from './payment.ts';
import { findDebitClash, interpretAnswer, markSent } from './record-answer.ts';
import type { Reschedule } from './reschedule.ts';
import { beginDebit, debitRequest, prepareDebit, unsendDebit } from './send.ts';
import { findPayment } from './store.ts';
import type { ApplyTransition, Change } from './transition.ts';
import type { WrongDebit } from './wrong-debit.ts';

export interface PaymentProcessorDependencies {
  database: Database;
  clock: Clock;
  timing: PaymentTiming;
  applyTransition: ApplyTransition;
  operatorFor(payment: Payment): Operator;
  reschedule: Reschedule;
  /** Books a wrong debit to suspense and has it reversed; a second time it does nothing. */
  reverse(payment: Payment, debit: WrongDebit, account: string | null): Promise<unknown>;
  requestReview: RequestReview;
  /** The operator never had the request, although we queried it until the end of the watch. */
  onNotReceived(payment: Payment): void;
  /** Checks whether the phone of a live payment may be prompted; without it, every phone may. */
  takePrompt?: TakePrompt | undefined;
}

export interface PaymentProcessor extends Processor<Payment> {
  /** Applies an outcome about a payment under the lease that it was seen with. */
  answered(payment: Payment, answer: OperatorAnswer): Promise<void>;
  /** Queries the operator about a payment now, and returns the payment as it is then. */
  refresh(payment: Payment): Promise<Payment>;
}

export function createPaymentProcessor(
  dependencies: PaymentProcessorDependencies,
): PaymentProcessor {
  const { database } = dependencies;
  const processor: RequestProcessor<Payment, Change> = new RequestProcessor<Payment, Change>({
    ...dependencies,
    name: 'payment',
    primaryAgeMs: database.primaryAgeMs,
    isConfirmed: true,
    find: (tenantId, id) => findPayment(database, tenantId, id),
    take: (taking) => takePayment(database, taking),
    renew: (payment, leaseMs) => renewPayment(database, payment, leaseMs),
    ask: (operator, payment) => operator.queryDebit(debitRequest(payment)),
    isAtRest: (payment, origin) => isAtRest(dependencies, payment, origin),
    prepare: (payment, leaseMs) => prepareDebit(dependencies, payment, leaseMs),
    begin: (payment, leaseMs, plan) => beginDebit(dependencies, payment, leaseMs, plan),
    // The lease may already be the time of the next query.
    release: async (payment, leaseMs, dueAtMs) =>
      dueAtMs !== leaseMs && dependencies.reschedule(payment, leaseMs, dueAtMs),
    unsend: (payment, unsent) => unsendDebit(dependencies, payment, unsent),
    interpret: (payment, answer) => interpretAnswer(dependencies, payment, answer),
    finish: async (payment, change, answer, leaseMs) => {
      if (payment.status !== 'CREATED' || change.to !== 'DEBITED') {
        return (await dependencies.applyTransition(payment, change, leaseMs)) !== undefined;
      }
      const sent = await markSent(dependencies, payment);
      return sent !== undefined && processor.record(sent, answer);
    },
    findClash: (...clashing) => findDebitClash(dependencies, ...clashing),
  });
  return {
    process: (payment, origin) => processor.process(payment, origin),
    hint: (tenantId, reference) => processor.hint(tenantId, reference),
    notify: (notification) => processor.notify(notification),
    answered: async (payment, answer) => {
      await processor.record(payment, answer, leaseOf(payment));
    },
    refresh: async (payment) => {
      const { tenantId, id: reference } = payment;
      await processor.notify({ tenantId, reference, answer: await processor.query(payment) });
      return (await findPayment(database, tenantId, reference)) ?? payment;
    },
  };
}

/** Before an unsent payment is sent or queried: it has expired without anyone having sent it, or waits. */
async function isAtRest(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  origin: Origin,
): Promise<boolean> {
  if (dependencies.clock.nowMs() < payment.expiresAtMs) {
    return isOpen(payment.status) && isHeld(dependencies, payment);
  }
  // A restore or a fail-over may have set the database back: then the operator is queried before the payment expires.
  if (origin === 'DATABASE') return false;
  const change = { to: 'EXPIRED', dueAtMs: null, failureCode: 'CONFIRMATION_TIMEOUT' } as const;
  await dependencies.applyTransition(payment, change, leaseOf(payment));
  return true;
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
