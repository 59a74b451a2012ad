import type { Logger } from 'pino';
import { givingBackPosting } from '../ledger/posting.ts';
import type { AskTiming } from '../operators/asking.ts';
import { type AttendGivenBack, GivingBack } from '../operators/giving-back.ts';
import type { Operator } from '../operators/operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { AskPerson } from '../review/ask-person.ts';
import type { Finding } from '../review/review-item.ts';
import { closeUnclear } from '../review/store.ts';
import { decideReversal, type Outcome } from './decide.ts';
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

export type AttendReversal = AttendGivenBack<Reversal>;

export function createAttendReversal(parts: AttendReversalParts): AttendReversal {
  const { database, clock } = parts;
  const move = (reversal: Reversal, change: Omit<ReversalChange, 'nowMs'>) =>
    moveReversal(database, reversal, { ...change, nowMs: clock.nowMs() }, []);
  return new GivingBack<Reversal, Outcome, Finding>({
    ...parts,
    kind: 'REVERSAL',
    decide: decideReversal,
    find: (tenantId, id) => findReversal(database, tenantId, id),
    take: (taking) => takeReversal(database, taking),
    renew: (reversal, leaseMs) => renewReversal(database, reversal, leaseMs),
    begin: async (reversal, plan) => {
      const change = { ...plan, status: 'PROCESSING' } as const;
      return (await move(reversal, change)) ? { ...reversal, ...change } : undefined;
    },
    reschedule: move,
    finish: (reversal, outcome) => finish(parts, reversal, outcome),
    notReceived: { status: 'FAILED', failureCode: 'OPERATOR_UNAVAILABLE' },
    unclear: ({ status, operatorTxId }) => {
      return { kind: 'UNCLEAR', about: '', detail: { status, operatorTxId } };
    },
    askPerson: (reversal, finding) => parts.askPerson('REVERSAL', reversal, finding),
    closeUnclear: (reversal, nowMs) => closeUnclear(database, reversal, nowMs),
  });
}

/** The lease is the `dueAtMs` that was seen; a success takes the amount out of suspense. */
async function finish(
  { database, clock, log }: AttendReversalParts,
  reversal: Reversal,
  outcome: Outcome,
): Promise<boolean> {
  const nowMs = clock.nowMs();
  const isDone = outcome.status === 'SUCCEEDED';
  const postings = isDone ? [givingBackPosting(reversal, 'suspense_out', nowMs)] : [];
  const change = { ...outcome, dueAtMs: null, nowMs };
  const isMine = await moveReversal(database, reversal, change, postings);
  if (isMine && outcome.status === 'FAILED') {
    const context = { reversal: reversal.id, failureCode: outcome.failureCode };
    log.error(context, 'the operator refused to reverse a debit');
  }
  return isMine;
}
