import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { eventOf } from '../../integrations/events/event.ts';
import {
  type DisbursementFailureCode,
  failureMessages,
} from '../../integrations/operators/operator.ts';
import { Batcher } from '../../platform/jobs/batcher.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { type DisbursementStep, disbursementPostings } from '../ledger/postings.ts';
import type { Disbursement, DisbursementStatus } from './disbursement.ts';
import { type Transition, transitionDisbursements } from './transition-store.ts';
import { disbursementJson } from './view.ts';

/** The fields that a transition changes; all others stay as they are. */
export interface Change {
  to: DisbursementStatus;
  dueAtMs: number | null;
  sentAtMs?: number;
  operatorTxId?: string;
  /** Our account at the operator, where its transaction is booked; null: simulated. */
  account?: string | null;
  failureCode?: DisbursementFailureCode;
  /** By default that of the code. */
  failureMessage?: string;
}

/**
 * One legal transition of a disbursement, with its event, deliveries, postings and booking in the same statement.
 * Returns the disbursement as it is now; undefined if it had changed meanwhile, or if the lease (`leaseMs`) had passed
 * to another worker: then nothing was written.
 */
export type ApplyDisbursementTransition = (
  disbursement: Disbursement,
  change: Change,
  leaseMs?: number,
) => Promise<Disbursement | undefined>;

export interface ApplyDisbursementTransitionDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dispatcher: DeliveryDispatcher;
  onDisbursement(disbursement: Disbursement): void;
}

export function makeApplyDisbursementTransition(
  dependencies: ApplyDisbursementTransitionDependencies,
): ApplyDisbursementTransition {
  const batcher = new Batcher<Transition, boolean>({
    maxItems: 256,
    maxInFlight: 1,
    spacingMs: 3,
    keyOf: ({ next }) => next.tenantId + next.id,
    ownerOf: ({ next }) => next.tenantId,
    write: (transitions) => write(dependencies, transitions),
  });

  return async (disbursement, change, leaseMs) => {
    const transition = prepare(dependencies, disbursement, change, leaseMs);
    if (!(await batcher.submit(transition))) return undefined;
    const { seen, next } = transition;
    if (seen.status !== next.status) dependencies.onDisbursement(next);
    return next;
  };
}

interface Effect {
  step: DisbursementStep;
  event?: `disbursement.${'succeeded' | 'failed' | 'cancelled'}`;
}

/** The merchant has used again what came back, so a success after that is missing in suspense. */
const late: Effect = { step: 'SUCCEEDED_AFTER_FAILURE' };

function effectOf(from: DisbursementStatus, to: DisbursementStatus): Effect | undefined {
  switch (to) {
    case 'SUCCEEDED':
      return { step: 'SUCCEEDED', event: 'disbursement.succeeded' };
    case 'FAILED':
      return from === 'FAILED' ? late : { step: 'GIVEN_BACK', event: 'disbursement.failed' };
    case 'CANCELLED':
      return from === 'CANCELLED' ? late : { step: 'GIVEN_BACK', event: 'disbursement.cancelled' };
    default:
      return undefined;
  }
}

function prepare(
  { clock, ids }: ApplyDisbursementTransitionDependencies,
  seen: Disbursement,
  change: Change,
  leaseMs: number | undefined,
): Transition {
  const nowMs = clock.nowMs();
  const next: Disbursement = {
    ...seen,
    version: seen.version + 1,
    status: change.to,
    dueAtMs: change.dueAtMs,
    sentAtMs: change.sentAtMs ?? seen.sentAtMs,
    operatorTxId: change.operatorTxId ?? seen.operatorTxId,
    failureCode: change.failureCode ?? seen.failureCode,
    failureMessage:
      change.failureMessage ??
      (change.failureCode ? failureMessages[change.failureCode] : seen.failureMessage),
    updatedAtMs: nowMs,
  };
  const effect = effectOf(seen.status, next.status);
  return {
    seen,
    next,
    leaseMs,
    account: change.operatorTxId === undefined ? null : change.account,
    postings: effect ? disbursementPostings(next, effect.step, nowMs) : [],
    event: effect?.event && eventOf(ids, effect.event, next, nowMs, disbursementJson(next)),
  };
}

/**
 * Sent again after a lost COMMIT, a transition finds that it has moved the disbursement already: it counts as lost,
 * which is harmless, since the row and its deliveries come due when their leases end.
 */
async function write(
  { database, clock, dispatcher }: ApplyDisbursementTransitionDependencies,
  transitions: Transition[],
): Promise<boolean[]> {
  const events = transitions.flatMap(({ event }) => event ?? []);
  const dueAtMs = dispatcher.leaseMs(clock.nowMs(), events);
  const moved = await transitionDisbursements(database, transitions, dueAtMs);
  dispatcher.accept(moved.subscriptions, events, dueAtMs);
  return transitions.map(({ next }) => moved.ids.has(next.id));
}
