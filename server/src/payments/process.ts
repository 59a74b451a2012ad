import type { Clock } from '../clock.ts';
import { untilUnchanged } from '../jobs/tries.ts';
import type { Origin } from '../jobs/worker.ts';
import { findTransactionBooking } from '../operators/bookings.ts';
import type {
  FailureCode,
  Operator,
  OperatorAnswer,
  OperatorNotification,
  OperatorTraits,
} from '../operators/operator.ts';
import {
  askOperator,
  holdForQuery,
  leaseOf,
  type QuestionDependencies,
  takeForQuestion,
} from '../operators/query.ts';
import { requestLengthMs } from '../operators/query-schedule.ts';
import type { TakePrompt } from '../phones/prompts.ts';
import type { Database } from '../postgres/database.ts';
import type { RequestReview } from '../review/request-review.ts';
import { closeUnclear } from '../review/store.ts';
import { type Decision, decide, type PaymentTiming } from './decide.ts';
import { renewPayment, takePayment } from './lease-store.ts';
import { isClosedWithoutDebit, isOpen, type Payment } from './payment.ts';
import type { Reschedule } from './reschedule.ts';
import { debitRequest, sendDebit } from './send.ts';
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
  /** Books a debit that must go back to suspense and has it reversed; a second time it does nothing. */
  reverse(payment: Payment, debit: WrongDebit, account: string | null): Promise<unknown>;
  requestReview: RequestReview;
  /** The operator never had the request, though it was asked about for as long as we ask. */
  onNotReceived(payment: Payment): void;
  /** Asks whether the phone of a live payment may be asked; without it all may. */
  takePrompt?: TakePrompt | undefined;
}

export interface PaymentProcessor {
  /** Does what a payment needs now: send it, or ask about it. Its `dueAtMs` is the lease it was taken with. */
  process(payment: Payment, origin: Origin): Promise<void>;
  /**
   * Asks the operator about a payment now, because somebody hinted that there is news. Gives false where it
   * is being asked about already.
   */
  hint(tenantId: string, reference: string): Promise<boolean>;
  /** Takes word that is known to be the operator's own; repeated or reordered, it changes nothing the second time. */
  notify(notification: OperatorNotification): Promise<void>;
  /** Takes what was found out about a payment under the lease that it was seen with. */
  answered(payment: Payment, answer: OperatorAnswer): Promise<void>;
  /** Asks the operator about a payment now, and gives the payment as it is then. */
  refresh(payment: Payment): Promise<Payment>;
}

export function createPaymentProcessor(
  dependencies: PaymentProcessorDependencies,
): PaymentProcessor {
  const process = async (payment: Payment, origin: Origin): Promise<void> => {
    const isUnsent = payment.sentAtMs === null && isOpen(payment.status);
    if (isUnsent && origin === 'MEMORY') return sendOrExpire(dependencies, payment);
    const held = await holdForQuery(questionOf(dependencies), payment);
    if (!held) return;
    if (isUnsent) return queryBeforeSending(dependencies, held);
    await answered(held, await queryOperator(dependencies, held));
  };

  const answered = async (payment: Payment, answer: OperatorAnswer): Promise<void> => {
    await record(dependencies, payment, answer, leaseOf(payment));
  };

  const hint = async (tenantId: string, reference: string): Promise<boolean> => {
    const taken = await takeForQuestion(questionOf(dependencies), tenantId, reference);
    if (!taken) return false;
    const { row: payment, leaseMs } = taken;
    await record(dependencies, payment, await queryOperator(dependencies, payment), leaseMs);
    return true;
  };

  const notify = async ({ tenantId, reference, answer }: OperatorNotification): Promise<void> => {
    await untilUnchanged('a payment changed under every try to record a notice', async () => {
      const payment = await findPayment(dependencies.database, tenantId, reference);
      return !payment || (await record(dependencies, payment, answer)) || undefined;
    });
  };

  const refresh = async (payment: Payment): Promise<Payment> => {
    const answer = await queryOperator(dependencies, payment);
    await notify({ tenantId: payment.tenantId, reference: payment.id, answer });
    return (await findPayment(dependencies.database, payment.tenantId, payment.id)) ?? payment;
  };

  return { process, hint, notify, answered, refresh };
}

const questionOf = ({
  database,
  ...dependencies
}: PaymentProcessorDependencies): QuestionDependencies<Payment> => ({
  ...dependencies,
  take: (taking) => takePayment(database, taking),
  renew: (payment, leaseMs) => renewPayment(database, payment, leaseMs),
  ask: (operator, payment) => operator.queryDebit(debitRequest(payment)),
});

const queryOperator = (dependencies: PaymentProcessorDependencies, payment: Payment) =>
  askOperator(questionOf(dependencies), payment);

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
 * A payment that was never sent by what the database says, which a restore or a fail-over may have set
 * back. So the operator is asked before it is sent or closed.
 */
async function queryBeforeSending(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
): Promise<void> {
  const isOver = dependencies.clock.nowMs() >= payment.expiresAtMs;
  if (!isOver && (await isHeld(dependencies, payment))) return;
  await record(dependencies, payment, await queryOperator(dependencies, payment), leaseOf(payment));
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

async function send(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  leaseMs: number,
): Promise<void> {
  const failureCode = await refusalOf(dependencies, payment);
  if (failureCode) {
    await dependencies.applyTransition(
      payment,
      { to: 'FAILED', dueAtMs: null, failureCode },
      leaseMs,
    );
    return;
  }
  const sent = await sendDebit(dependencies, payment, leaseMs);
  if (sent) await record(dependencies, sent.payment, sent.answer, leaseOf(sent.payment));
}

/** Why the phone is not to be asked. What was sent before has its leave; simulated phones do not ring. */
async function refusalOf(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
): Promise<FailureCode | undefined> {
  if (!dependencies.takePrompt || payment.status !== 'CREATED') return undefined;
  const { account } = await dependencies.operatorFor(payment).traits(payment);
  return account === null ? undefined : dependencies.takePrompt(payment);
}

/** Gives false where the payment had moved on, so that a notification must be looked at again. */
async function record(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  answer: OperatorAnswer,
  leaseMs?: number,
): Promise<boolean> {
  const traits = await dependencies.operatorFor(payment).traits(payment);
  const decision = decide(payment, answer, dependencies.clock.nowMs(), dependencies.timing, traits);
  // What a person must see is written before the payment is let go of.
  if (decision.reverse) await dependencies.reverse(payment, decision.reverse, traits.account);
  if (decision.review) await dependencies.requestReview('PAYMENT', payment, decision.review);
  if (answer.kind !== 'unknown' && mayBeUnclear(payment)) {
    await closeUnclear(dependencies.database, payment, dependencies.clock.nowMs());
  }
  if (decision.to) {
    return transition(
      dependencies,
      payment,
      answer,
      decision as Decision & Change,
      traits,
      leaseMs,
    );
  }
  if (leaseMs === undefined) return true;
  if (decision.send) await send(dependencies, payment, leaseMs);
  else await letGo(dependencies, payment, decision, leaseMs);
  return true;
}

/**
 * Whether a person may have been asked about it: it is no longer watched, or is watched again because the
 * operator acknowledged it long after it had expired.
 */
function mayBeUnclear({ status, dueAtMs, sentAtMs, expiresAtMs }: Payment): boolean {
  if (!isClosedWithoutDebit(status) || sentAtMs === null) return false;
  return dueAtMs === null || sentAtMs > expiresAtMs;
}

/** The status stays; when the payment is looked at next, and what that follows from, may change. */
async function letGo(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  decision: Decision,
  leaseMs: number,
): Promise<void> {
  const nowMs = dependencies.clock.nowMs();
  if (decision.taken && payment.status === 'CREATED') {
    const dueAtMs = decision.dueAtMs ?? nowMs;
    await dependencies.applyTransition(
      payment,
      { to: 'OPERATOR_PENDING', dueAtMs, sentAtMs: nowMs },
      leaseMs,
    );
    return;
  }
  const dueAtMs = decision.dueAtMs === undefined ? payment.dueAtMs : decision.dueAtMs;
  const sentAtMs = decision.taken ? nowMs : undefined;
  if (dueAtMs === leaseMs && sentAtMs === undefined) return;
  const moved = await dependencies.reschedule(payment, leaseMs, dueAtMs, sentAtMs);
  if (moved && decision.notReceived) dependencies.onNotReceived(payment);
}

async function transition(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  answer: OperatorAnswer,
  change: Change,
  traits: OperatorTraits,
  leaseMs?: number,
): Promise<boolean> {
  if (payment.status === 'CREATED' && change.to === 'DEBITED') {
    return debitOfUnsent(dependencies, payment, answer);
  }
  const account = change.to === 'DEBITED' ? traits.account : null;
  const dueAtMs = change.dueAtMs ?? null;
  if (await dependencies.applyTransition(payment, { ...change, dueAtMs, account }, leaseMs))
    return true;
  if (account !== null && (await isClash(dependencies, payment, change, account))) {
    if (leaseMs === undefined) return true;
    const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
    return record(dependencies, payment, pending, leaseMs);
  }
  if (leaseMs === undefined) return false;
  // Under a lost lease only a success is worth keeping: it is a fact, whoever heard of it.
  if (answer.kind === 'succeeded') {
    const { tenantId, id: reference } = payment;
    const current = await findPayment(dependencies.database, tenantId, reference);
    if (current) return record(dependencies, current, answer);
  }
  return true;
}

/** The operator's transaction is booked for something else: this payment is not debited by it. */
async function isClash(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  { operatorTxId = '' }: Change,
  account: string,
): Promise<boolean> {
  const { tenantId, id, operator, amountMinor } = payment;
  const key = { operator, account, operatorTxId };
  const booking = await findTransactionBooking(dependencies.database, key);
  const isOurs = booking?.tenantId === tenantId && booking.paymentId === id;
  if (!booking || (isOurs && booking.kind === 'DEBIT')) return false;
  await dependencies.requestReview('PAYMENT', payment, {
    kind: 'CLASH',
    about: operatorTxId,
    detail: { booked: booking, told: { operatorTxId, amountMinor: amountMinor.toString() } },
  });
  return true;
}

/**
 * An operator that knows a payment which, by our records, was never sent: a database was set back. The
 * debit is a fact, so the payment is taken for sent first, and nobody sends it any more.
 */
async function debitOfUnsent(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  answer: OperatorAnswer,
): Promise<boolean> {
  const nowMs = dependencies.clock.nowMs();
  const dueAtMs = nowMs + requestLengthMs(dependencies.timing);
  const sent = await dependencies.applyTransition(payment, {
    to: 'OPERATOR_PENDING',
    dueAtMs,
    sentAtMs: nowMs,
  });
  return sent ? record(dependencies, sent, answer) : false;
}
