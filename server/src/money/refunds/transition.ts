import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { type EventType, eventOf } from '../../integrations/events/event.ts';
import {
  type FailureCode,
  failureMessages,
  type OperatorName,
} from '../../integrations/operators/operator.ts';
import { Batcher } from '../../platform/jobs/batcher.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { type RefundPostingKind, returnPosting } from '../ledger/postings.ts';
import type { PaymentStatus } from '../payments/payment.ts';
import type { Refund, RefundStatus } from './refund.ts';
import { type Transition, transitionRefunds } from './store.ts';
import { refundJson } from './view.ts';

/** The fields that a transition changes; all others stay as they are. */
export interface Change {
  to: RefundStatus;
  dueAtMs: number | null;
  sentAtMs?: number;
  operatorRefundId?: string;
  /** Our account at the operator, where its transaction is booked; null: simulated. */
  account?: string | null;
  failureCode?: FailureCode;
}

/**
 * One legal transition of a refund, with its payment, event, deliveries and posting in the same statement. Returns
 * the refund as it is now; undefined if it had changed meanwhile, or if the lease (`leaseMs`) had passed to another
 * worker: then nothing was written.
 */
export type ApplyRefundTransition = (
  refund: Refund,
  change: Change,
  leaseMs?: number,
) => Promise<Refund | undefined>;

export interface ApplyRefundTransitionDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dispatcher: DeliveryDispatcher;
  onRefund(refund: Refund): void;
  onTransition(payment: { status: PaymentStatus; operator: OperatorName }): void;
}

type Result = { paymentStatus: PaymentStatus | null } | undefined;

export function makeApplyRefundTransition(
  dependencies: ApplyRefundTransitionDependencies,
): ApplyRefundTransition {
  const batcher = new Batcher<Transition, Result>({
    maxItems: 256,
    maxInFlight: 1,
    spacingMs: 3,
    // Each transition may change its payment.
    keyOf: ({ next }) => next.tenantId + next.paymentId,
    ownerOf: ({ next }) => next.tenantId,
    write: (transitions) => write(dependencies, transitions),
  });

  return async (refund, change, leaseMs) => {
    const transition = prepare(dependencies, refund, change, leaseMs);
    const result = await batcher.submit(transition);
    if (!result) return undefined;
    const { seen, next } = transition;
    if (seen.status !== next.status) dependencies.onRefund(next);
    if (transition.refundedMinor > 0n && result.paymentStatus) {
      dependencies.onTransition({ status: result.paymentStatus, operator: next.operator });
    }
    return next;
  };
}

interface Effect {
  posting: RefundPostingKind;
  event?: EventType;
  refunds?: true;
  releases?: true;
  isLate?: true;
}

function effectOf(from: RefundStatus, to: RefundStatus): Effect | undefined {
  if (to === 'SUCCEEDED')
    return { posting: 'refund_done', event: 'refund.succeeded', refunds: true };
  if (to !== 'FAILED') return undefined;
  // The merchant has seen that the refund failed, and may have used the amount again.
  if (from === 'FAILED') return { posting: 'refund_after_failure', isLate: true };
  return { posting: 'refund_back', event: 'refund.failed', releases: true };
}

function prepare(
  dependencies: ApplyRefundTransitionDependencies,
  seen: Refund,
  change: Change,
  leaseMs: number | undefined,
): Transition {
  const nowMs = dependencies.clock.nowMs();
  const next: Refund = {
    ...seen,
    version: seen.version + 1,
    status: change.to,
    dueAtMs: change.dueAtMs,
    sentAtMs: change.sentAtMs ?? seen.sentAtMs,
    operatorRefundId: change.operatorRefundId ?? seen.operatorRefundId,
    failureCode: change.failureCode ?? seen.failureCode,
    failureMessage: change.failureCode ? failureMessages[change.failureCode] : seen.failureMessage,
    updatedAtMs: nowMs,
  };
  const effect = effectOf(seen.status, next.status);
  return {
    seen,
    next,
    leaseMs,
    account: change.operatorRefundId === undefined ? null : change.account,
    refundedMinor: effect?.refunds ? next.amountMinor : 0n,
    releasedMinor: effect?.releases ? next.amountMinor : 0n,
    lateMinor: effect?.isLate ? next.amountMinor : 0n,
    posting: effect && returnPosting(next, effect.posting, nowMs),
    event: effect?.event && eventOf(dependencies.ids, effect.event, next, nowMs, refundJson(next)),
  };
}

/**
 * Sent again after a lost COMMIT, a transition finds that it has moved the refund already: it counts as lost, which
 * is harmless, since the row and its deliveries come due when their leases end.
 */
async function write(
  dependencies: ApplyRefundTransitionDependencies,
  transitions: Transition[],
): Promise<Result[]> {
  const events = transitions.flatMap(({ event }) => event ?? []);
  const dueAtMs = dependencies.dispatcher.leaseMs(dependencies.clock.nowMs(), events);
  const moved = await transitionRefunds(dependencies.database, transitions, dueAtMs);
  dependencies.dispatcher.accept(moved.subscriptions, events, dueAtMs);
  return transitions.map(({ next }) => {
    if (!moved.ids.has(next.id)) return undefined;
    return { paymentStatus: moved.paymentStatuses.get(next.id) ?? null };
  });
}
