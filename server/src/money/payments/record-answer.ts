import type { OperatorAnswer } from '../../integrations/operators/operator.ts';
import { findAnyBooking } from '../../integrations/operators/outgoing-bookings.ts';
import { requestLengthMs } from '../../integrations/operators/query-schedule.ts';
import type { Meaning, Success } from '../../integrations/operators/request-processor.ts';
import { closeAnswered } from '../review/store.ts';
import { type Decision, decide, hasReportedDebit } from './decide.ts';
import { markMismatched } from './lease-store.ts';
import { isClosedWithoutDebit, type Payment } from './payment.ts';
import type { PaymentProcessorDependencies } from './process.ts';
import { refundedMinorOf } from './refunded-amount.ts';
import type { Change } from './transition.ts';

/** The meaning of an answer; undefined if the payment has moved on. A case for a person is written before. */
export async function interpretAnswer(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  answer: OperatorAnswer,
): Promise<Meaning<Payment, Change> | undefined> {
  const { database, clock, timing } = dependencies;
  const traits = await dependencies.operatorFor(payment).traits(payment);
  const decision = decide(payment, answer, clock.nowMs(), timing, traits);
  if (decision.mismatched && !payment.mismatched) {
    const marked = await markMismatched(database, payment);
    return marked ? interpretAnswer(dependencies, marked, answer) : undefined;
  }
  if (decision.reverse) await dependencies.reverse(payment, decision.reverse, traits.account);
  if (decision.review && !(await isByRefunds(dependencies, payment, answer))) {
    await dependencies.requestReview('PAYMENT', payment, decision.review);
  }
  const isAnswered =
    answer.kind === 'succeeded' || (answer.kind === 'failed' && !hasReportedDebit(payment));
  if (isAnswered && mayBeUnclear(payment)) {
    const transactions = answer.kind === 'succeeded' ? [answer.operatorTxId] : [];
    await closeAnswered(database, payment, { nowMs: clock.nowMs(), transactions });
  }
  return meaningOf(payment, decision, traits.account);
}

function meaningOf(
  row: Payment,
  decision: Decision,
  ours: string | null,
): Meaning<Payment, Change> {
  const { to, dueAtMs = row.dueAtMs } = decision;
  if (to) {
    const account = to === 'DEBITED' ? ours : null;
    return { row, outcome: { ...decision, to, account, dueAtMs: decision.dueAtMs ?? null } };
  }
  if (decision.send) return { row, next: { kind: 'SEND' } };
  if (decision.taken && dueAtMs !== null) return { row, next: { kind: 'TAKEN', dueAtMs } };
  return { row, next: decision.notReceived ? { kind: 'NOT_RECEIVED' } : { kind: 'WAIT', dueAtMs } };
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

/**
 * The operator knows a payment that was never sent according to our records: the database was restored. The debit is
 * a fact, so the payment is first marked as sent, and nobody sends it again. Undefined if the payment had moved on.
 */
export function markSent(
  { clock, timing, applyTransition }: PaymentProcessorDependencies,
  payment: Payment,
): Promise<Payment | undefined> {
  const sentAtMs = clock.nowMs();
  const dueAtMs = sentAtMs + requestLengthMs(timing);
  return applyTransition(payment, { to: 'OPERATOR_PENDING', dueAtMs, sentAtMs });
}

/**
 * If the operator's transaction is booked for something else, this payment is not debited by it. The customer may
 * have paid: the payment stays open, as after any success that does not match.
 */
export async function findDebitClash(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  answer: Success,
  { to, account = null }: Change,
): Promise<Payment | null | undefined> {
  if (to !== 'DEBITED' || account === null) return undefined;
  const isClashing = await isClash(dependencies, payment, answer, account);
  return isClashing ? markMismatched(dependencies.database, payment) : undefined;
}

/** The operator's transaction is booked for something else: this payment is not debited by it. */
async function isClash(
  dependencies: PaymentProcessorDependencies,
  payment: Payment,
  { operatorTxId }: Success,
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
