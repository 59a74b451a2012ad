import type { Logger } from 'pino';
import type { Operator, OperatorAnswer, OperatorNotice } from '../operators/operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Reversal } from './reversal.ts';
import { findReversal, moveReversal } from './store.ts';

export interface ReversalTiming {
  /** How long an operator may take to answer; shorter than the lease. */
  operatorTimeoutMs: number;
  firstAskGapMs: number;
  longestAskGapMs: number;
}

export interface AttendReversalParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: ReversalTiming;
  operatorFor(reversal: Reversal): Operator;
  wake(atMs: number): void;
}

export interface AttendReversal {
  /** Does what a reversal needs now: send it, or ask about it. Its `dueAtMs` is the lease it was taken with. */
  attend(reversal: Reversal): Promise<void>;
  /** Takes word of an outcome, whoever heard of it; repeated or reordered, it changes nothing the second time. */
  notice(notice: OperatorNotice): Promise<void>;
}

const maxNoticeTries = 10;

export function createAttendReversal(parts: AttendReversalParts): AttendReversal {
  const attend = async (reversal: Reversal): Promise<void> => {
    const answer = await ask(parts, reversal);
    if (answer) await record(parts, reversal, answer);
  };

  const notice = async ({ tenantId, reference, answer }: OperatorNotice): Promise<void> => {
    if (answer.kind === 'unknown') return;
    for (let attempt = 0; attempt < maxNoticeTries; attempt++) {
      const reversal = await findReversal(parts.database, tenantId, reference);
      if (!reversal || isOver(reversal, answer)) return;
      if (await record(parts, reversal, answer)) return;
    }
    throw new Error('a reversal changed under every try to record a notice');
  };

  return { attend, notice };
}

/** Success is a fact, even of what the operator had refused before: then suspense is cleared after all. */
const isOver = ({ status }: Reversal, answer: OperatorAnswer): boolean =>
  status === 'SUCCEEDED' || (status === 'FAILED' && answer.kind === 'failed');

/**
 * PROCESSING is committed before the operator is called; what may have been sent is asked about first.
 * Gives undefined where the lease had passed to another.
 */
async function ask(
  parts: AttendReversalParts,
  reversal: Reversal,
): Promise<OperatorAnswer | undefined> {
  const operator = parts.operatorFor(reversal);
  const request = { ...reversal, kind: 'REVERSAL', reference: reversal.id } as const;
  if (reversal.status === 'PROCESSING') {
    const answer = await operator.askReversal(request);
    if (answer.kind !== 'unknown' || answer.progress !== 'NOT_FOUND') return answer;
    return operator.reverse(request);
  }
  const { dueAtMs } = reversal;
  const processing = { status: 'PROCESSING', dueAtMs, nowMs: parts.clock.nowMs() } as const;
  const isMine = await moveReversal(parts.database, reversal, processing, []);
  return isMine ? operator.reverse(request) : undefined;
}

/** Gives false where the reversal had moved on, so that a notice must be looked at again. */
async function record(
  parts: AttendReversalParts,
  reversal: Reversal,
  answer: OperatorAnswer,
): Promise<boolean> {
  switch (answer.kind) {
    case 'succeeded':
      return succeed(parts, reversal);
    case 'failed': {
      const { failureCode } = answer;
      const nowMs = parts.clock.nowMs();
      const change = { status: 'FAILED', failureCode, dueAtMs: null, nowMs } as const;
      const isMine = await moveReversal(parts.database, reversal, change, []);
      const context = { reversal: reversal.id, failureCode };
      if (isMine) parts.log.error(context, 'the operator refused to reverse a debit');
      return isMine;
    }
    case 'unknown':
      return askLater(parts, reversal);
  }
}

function succeed({ database, clock }: AttendReversalParts, reversal: Reversal): Promise<boolean> {
  const nowMs = clock.nowMs();
  const { tenantId, id: sourceId, operator, currency, amountMinor } = reversal;
  return moveReversal(database, reversal, { status: 'SUCCEEDED', dueAtMs: null, nowMs }, [
    {
      tenantId,
      sourceId,
      kind: 'suspense_out',
      from: 'suspense',
      to: `operator:${operator}`,
      currency,
      amountMinor,
      createdAtMs: nowMs,
    },
  ]);
}

async function askLater(parts: AttendReversalParts, reversal: Reversal): Promise<boolean> {
  const { firstAskGapMs, longestAskGapMs } = parts.timing;
  const gapMs = Math.min(firstAskGapMs * 2 ** Math.min(reversal.askCount, 20), longestAskGapMs);
  const nowMs = parts.clock.nowMs();
  const dueAtMs = nowMs + gapMs;
  const change = { status: 'PROCESSING', dueAtMs, nowMs } as const;
  const isMine = await moveReversal(parts.database, reversal, change, []);
  if (isMine) parts.wake(dueAtMs);
  return isMine;
}
