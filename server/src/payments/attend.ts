import { requestLengthMs } from '../operators/asking.ts';
import { findTransactionBooking } from '../operators/bookings.ts';
import type {
  FailureCode,
  Operator,
  OperatorAnswer,
  OperatorNotice,
  OperatorTraits,
} from '../operators/operator.ts';
import {
  askOperator,
  holdForQuestion,
  leaseOf,
  type QuestionParts,
  takeForQuestion,
} from '../operators/question.ts';
import type { TakePrompt } from '../phones/prompts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Origin } from '../platform/due-worker.ts';
import { untilUnchanged } from '../platform/tries.ts';
import type { WrongDebit } from '../reversals/reversal.ts';
import type { AskPerson } from '../review/ask-person.ts';
import { closeUnclear } from '../review/store.ts';
import type { Advance, Change } from './advance.ts';
import { type Decision, decide, type PaymentTiming } from './decide.ts';
import { renewPayment, takePayment } from './due-store.ts';
import { isClosedWithoutDebit, isOpen, type Payment } from './payment.ts';
import type { Reschedule } from './reschedule.ts';
import { debitRequest, sendDebit } from './send.ts';
import { findPayment } from './store.ts';

export interface AttendParts {
  database: Database;
  clock: Clock;
  timing: PaymentTiming;
  advance: Advance;
  operatorFor(payment: Payment): Operator;
  reschedule: Reschedule;
  /** Books a debit that must go back to suspense and has it reversed; a second time it does nothing. */
  reverse(payment: Payment, debit: WrongDebit, account: string | null): Promise<unknown>;
  askPerson: AskPerson;
  /** The operator never had the request, though it was asked about for as long as we ask. */
  onNotReceived(payment: Payment): void;
  /** Asks whether the phone of a live payment may be asked; without it all may. */
  takePrompt?: TakePrompt | undefined;
}

export interface Attend {
  /** Does what a payment needs now: send it, or ask about it. Its `dueAtMs` is the lease it was taken with. */
  attend(payment: Payment, origin: Origin): Promise<void>;
  /**
   * Asks the operator about a payment now, because somebody hinted that there is news. Gives false where it
   * is being asked about already.
   */
  hint(tenantId: string, reference: string): Promise<boolean>;
  /** Takes word that is known to be the operator's own; repeated or reordered, it changes nothing the second time. */
  notice(notice: OperatorNotice): Promise<void>;
  /** Takes what was found out about a payment under the lease that it was seen with. */
  answered(payment: Payment, answer: OperatorAnswer): Promise<void>;
  /** Asks the operator about a payment now, and gives the payment as it is then. */
  refresh(payment: Payment): Promise<Payment>;
}

export function createAttend(parts: AttendParts): Attend {
  const attend = async (payment: Payment, origin: Origin): Promise<void> => {
    const isUnsent = payment.sentAtMs === null && isOpen(payment.status);
    if (isUnsent && origin === 'MEMORY') return sendOrExpire(parts, payment);
    const held = await holdForQuestion(questionOf(parts), payment);
    if (!held) return;
    if (isUnsent) return askBeforeSending(parts, held);
    await answered(held, await ask(parts, held));
  };

  const answered = async (payment: Payment, answer: OperatorAnswer): Promise<void> => {
    await record(parts, payment, answer, leaseOf(payment));
  };

  const hint = async (tenantId: string, reference: string): Promise<boolean> => {
    const taken = await takeForQuestion(questionOf(parts), tenantId, reference);
    if (!taken) return false;
    const { row: payment, leaseMs } = taken;
    await record(parts, payment, await ask(parts, payment), leaseMs);
    return true;
  };

  const notice = async ({ tenantId, reference, answer }: OperatorNotice): Promise<void> => {
    await untilUnchanged('a payment changed under every try to record a notice', async () => {
      const payment = await findPayment(parts.database, tenantId, reference);
      return !payment || (await record(parts, payment, answer)) || undefined;
    });
  };

  const refresh = async (payment: Payment): Promise<Payment> => {
    const answer = await ask(parts, payment);
    await notice({ tenantId: payment.tenantId, reference: payment.id, answer });
    return (await findPayment(parts.database, payment.tenantId, payment.id)) ?? payment;
  };

  return { attend, hint, notice, answered, refresh };
}

const questionOf = ({ database, ...parts }: AttendParts): QuestionParts<Payment> => ({
  ...parts,
  take: (taking) => takePayment(database, taking),
  renew: (payment, leaseMs) => renewPayment(database, payment, leaseMs),
  ask: (operator, payment) => operator.askDebit(debitRequest(payment)),
});

const ask = (parts: AttendParts, payment: Payment) => askOperator(questionOf(parts), payment);

/** A payment that this process has just created: it was certainly never sent. */
async function sendOrExpire(parts: AttendParts, payment: Payment): Promise<void> {
  const leaseMs = leaseOf(payment);
  if (parts.clock.nowMs() >= payment.expiresAtMs) {
    const failureCode = 'CONFIRMATION_TIMEOUT';
    await parts.advance(payment, { to: 'EXPIRED', dueAtMs: null, failureCode }, leaseMs);
  } else if (!(await isHeld(parts, payment))) await send(parts, payment, leaseMs);
}

/**
 * A payment that was never sent by what the database says, which a restore or a fail-over may have set
 * back. So the operator is asked before it is sent or closed.
 */
async function askBeforeSending(parts: AttendParts, payment: Payment): Promise<void> {
  const isOver = parts.clock.nowMs() >= payment.expiresAtMs;
  if (!isOver && (await isHeld(parts, payment))) return;
  await record(parts, payment, await ask(parts, payment), leaseOf(payment));
}

/** While the operator is down a payment waits unsent. */
async function isHeld(parts: AttendParts, payment: Payment): Promise<boolean> {
  const heldUntilMs = await parts.operatorFor(payment).heldUntilMs?.(payment);
  if (typeof heldUntilMs !== 'number') return false;
  await parts.reschedule(payment, leaseOf(payment), Math.min(heldUntilMs, payment.expiresAtMs));
  return true;
}

async function send(parts: AttendParts, payment: Payment, leaseMs: number): Promise<void> {
  const failureCode = await refusalOf(parts, payment);
  if (failureCode) {
    await parts.advance(payment, { to: 'FAILED', dueAtMs: null, failureCode }, leaseMs);
    return;
  }
  const sent = await sendDebit(parts, payment, leaseMs);
  if (sent) await record(parts, sent.payment, sent.answer, leaseOf(sent.payment));
}

/** Why the phone is not to be asked. What was sent before has its leave; simulated phones do not ring. */
async function refusalOf(parts: AttendParts, payment: Payment): Promise<FailureCode | undefined> {
  if (!parts.takePrompt || payment.status !== 'CREATED') return undefined;
  const { account } = await parts.operatorFor(payment).traits(payment);
  return account === null ? undefined : parts.takePrompt(payment);
}

/** Gives false where the payment had moved on, so that a notice must be looked at again. */
async function record(
  parts: AttendParts,
  payment: Payment,
  answer: OperatorAnswer,
  leaseMs?: number,
): Promise<boolean> {
  const traits = await parts.operatorFor(payment).traits(payment);
  const decision = decide(payment, answer, parts.clock.nowMs(), parts.timing, traits);
  // What a person must see is written before the payment is let go of.
  if (decision.reverse) await parts.reverse(payment, decision.reverse, traits.account);
  if (decision.review) await parts.askPerson('PAYMENT', payment, decision.review);
  if (answer.kind !== 'unknown' && mayBeUnclear(payment)) {
    await closeUnclear(parts.database, payment, parts.clock.nowMs());
  }
  if (decision.to) {
    return move(parts, payment, answer, decision as Decision & Change, traits, leaseMs);
  }
  if (leaseMs === undefined) return true;
  if (decision.send) await send(parts, payment, leaseMs);
  else await letGo(parts, payment, decision, leaseMs);
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
  parts: AttendParts,
  payment: Payment,
  decision: Decision,
  leaseMs: number,
): Promise<void> {
  const nowMs = parts.clock.nowMs();
  if (decision.taken && payment.status === 'CREATED') {
    const dueAtMs = decision.dueAtMs ?? nowMs;
    await parts.advance(payment, { to: 'OPERATOR_PENDING', dueAtMs, sentAtMs: nowMs }, leaseMs);
    return;
  }
  const dueAtMs = decision.dueAtMs === undefined ? payment.dueAtMs : decision.dueAtMs;
  const sentAtMs = decision.taken ? nowMs : undefined;
  if (dueAtMs === leaseMs && sentAtMs === undefined) return;
  const moved = await parts.reschedule(payment, leaseMs, dueAtMs, sentAtMs);
  if (moved && decision.notReceived) parts.onNotReceived(payment);
}

async function move(
  parts: AttendParts,
  payment: Payment,
  answer: OperatorAnswer,
  change: Change,
  traits: OperatorTraits,
  leaseMs?: number,
): Promise<boolean> {
  if (payment.status === 'CREATED' && change.to === 'DEBITED') {
    return debitOfUnsent(parts, payment, answer);
  }
  const account = change.to === 'DEBITED' ? traits.account : null;
  const dueAtMs = change.dueAtMs ?? null;
  if (await parts.advance(payment, { ...change, dueAtMs, account }, leaseMs)) return true;
  if (account !== null && (await isClash(parts, payment, change, account))) {
    if (leaseMs === undefined) return true;
    const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
    return record(parts, payment, pending, leaseMs);
  }
  if (leaseMs === undefined) return false;
  // Under a lost lease only a success is worth keeping: it is a fact, whoever heard of it.
  if (answer.kind === 'succeeded') {
    const { tenantId, id: reference } = payment;
    const current = await findPayment(parts.database, tenantId, reference);
    if (current) return record(parts, current, answer);
  }
  return true;
}

/** The operator's transaction is booked for something else: this payment is not debited by it. */
async function isClash(
  parts: AttendParts,
  payment: Payment,
  { operatorTxId = '' }: Change,
  account: string,
): Promise<boolean> {
  const { tenantId, id, operator, amountMinor } = payment;
  const key = { operator, account, operatorTxId };
  const booking = await findTransactionBooking(parts.database, key);
  const isOurs = booking?.tenantId === tenantId && booking.paymentId === id;
  if (!booking || (isOurs && booking.kind === 'DEBIT')) return false;
  await parts.askPerson('PAYMENT', payment, {
    kind: 'CLASH',
    about: operatorTxId,
    detail: { booked: booking, told: { operatorTxId, amountMinor: amountMinor.toString() } },
  });
  return true;
}

/**
 * An operator that knows a payment which, by our books, was never sent: a database was set back. The
 * debit is a fact, so the payment is taken for sent first, and nobody sends it any more.
 */
async function debitOfUnsent(
  parts: AttendParts,
  payment: Payment,
  answer: OperatorAnswer,
): Promise<boolean> {
  const nowMs = parts.clock.nowMs();
  const dueAtMs = nowMs + requestLengthMs(parts.timing);
  const sent = await parts.advance(payment, { to: 'OPERATOR_PENDING', dueAtMs, sentAtMs: nowMs });
  return sent ? record(parts, sent, answer) : false;
}
