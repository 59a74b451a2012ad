import type {
  FailureCode,
  Operator,
  OperatorAnswer,
  OperatorTraits,
} from '../../integrations/operators/operator.ts';
import { findAnyBooking } from '../../integrations/operators/outgoing-bookings.ts';
import { leaseOf } from '../../integrations/operators/query.ts';
import { requestLengthMs } from '../../integrations/operators/query-schedule.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { TakePrompt } from '../phones/prompts.ts';
import type { RequestReview } from '../review/request-review.ts';
import { closeAnswered } from '../review/store.ts';
import { type Decision, decide, hasReportedDebit, type PaymentTiming } from './decide.ts';
import { markMismatched } from './lease-store.ts';
import { isClosedWithoutDebit, type Payment } from './payment.ts';
import { refundedMinorOf } from './refunded-amount.ts';
import type { Reschedule } from './reschedule.ts';
import { sendDebit } from './send.ts';
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

/** Sends a debit that was never sent, or that the operator, which deduplicates, has not heard of. */
export async function send(
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
  if (sent) await recordAnswer(dependencies, sent.payment, sent.answer, leaseOf(sent.payment));
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

/** Returns false if the payment had moved on, so that the caller must look at the notification again. */
export async function recordAnswer(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  answer: OperatorAnswer,
  leaseMs?: number,
): Promise<boolean> {
  const traits = await dependencies.operatorFor(payment).traits(payment);
  const decision = decide(payment, answer, dependencies.clock.nowMs(), dependencies.timing, traits);
  if (decision.mismatched && !payment.mismatched) {
    const marked = await markMismatched(dependencies.database, payment);
    return marked !== null && recordAnswer(dependencies, marked, answer, leaseMs);
  }
  // A case for a person is written before the payment is released.
  if (decision.reverse) await dependencies.reverse(payment, decision.reverse, traits.account);
  if (decision.review && !(await isByRefunds(dependencies, payment, answer))) {
    await dependencies.requestReview('PAYMENT', payment, decision.review);
  }
  const isAnswered =
    answer.kind === 'succeeded' || (answer.kind === 'failed' && !hasReportedDebit(payment));
  if (isAnswered && mayBeUnclear(payment)) {
    const transactions = answer.kind === 'succeeded' ? [answer.operatorTxId] : [];
    const nowMs = dependencies.clock.nowMs();
    await closeAnswered(dependencies.database, payment, { nowMs, transactions });
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

/** The operator calls a debit reversed, but our own refunds return all of it. */
async function isByRefunds(
  { database }: PaymentProcessorDependencies,
  { tenantId, id: paymentId, amountMinor }: Payment,
  answer: OperatorAnswer,
): Promise<boolean> {
  if (answer.kind !== 'failed' || !answer.isReversed) return false;
  return (await refundedMinorOf(database, { tenantId, paymentId })) >= amountMinor;
}

/**
 * Whether a person may have been asked about the payment: it is no longer watched, or is watched again because the
 * operator acknowledged it long after it had expired.
 */
function mayBeUnclear({ status, dueAtMs, sentAtMs, expiresAtMs, mismatched }: Payment): boolean {
  if (mismatched) return true;
  if (!isClosedWithoutDebit(status) || sentAtMs === null) return false;
  return dueAtMs === null || sentAtMs > expiresAtMs;
}

/** The status stays; the time of the next query, and what determines it, may change. */
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
    // The customer may have paid: the payment stays open, as after any success that does not match.
    const marked = await markMismatched(dependencies.database, payment);
    if (leaseMs === undefined || marked === null) return marked !== null;
    const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
    return recordAnswer(dependencies, marked, pending, leaseMs);
  }
  if (leaseMs === undefined) return false;
  // Under a lost lease only a success is worth keeping: it is a fact, whichever process learned it.
  if (answer.kind === 'succeeded') {
    const { tenantId, id: reference } = payment;
    const current = await findPayment(dependencies.database, tenantId, reference);
    if (current) return recordAnswer(dependencies, current, answer);
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
  const booking = await findAnyBooking(dependencies.database, key);
  if (!booking) return false;
  const isOurs = 'paymentId' in booking && booking.paymentId === id && booking.kind === 'DEBIT';
  if (isOurs && booking.tenantId === tenantId) return false;
  await dependencies.requestReview('PAYMENT', payment, {
    kind: 'CLASH',
    about: operatorTxId,
    detail: { booked: booking, told: { operatorTxId, amountMinor: amountMinor.toString() } },
  });
  return true;
}

/**
 * The operator knows a payment that was never sent according to our records: the database was restored. The debit is
 * a fact, so the payment is first marked as sent, and nobody sends it again.
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
  return sent ? recordAnswer(dependencies, sent, answer) : false;
}
