import type { Logger } from 'pino';
import type { AskTiming } from '../operators/asking.ts';
import { type AttendGivenBack, GivingBack, type Plan } from '../operators/giving-back.ts';
import type { Operator } from '../operators/operator.ts';
import { leaseOf } from '../operators/question.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { AskPerson } from '../review/ask-person.ts';
import type { Finding } from '../review/review-item.ts';
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

export type AttendRefund = AttendGivenBack<Refund>;

export function createAttendRefund(parts: AttendRefundParts): AttendRefund {
  const { database } = parts;
  return new GivingBack<Refund, Outcome, Finding>({
    ...parts,
    kind: 'REFUND',
    decide: decideRefund,
    find: (tenantId, id) => findRefund(database, tenantId, id),
    take: (taking) => takeRefund(database, taking),
    renew: (refund, leaseMs) => renewRefund(database, refund, leaseMs),
    begin: (refund, plan) => begin(parts, refund, plan),
    reschedule: (refund, plan) => rescheduleRefund(database, refund, plan),
    finish: (refund, outcome, leaseMs) => finish(parts, refund, outcome, leaseMs),
    notReceived: { to: 'FAILED', failureCode: 'OPERATOR_UNAVAILABLE' },
    unclear: ({ status }) => ({ kind: 'UNCLEAR', about: '', detail: { status } }),
    askPerson: (refund, finding) => parts.askPerson('REFUND', refund, finding),
    closeUnclear: (refund, nowMs) => closeUnclear(database, refund, nowMs),
  });
}

async function begin(
  { database, advance }: AttendRefundParts,
  refund: Refund,
  plan: Plan & { sentAtMs: number },
): Promise<Refund | undefined> {
  if (refund.status === 'PENDING') {
    return advance(refund, { to: 'PROCESSING', ...plan }, leaseOf(refund));
  }
  return (await rescheduleRefund(database, refund, plan)) ? { ...refund, ...plan } : undefined;
}

/** Gives false where the refund had moved on, or the lease had passed to another. */
async function finish(
  { clock, log, advance, ...parts }: AttendRefundParts,
  seen: Refund,
  outcome: Outcome,
  leaseMs?: number,
): Promise<boolean> {
  let refund = seen;
  if (refund.status === 'PENDING') {
    // The operator knows what, by our books, was never sent: the database was set back.
    const nowMs = clock.nowMs();
    const change = { to: 'PROCESSING', dueAtMs: leaseMs ?? nowMs, sentAtMs: nowMs } as const;
    const processing = await advance(refund, change, leaseMs);
    if (!processing) return false;
    refund = processing;
  }
  const moved = await advance(refund, { ...outcome, dueAtMs: null }, leaseMs);
  if (moved && refund.status === 'FAILED') {
    const { id, tenantId, operatorRefundId } = moved;
    log.error(
      { refund: id, tenantId, operatorRefundId },
      'a refund that had FAILED succeeded at the operator: its amount is missing in suspense',
    );
    parts.onLateSuccess(moved);
  }
  return moved !== undefined;
}
