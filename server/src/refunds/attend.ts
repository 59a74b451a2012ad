import type { Logger } from 'pino';
import type {
  Operator,
  OperatorAnswer,
  OperatorNotice,
  ReversalRequest,
} from '../operators/operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { AdvanceRefund } from './advance.ts';
import { outcomeOf, type Refund } from './refund.ts';
import { findRefund } from './store.ts';

export interface RefundTiming {
  /** How long an operator may take to answer; shorter than the lease. */
  operatorTimeoutMs: number;
  firstAskGapMs: number;
  longestAskGapMs: number;
}

export interface AttendRefundParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: RefundTiming;
  advance: AdvanceRefund;
  operatorFor(refund: Refund): Operator;
  wake(atMs: number): void;
  /** The operator has given back what we had called FAILED: a loss for a person to look at. */
  onLateSuccess(refund: Refund): void;
}

export interface AttendRefund {
  /** Does what a refund needs now: send it, or ask about it. Its `dueAtMs` is the lease it was taken with. */
  attend(refund: Refund): Promise<void>;
  /** Takes word of an outcome, whoever heard of it; repeated or reordered, it changes nothing the second time. */
  notice(notice: OperatorNotice): Promise<void>;
}

const maxNoticeTries = 10;

export function createAttendRefund(parts: AttendRefundParts): AttendRefund {
  const notice = async ({ tenantId, reference, answer }: OperatorNotice): Promise<void> => {
    for (let attempt = 0; attempt < maxNoticeTries; attempt++) {
      const refund = await findRefund(parts.database, tenantId, reference);
      if (!refund || (await record(parts, refund, answer))) return;
    }
    throw new Error('a refund changed under every try to record a notice');
  };

  const attend = async (taken: Refund): Promise<void> => {
    const refund = taken.status === 'PENDING' ? await startProcessing(parts, taken) : taken;
    if (!refund) return;
    const answer = await ask(parts, refund, taken.status === 'PENDING');
    if (answer.kind === 'unknown') return askLater(parts, refund);
    const recorded = await record(parts, refund, answer, leaseOf(refund));
    // Under a lost lease only a success is worth keeping: it is a fact, whoever heard of it.
    if (!recorded && answer.kind === 'succeeded') {
      await notice({ tenantId: refund.tenantId, reference: refund.id, answer });
    }
  };

  return { attend, notice };
}

/** Intent before effect: PROCESSING is committed before the operator hears of the refund. */
function startProcessing(parts: AttendRefundParts, refund: Refund): Promise<Refund | undefined> {
  const leaseMs = leaseOf(refund);
  // The operator's time-out must end within the lease.
  const neededMs = parts.clock.nowMs() + parts.timing.operatorTimeoutMs + 2_000;
  const dueAtMs = Math.max(leaseMs, neededMs);
  return parts.advance(refund, { to: 'PROCESSING', dueAtMs }, leaseMs);
}

/** What may have been sent is asked about first, and sent again only if the operator does not know it. */
async function ask(
  parts: AttendRefundParts,
  refund: Refund,
  isFirst: boolean,
): Promise<OperatorAnswer> {
  const operator = parts.operatorFor(refund);
  const request = requestOf(refund);
  if (!isFirst) {
    const answer = await operator.askReversal(request);
    if (answer.kind !== 'unknown' || answer.progress !== 'NOT_FOUND') return answer;
  }
  return operator.reverse(request);
}

async function askLater(parts: AttendRefundParts, refund: Refund): Promise<void> {
  const { firstAskGapMs, longestAskGapMs } = parts.timing;
  const gapMs = Math.min(firstAskGapMs * 2 ** Math.min(refund.askCount, 20), longestAskGapMs);
  const dueAtMs = parts.clock.nowMs() + gapMs;
  const change = { to: 'PROCESSING', dueAtMs, askCount: refund.askCount + 1 } as const;
  if (await parts.advance(refund, change, leaseOf(refund))) parts.wake(dueAtMs);
}

/** Gives false where the refund had moved on, so that the answer must be looked at again. */
async function record(
  parts: AttendRefundParts,
  refund: Refund,
  answer: OperatorAnswer,
  leaseMs?: number,
): Promise<boolean> {
  const outcome = outcomeOf(refund, answer);
  if (!outcome) return true;
  const moved = await parts.advance(refund, { ...outcome, dueAtMs: null }, leaseMs);
  if (moved && answer.kind === 'succeeded') warnOfAmount(parts, moved, answer.amountMinor);
  if (moved && refund.status === 'FAILED') {
    const { id, tenantId, operatorRefundId } = moved;
    parts.log.error(
      { refund: id, tenantId, operatorRefundId },
      'a refund that had FAILED succeeded at the operator: its amount is missing in suspense',
    );
    parts.onLateSuccess(moved);
  }
  return moved !== undefined;
}

/** Booked is what was asked for; what the operator makes of the difference, only a person can ask. */
function warnOfAmount({ log }: AttendRefundParts, refund: Refund, refundedMinor: bigint): void {
  const { id, tenantId, operator, operatorRefundId, amountMinor } = refund;
  if (refundedMinor === amountMinor) return;
  const amounts = { asked: amountMinor.toString(), refunded: refundedMinor.toString() };
  log.error(
    { refund: id, tenantId, operator, operatorRefundId, ...amounts },
    'an operator refunded another amount than it was asked for: "zimbo reconcile" shows it, ask the operator',
  );
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
  };
}
