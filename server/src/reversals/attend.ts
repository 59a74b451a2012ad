import type { Logger } from 'pino';
import { givingBackPosting } from '../ledger/posting.ts';
import {
  type AskTiming,
  afterUnknown,
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
import type { Reversal } from './reversal.ts';
import {
  findReversal,
  moveReversal,
  type ReversalChange,
  renewReversal,
  takeReversal,
} from './store.ts';

export interface AttendReversalParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: AskTiming;
  operatorFor(reversal: Reversal): Operator;
  wake(atMs: number): void;
  askPerson: AskPerson;
  /** The operator never had the request, though it was asked about for as long as we ask. */
  onNotReceived(reversal: Reversal): void;
}

export interface AttendReversal {
  /** Does what a reversal needs now: send it, or ask about it. Its `dueAtMs` is the lease it was taken with. */
  attend(reversal: Reversal, origin: Origin): Promise<void>;
  /** Asks the operator about a reversal now; false where it is being asked about already. */
  hint(tenantId: string, reference: string): Promise<boolean>;
  /** Takes word that is known to be the operator's own; repeated or reordered, it changes nothing the second time. */
  notice(notice: OperatorNotice): Promise<void>;
}

const maxNoticeTries = 10;

export function createAttendReversal(parts: AttendReversalParts): AttendReversal {
  /** All come from the database, even new ones: what it calls unsent is asked about first. */
  const attend = async (reversal: Reversal): Promise<void> => {
    const held = await holdForQuestion(parts, reversal);
    if (held) await recordUnderLease(parts, held, await ask(parts, held));
  };

  const hint = async (tenantId: string, reference: string): Promise<boolean> => {
    const nowMs = parts.clock.nowMs();
    const leaseMs = nowMs + parts.timing.operatorTimeoutMs + leaseMarginMs;
    const taking = { tenantId, id: reference, nowMs, leaseMs };
    const reversal = await takeReversal(parts.database, taking);
    if (!reversal) return false;
    await recordUnderLease(parts, reversal, await ask(parts, reversal));
    return true;
  };

  const notice = (told: OperatorNotice): Promise<void> => recordFact(parts, told);

  return { attend, hint, notice };
}

/** A question must end within the lease, of which waiting in the lane may have left little. */
async function holdForQuestion(
  parts: AttendReversalParts,
  reversal: Reversal,
): Promise<Reversal | undefined> {
  if (reversal.dueAtMs === null) throw new Error('a reversal is attended to without a lease');
  const leaseMs = leaseForQuestion(parts.clock, reversal.dueAtMs, parts.timing);
  if (leaseMs === reversal.dueAtMs) return reversal;
  const isMine = await renewReversal(parts.database, reversal, leaseMs);
  return isMine ? { ...reversal, dueAtMs: leaseMs } : undefined;
}

async function ask(parts: AttendReversalParts, reversal: Reversal): Promise<OperatorAnswer> {
  const operator = parts.operatorFor(reversal);
  const { answersQueries } = await operator.traits(reversal);
  // One that cannot be asked leaves us with the word of the database.
  if (reversal.sentAtMs === null && !answersQueries) {
    return { kind: 'unknown', progress: 'NOT_FOUND' };
  }
  return operator.askReversal(requestOf(reversal));
}

/** PROCESSING, and since when, is committed before the operator is called. */
async function send(parts: AttendReversalParts, reversal: Reversal): Promise<void> {
  const request = { ...requestOf(reversal), repeated: reversal.sentAtMs !== null };
  const sent = await sendUnderLease<Reversal, OperatorAnswer>({
    clock: parts.clock,
    lengthMs: parts.timing.operatorTimeoutMs,
    renew: async (sentAtMs, leaseMs) => {
      const dueAtMs = Math.max(leaseMs, reversal.dueAtMs ?? 0);
      const change = { status: 'PROCESSING', dueAtMs, sentAtMs, nowMs: sentAtMs } as const;
      const isMine = await moveReversal(parts.database, reversal, change, []);
      return isMine ? { ...reversal, status: 'PROCESSING', dueAtMs, sentAtMs } : undefined;
    },
    send: () => parts.operatorFor(reversal).reverse(request),
  });
  if (sent.kind === 'LOST') return;
  const isNotSent =
    sent.kind === 'LATE' || (sent.result.kind === 'unknown' && sent.result.progress === 'NOT_SENT');
  const dueAtMs = parts.clock.nowMs() + parts.timing.firstAskGapMs;
  if (isNotSent) return letGo(parts, sent.row, { dueAtMs, sentAtMs: reversal.sentAtMs });
  if (sent.result.kind === 'unknown') return letGo(parts, sent.row, { dueAtMs });
  await recordUnderLease(parts, sent.row, sent.result);
}

/** Of a reversal that is held with its `dueAtMs` as the lease. */
async function recordUnderLease(
  parts: AttendReversalParts,
  reversal: Reversal,
  answer: OperatorAnswer,
): Promise<void> {
  const isOpen = reversal.status === 'PENDING' || reversal.status === 'PROCESSING';
  if (answer.kind === 'unknown') {
    if (!isOpen) return letGo(parts, reversal, { dueAtMs: null });
    const traits = await parts.operatorFor(reversal).traits(reversal);
    const nowMs = parts.clock.nowMs();
    return proceed(
      parts,
      reversal,
      afterUnknown(reversal, answer.progress, nowMs, parts.timing, traits),
    );
  }
  const isDone = await record(parts, reversal, answer);
  // Under a lost lease only a success is worth keeping: it is a fact, whoever heard of it.
  if (!isDone && answer.kind === 'succeeded') {
    await recordFact(parts, { tenantId: reversal.tenantId, reference: reversal.id, answer });
  }
}

/** Nobody knows the outcome: the reversal is sent, waited for, or given up. */
async function proceed(parts: AttendReversalParts, reversal: Reversal, next: Next): Promise<void> {
  switch (next.kind) {
    case 'SEND':
      return send(parts, reversal);
    case 'WAIT':
      return letGo(parts, reversal, { dueAtMs: next.dueAtMs });
    case 'TAKEN': {
      const sentAtMs = parts.clock.nowMs();
      return letGo(parts, reversal, { status: 'PROCESSING', dueAtMs: next.dueAtMs, sentAtMs });
    }
    case 'NOT_RECEIVED': {
      const failed = { kind: 'failed', failureCode: 'OPERATOR_UNAVAILABLE' } as const;
      if (await record(parts, reversal, failed)) parts.onNotReceived(reversal);
      return;
    }
    case 'UNCLEAR': {
      const detail = { status: reversal.status, operatorTxId: reversal.operatorTxId };
      await parts.askPerson('REVERSAL', reversal, { kind: 'UNCLEAR', about: '', detail });
      return letGo(parts, reversal, { dueAtMs: null });
    }
  }
}

async function letGo(
  parts: AttendReversalParts,
  reversal: Reversal,
  change: Omit<ReversalChange, 'nowMs'>,
): Promise<void> {
  const nowMs = parts.clock.nowMs();
  const isMine = await moveReversal(parts.database, reversal, { ...change, nowMs }, []);
  if (isMine && change.dueAtMs !== null) parts.wake(change.dueAtMs);
}

/** Word that is the operator's own, whoever heard it and under whatever lease. */
async function recordFact(
  parts: AttendReversalParts,
  { tenantId, reference, answer }: OperatorNotice,
): Promise<void> {
  if (answer.kind === 'unknown') return;
  for (let attempt = 0; attempt < maxNoticeTries; attempt++) {
    const reversal = await findReversal(parts.database, tenantId, reference);
    if (!reversal || (await record(parts, reversal, answer))) return;
  }
  throw new Error('a reversal changed under every try to record a notice');
}

/** Gives false where the reversal had moved on, so that the answer must be looked at again. */
async function record(
  parts: AttendReversalParts,
  reversal: Reversal,
  answer: Exclude<OperatorAnswer, { kind: 'unknown' }>,
): Promise<boolean> {
  const isDone = await recordOutcome(parts, reversal, answer);
  const nowMs = parts.clock.nowMs();
  const isOpen = reversal.status === 'PENDING' || reversal.status === 'PROCESSING';
  if (isDone && isOpen && watchIsOver(reversal, nowMs, parts.timing)) {
    await closeUnclear(parts.database, reversal, nowMs);
  }
  return isDone;
}

async function recordOutcome(
  parts: AttendReversalParts,
  reversal: Reversal,
  answer: Exclude<OperatorAnswer, { kind: 'unknown' }>,
): Promise<boolean> {
  const { status } = reversal;
  if (status === 'SUCCEEDED' || (reversal.byHand && status === 'FAILED')) {
    if (!isKnown(reversal, answer)) await contradict(parts, reversal, answer);
  } else if (answer.kind === 'succeeded') {
    // Booked is what was asked for; what the operator makes of a difference, only a person can ask.
    if (answer.amountMinor !== reversal.amountMinor) await contradict(parts, reversal, answer);
    return succeed(parts, reversal, answer.operatorTxId);
  } else if (status === 'PENDING' || status === 'PROCESSING') {
    const { failureCode } = answer;
    const nowMs = parts.clock.nowMs();
    const change = { status: 'FAILED', failureCode, dueAtMs: null, nowMs } as const;
    const isMine = await moveReversal(parts.database, reversal, change, []);
    const context = { reversal: reversal.id, failureCode };
    if (isMine) parts.log.error(context, 'the operator refused to reverse a debit');
    return isMine;
  }
  if (reversal.dueAtMs !== null) await letGo(parts, reversal, { dueAtMs: null });
  return true;
}

/** Whether a reversal that is done with is so in the operator's words too. */
function isKnown(
  { status, operatorReversalId, amountMinor }: Reversal,
  answer: Exclude<OperatorAnswer, { kind: 'unknown' }>,
): boolean {
  if (answer.kind === 'failed') return status === 'FAILED';
  // Of one that succeeded before its id was kept, any id is the right one.
  const isSame = (operatorReversalId ?? answer.operatorTxId) === answer.operatorTxId;
  return status === 'SUCCEEDED' && isSame && answer.amountMinor === amountMinor;
}

/** Success is a fact, even of what the operator had refused before: then suspense is cleared after all. */
function succeed(
  { database, clock }: AttendReversalParts,
  reversal: Reversal,
  operatorReversalId: string,
): Promise<boolean> {
  const nowMs = clock.nowMs();
  const change = { status: 'SUCCEEDED', operatorReversalId, dueAtMs: null, nowMs } as const;
  return moveReversal(database, reversal, change, [
    givingBackPosting(reversal, 'suspense_out', nowMs),
  ]);
}

/** The operator gave back a second time, or says that it did not: a person must look. */
async function contradict(
  parts: AttendReversalParts,
  reversal: Reversal,
  answer: Exclude<OperatorAnswer, { kind: 'unknown' }>,
): Promise<void> {
  const { status, operatorReversalId, byHand, amountMinor } = reversal;
  const booked = { status, operatorReversalId, amountMinor: amountMinor.toString(), byHand };
  const isSuccess = answer.kind === 'succeeded';
  const told = isSuccess ? { ...answer, amountMinor: answer.amountMinor.toString() } : answer;
  const about = isSuccess ? answer.operatorTxId : 'failed';
  const detail = { booked, told };
  await parts.askPerson('REVERSAL', reversal, { kind: 'CONTRADICTION', about, detail });
}

function requestOf(reversal: Reversal): ReversalRequest {
  return { ...reversal, kind: 'REVERSAL', reference: reversal.id, repeated: false };
}
