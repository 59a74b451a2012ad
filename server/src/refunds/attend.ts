import type { Logger } from 'pino';
import {
  type AskTiming,
  leaseForQuestion,
  leaseMarginMs,
  type Next,
  watchIsOver,
} from '../operators/asking.ts';
import type {
  Operator,
  OperatorAnswer,
  OperatorNotice,
  ReversalRequest,
} from '../operators/operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Origin } from '../platform/due-worker.ts';
import { sendUnderLease } from '../platform/fence.ts';
import type { AskPerson } from '../review/ask-person.ts';
import { closeUnclear } from '../review/store.ts';
import type { AdvanceRefund } from './advance.ts';
import { decideRefund, type Outcome } from './decide.ts';
import { renewRefund, rescheduleRefund, takeRefund } from './due-store.ts';
import type { Refund } from './refund.ts';
import { findRefund } from './store.ts';

export interface AttendRefundParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: AskTiming;
  advance: AdvanceRefund;
  operatorFor(refund: Refund): Operator;
  wake(atMs: number): void;
  askPerson: AskPerson;
  /** The operator has given back what we had called FAILED: a loss for a person to look at. */
  onLateSuccess(refund: Refund): void;
  /** The operator never had the request, though it was asked about for as long as we ask. */
  onNotReceived(refund: Refund): void;
}

export interface AttendRefund {
  /** Does what a refund needs now: send it, or ask about it. Its `dueAtMs` is the lease it was taken with. */
  attend(refund: Refund, origin: Origin): Promise<void>;
  /** Asks the operator about a refund now; false where it is being asked about already. */
  hint(tenantId: string, reference: string): Promise<boolean>;
  /** Takes word that is known to be the operator's own; repeated or reordered, it changes nothing the second time. */
  notice(notice: OperatorNotice): Promise<void>;
}

const maxNoticeTries = 10;

export function createAttendRefund(parts: AttendRefundParts): AttendRefund {
  const attend = async (refund: Refund, origin: Origin): Promise<void> => {
    // What the database calls unsent may have been sent before a restore: it is asked about first.
    const isNew = refund.sentAtMs === null && origin === 'MEMORY';
    if (isNew) return send(parts, refund);
    const held = await holdForQuestion(parts, refund);
    if (held) await recordUnderLease(parts, held, await ask(parts, held));
  };

  const hint = async (tenantId: string, reference: string): Promise<boolean> => {
    const nowMs = parts.clock.nowMs();
    const leaseMs = nowMs + parts.timing.operatorTimeoutMs + leaseMarginMs;
    const refund = await takeRefund(parts.database, { tenantId, id: reference, nowMs, leaseMs });
    if (!refund) return false;
    await recordUnderLease(parts, refund, await ask(parts, refund));
    return true;
  };

  const notice = (told: OperatorNotice): Promise<void> => recordFact(parts, told);

  return { attend, hint, notice };
}

/** Intent before effect: PROCESSING, and since when, is committed before the operator hears of the refund. */
async function send(parts: AttendRefundParts, refund: Refund): Promise<void> {
  const leaseMs = leaseOf(refund);
  // What has to be looked up for it is looked up now: between the commit and the request there is no time.
  await parts.operatorFor(refund).traits(refund);
  const request = { ...requestOf(refund), repeated: refund.sentAtMs !== null };
  const sent = await sendUnderLease<Refund, OperatorAnswer>({
    clock: parts.clock,
    lengthMs: parts.timing.operatorTimeoutMs,
    renew: async (sentAtMs, untilMs) => {
      const dueAtMs = Math.max(leaseMs, untilMs);
      if (refund.status === 'PENDING') {
        return parts.advance(refund, { to: 'PROCESSING', dueAtMs, sentAtMs }, leaseMs);
      }
      const isMine = await rescheduleRefund(parts.database, refund, { dueAtMs, sentAtMs });
      return isMine ? { ...refund, dueAtMs, sentAtMs } : undefined;
    },
    send: () => parts.operatorFor(refund).reverse(request),
  });
  if (sent.kind === 'LOST') return;
  const isNotSent =
    sent.kind === 'LATE' || (sent.result.kind === 'unknown' && sent.result.progress === 'NOT_SENT');
  if (isNotSent) {
    const dueAtMs = parts.clock.nowMs() + parts.timing.firstAskGapMs;
    await letGo(parts, sent.row, { dueAtMs, sentAtMs: refund.sentAtMs });
  } else if (sent.result.kind === 'unknown') {
    const dueAtMs = parts.clock.nowMs() + parts.timing.firstAskGapMs;
    await letGo(parts, sent.row, { dueAtMs, sentAtMs: sent.row.sentAtMs });
  } else await recordUnderLease(parts, sent.row, sent.result);
}

/** A question must end within the lease, of which waiting in the lane may have left little. */
async function holdForQuestion(
  parts: AttendRefundParts,
  refund: Refund,
): Promise<Refund | undefined> {
  const leaseMs = leaseForQuestion(parts.clock, leaseOf(refund), parts.timing);
  if (leaseMs === refund.dueAtMs) return refund;
  const isMine = await renewRefund(parts.database, refund, leaseMs);
  return isMine ? { ...refund, dueAtMs: leaseMs } : undefined;
}

async function ask(parts: AttendRefundParts, refund: Refund): Promise<OperatorAnswer> {
  const operator = parts.operatorFor(refund);
  const isUnsent = refund.sentAtMs === null;
  const { answersQueries } = await operator.traits(refund);
  // One that cannot be asked leaves us with the word of the database.
  if (isUnsent && !answersQueries) return { kind: 'unknown', progress: 'NOT_FOUND' };
  return operator.askReversal(requestOf(refund));
}

/** Of a refund that is held with its `dueAtMs` as the lease. */
async function recordUnderLease(
  parts: AttendRefundParts,
  refund: Refund,
  answer: OperatorAnswer,
): Promise<void> {
  const traits = await parts.operatorFor(refund).traits(refund);
  const nowMs = parts.clock.nowMs();
  const { outcome, next, review } = decideRefund(refund, answer, nowMs, parts.timing, traits);
  if (review) await parts.askPerson('REFUND', refund, review);
  if (next) return proceed(parts, refund, next);
  if (!outcome) return letGo(parts, refund, { dueAtMs: null, sentAtMs: refund.sentAtMs });
  const moved = await finish(parts, refund, outcome, leaseOf(refund));
  // Under a lost lease only a success is worth keeping: it is a fact, whoever heard of it.
  if (!moved && answer.kind === 'succeeded') {
    await recordFact(parts, { tenantId: refund.tenantId, reference: refund.id, answer });
  }
}

/** Nobody knows the outcome: the refund is sent, waited for, or given up. */
async function proceed(parts: AttendRefundParts, refund: Refund, next: Next): Promise<void> {
  const { sentAtMs } = refund;
  switch (next.kind) {
    case 'SEND':
      return send(parts, refund);
    case 'WAIT':
      return letGo(parts, refund, { dueAtMs: next.dueAtMs, sentAtMs });
    case 'TAKEN': {
      const nowMs = parts.clock.nowMs();
      if (refund.status !== 'PENDING') {
        return letGo(parts, refund, { dueAtMs: next.dueAtMs, sentAtMs: nowMs });
      }
      const change = { to: 'PROCESSING', dueAtMs: next.dueAtMs, sentAtMs: nowMs } as const;
      await parts.advance(refund, change, leaseOf(refund));
      return;
    }
    case 'NOT_RECEIVED': {
      const outcome: Outcome = { to: 'FAILED', failureCode: 'OPERATOR_UNAVAILABLE' };
      if (await finish(parts, refund, outcome, leaseOf(refund))) parts.onNotReceived(refund);
      return;
    }
    case 'UNCLEAR': {
      const detail = { status: refund.status };
      await parts.askPerson('REFUND', refund, { kind: 'UNCLEAR', about: '', detail });
      return letGo(parts, refund, { dueAtMs: null, sentAtMs });
    }
  }
}

async function letGo(
  parts: AttendRefundParts,
  refund: Refund,
  change: Pick<Refund, 'dueAtMs' | 'sentAtMs'>,
): Promise<void> {
  const isMine = await rescheduleRefund(parts.database, refund, change);
  if (isMine && change.dueAtMs !== null) parts.wake(change.dueAtMs);
}

/** Word that is the operator's own, whoever heard it and under whatever lease. */
async function recordFact(
  parts: AttendRefundParts,
  { tenantId, reference, answer }: OperatorNotice,
): Promise<void> {
  if (answer.kind === 'unknown') return;
  for (let attempt = 0; attempt < maxNoticeTries; attempt++) {
    const refund = await findRefund(parts.database, tenantId, reference);
    if (!refund) return;
    const traits = await parts.operatorFor(refund).traits(refund);
    const nowMs = parts.clock.nowMs();
    const { outcome, review } = decideRefund(refund, answer, nowMs, parts.timing, traits);
    if (review) await parts.askPerson('REFUND', refund, review);
    if (!outcome || (await finish(parts, refund, outcome))) return;
  }
  throw new Error('a refund changed under every try to record a notice');
}

/** Gives undefined where the refund had moved on, or the lease had passed to another. */
async function finish(
  parts: AttendRefundParts,
  seen: Refund,
  outcome: Outcome,
  leaseMs?: number,
): Promise<Refund | undefined> {
  let refund = seen;
  if (refund.status === 'PENDING') {
    // The operator knows what, by our books, was never sent: the database was set back.
    const nowMs = parts.clock.nowMs();
    const change = { to: 'PROCESSING', dueAtMs: leaseMs ?? nowMs, sentAtMs: nowMs } as const;
    const processing = await parts.advance(refund, change, leaseMs);
    if (!processing) return undefined;
    refund = processing;
  }
  const moved = await parts.advance(refund, { ...outcome, dueAtMs: null }, leaseMs);
  const nowMs = parts.clock.nowMs();
  if (moved && watchIsOver(seen, nowMs, parts.timing)) {
    await closeUnclear(parts.database, moved, nowMs);
  }
  if (moved && refund.status === 'FAILED') {
    const { id, tenantId, operatorRefundId } = moved;
    parts.log.error(
      { refund: id, tenantId, operatorRefundId },
      'a refund that had FAILED succeeded at the operator: its amount is missing in suspense',
    );
    parts.onLateSuccess(moved);
  }
  return moved;
}

/** A refund that is attended to is always leased. */
function leaseOf(refund: Refund): number {
  if (refund.dueAtMs === null) throw new Error('a refund is attended to without a lease');
  return refund.dueAtMs;
}

function requestOf(refund: Refund): ReversalRequest {
  return {
    kind: 'REFUND',
    tenantId: refund.tenantId,
    reference: refund.id,
    operator: refund.operator,
    operatorTxId: refund.operatorTxId,
    amountMinor: refund.amountMinor,
    currency: refund.currency,
    repeated: false,
  };
}
