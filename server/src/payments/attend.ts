import type {
  DebitRequest,
  Operator,
  OperatorAnswer,
  OperatorNotice,
} from '../operators/operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { WrongDebit } from '../reversals/reversal.ts';
import type { Advance, Change } from './advance.ts';
import {
  type Decision,
  decide,
  latestStartMs,
  type PaymentTiming,
  requestLengthMs,
} from './decide.ts';
import { isOpen, type Payment } from './payment.ts';
import type { Reschedule } from './reschedule.ts';
import { findPayment } from './store.ts';

export interface AttendParts {
  database: Database;
  clock: Clock;
  timing: PaymentTiming;
  advance: Advance;
  operatorFor(payment: Payment): Operator;
  reschedule: Reschedule;
  /** Books a debit that must go back to suspense and has it reversed; a second time it does nothing. */
  reverse(payment: Payment, debit: WrongDebit): Promise<void>;
}

export interface Attend {
  /** Does what a payment needs now: send it, or ask about it. Its `dueAtMs` is the lease it was taken with. */
  attend(payment: Payment): Promise<void>;
  /** Takes word from an operator; repeated or reordered, it changes nothing the second time. */
  notice(notice: OperatorNotice): Promise<void>;
  /** Takes what was found out about a payment under the lease that it was seen with. */
  answered(payment: Payment, answer: OperatorAnswer): Promise<void>;
  /** Asks the operator about a payment now, and gives the payment as it is then. */
  refresh(payment: Payment): Promise<Payment>;
}

const maxNoticeTries = 10;

export function createAttend(parts: AttendParts): Attend {
  const attend = async (payment: Payment): Promise<void> => {
    if (payment.status === 'CREATED') return send(parts, payment);
    await answered(payment, await ask(parts, payment));
  };

  const answered = async (payment: Payment, answer: OperatorAnswer): Promise<void> => {
    await record(parts, payment, answer, leaseOf(payment));
  };

  const notice = async ({ tenantId, reference, answer }: OperatorNotice): Promise<void> => {
    for (let attempt = 0; attempt < maxNoticeTries; attempt++) {
      const payment = await findPayment(parts.database, tenantId, reference);
      if (!payment || (await record(parts, payment, answer))) return;
    }
    throw new Error('a payment changed under every try to record a notice');
  };

  const refresh = async (payment: Payment): Promise<Payment> => {
    const answer = await ask(parts, payment);
    await notice({ tenantId: payment.tenantId, reference: payment.id, answer });
    return (await findPayment(parts.database, payment.tenantId, payment.id)) ?? payment;
  };

  return { attend, notice, answered, refresh };
}

/**
 * Intent before effect: OPERATOR_PENDING is committed before the operator hears of the debit. While the
 * operator is down the payment waits as CREATED, which is never sent.
 */
async function send(parts: AttendParts, payment: Payment): Promise<void> {
  const nowMs = parts.clock.nowMs();
  const leaseMs = leaseOf(payment);
  if (nowMs >= payment.expiresAtMs) {
    const failureCode = 'CONFIRMATION_TIMEOUT';
    await parts.advance(payment, { to: 'EXPIRED', dueAtMs: null, failureCode }, leaseMs);
    return;
  }
  const heldUntilMs = await parts.operatorFor(payment).heldUntilMs?.(payment);
  if (typeof heldUntilMs === 'number') {
    await parts.reschedule(payment, leaseMs, Math.min(heldUntilMs, payment.expiresAtMs));
    return;
  }
  const dueAtMs = leaseOfRequest(parts, leaseMs, nowMs);
  const change: Change = { to: 'OPERATOR_PENDING', dueAtMs, sentAtMs: nowMs };
  const sent = await parts.advance(payment, change, leaseMs);
  if (sent) await request(parts, sent);
}

/** Again the intent before the effect, or "not found" would be believed while this request is on its way. */
async function resend(parts: AttendParts, payment: Payment, leaseMs: number): Promise<void> {
  const nowMs = parts.clock.nowMs();
  const dueAtMs = leaseOfRequest(parts, leaseMs, nowMs);
  if (await parts.reschedule(payment, leaseMs, dueAtMs, nowMs)) {
    await request(parts, { ...payment, dueAtMs, sentAtMs: nowMs });
  }
}

/** The request must end within the lease. */
function leaseOfRequest(parts: AttendParts, leaseMs: number, nowMs: number): number {
  return Math.max(leaseMs, nowMs + requestLengthMs(parts.timing));
}

async function request(parts: AttendParts, payment: Payment): Promise<void> {
  // Too late, and somebody may have taken "not found" for the end; it is sent again when it is due.
  if (payment.sentAtMs === null || parts.clock.nowMs() > payment.sentAtMs + latestStartMs) return;
  const answer = await parts.operatorFor(payment).requestDebit(debitRequest(payment));
  // The lease is the time of the first question too, so "pending" needs no write.
  if (answer.kind === 'unknown' && answer.progress !== 'PROMPTED') return;
  await record(parts, payment, answer, leaseOf(payment));
}

function ask(parts: AttendParts, payment: Payment): Promise<OperatorAnswer> {
  return parts.operatorFor(payment).askDebit(debitRequest(payment));
}

/** Gives false where the payment had moved on, so that a notice must be looked at again. */
async function record(
  parts: AttendParts,
  payment: Payment,
  answer: OperatorAnswer,
  leaseMs?: number,
): Promise<boolean> {
  const decision = decide(payment, answer, parts.clock.nowMs(), parts.timing);
  if (decision.reverse) await parts.reverse(payment, decision.reverse);
  if (decision.to) return move(parts, payment, answer, decision as Decision & Change, leaseMs);
  if (leaseMs === undefined) return true;
  if (decision.resend) {
    await resend(parts, payment, leaseMs);
    return true;
  }
  const dueAtMs = decision.dueAtMs === undefined ? leaseMs : decision.dueAtMs;
  if (dueAtMs !== leaseMs) await parts.reschedule(payment, leaseMs, dueAtMs);
  return true;
}

async function move(
  parts: AttendParts,
  payment: Payment,
  answer: OperatorAnswer,
  change: Change,
  leaseMs?: number,
): Promise<boolean> {
  if (payment.status === 'CREATED' && change.to === 'DEBITED') {
    return debitOfUnsent(parts, payment, answer);
  }
  if (await parts.advance(payment, { ...change, dueAtMs: change.dueAtMs ?? null }, leaseMs)) {
    return true;
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

/**
 * An operator that knows a payment which, by our books, was never sent: a database was restored. The
 * debit is a fact, so the payment is taken for sent first, and nobody sends it any more.
 */
async function debitOfUnsent(
  parts: AttendParts,
  payment: Payment,
  answer: OperatorAnswer,
): Promise<boolean> {
  const nowMs = parts.clock.nowMs();
  const dueAtMs = nowMs + parts.timing.operatorTimeoutMs;
  const sent = await parts.advance(payment, { to: 'OPERATOR_PENDING', dueAtMs, sentAtMs: nowMs });
  return sent ? record(parts, sent, answer) : false;
}

/** A payment that is attended to is always leased. */
function leaseOf(payment: Payment): number {
  if (payment.dueAtMs === null) throw new Error('a payment is attended to without a lease');
  return payment.dueAtMs;
}

function debitRequest(payment: Payment): DebitRequest {
  return {
    tenantId: payment.tenantId,
    reference: payment.id,
    operator: payment.operator,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    phone: payment.operatorPhone,
    expiresAtMs: payment.expiresAtMs,
    abandoned: !isOpen(payment.status),
  };
}
