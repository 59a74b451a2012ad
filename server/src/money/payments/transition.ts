import type { Written } from '../../integrations/events/append-result.ts';
import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import type { NewEvent } from '../../integrations/events/event.ts';
import { type EventType, eventOf } from '../../integrations/events/event.ts';
import {
  type DebitRecord,
  type FailureCode,
  failureMessages,
} from '../../integrations/operators/operator.ts';
import { Batcher } from '../../platform/jobs/batcher.ts';
import { createSemaphore } from '../../platform/jobs/semaphore.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { retryOnce } from '../../platform/postgres/transient-errors.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { debitPostings } from '../ledger/postings.ts';
import type { Payment, PaymentStatus } from './payment.ts';
import { findEarlierPayments } from './store.ts';
import { isStep, type Transition, transitionPayments } from './transition-store.ts';
import { paymentJson } from './view.ts';

/**
 * Prepares the event of a session that ends together with its attempt: a debit completes the session, and a failed
 * last attempt expires it. While an attempt is in flight nothing else changes its session, so the session's next
 * state is known before the statement.
 */
export type PrepareEnded = (attempt: Payment) => Promise<NewEvent | undefined>;

/** The fields that a transition changes; all others stay as they are. */
export interface Change {
  to: PaymentStatus;
  dueAtMs: number | null;
  sentAtMs?: number;
  operatorTxId?: string;
  failureCode?: FailureCode;
  /** Our account at the operator, whose transaction is booked now; null: simulated. */
  account?: string | null;
  /** A simulated operator's record of the debit, which is requested with this transition. */
  record?: DebitRecord | undefined;
}

/**
 * Writes related changes, in the transition's transaction and after it. Returns false if the precondition of the
 * transition no longer holds, so that neither is written.
 */
export type Alongside = (transaction: Queryable, next: Payment) => Promise<boolean>;

class NoLongerHolds extends Error {}

/**
 * One legal transition of a payment, with its event, deliveries and postings in the same statement. Returns the
 * payment as it is now; undefined if it had changed meanwhile, if the lease (`leaseMs`) had passed to another worker,
 * or if the operator's transaction is booked for something else: then nothing was written.
 * @param alongside related changes: then both share a transaction of their own
 */
export type ApplyTransition = (
  payment: Payment,
  change: Change,
  leaseMs?: number,
  alongside?: Alongside,
) => Promise<Payment | undefined>;

const eventTypeOf: Partial<Record<PaymentStatus, EventType>> = {
  DEBITED: 'payment.debited',
  FAILED: 'payment.failed',
  EXPIRED: 'payment.expired',
  CANCELLED: 'payment.cancelled',
};

export interface ApplyTransitionDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dispatcher: DeliveryDispatcher;
  /** The event of the checkout session that ends with its attempt. */
  prepareEnded: PrepareEnded;
  onTransition(payment: Payment): void;
}

/** How many connections transitions in transactions of their own may hold. */
const maxAlone = 4;

export function makeApplyTransition(dependencies: ApplyTransitionDependencies): ApplyTransition {
  const newBatcher = () =>
    new Batcher<Transition, boolean>({
      maxItems: 256,
      maxInFlight: 1,
      spacingMs: 3,
      keyOf: (transition) => transition.next.tenantId + transition.next.id,
      ownerOf: ({ next }) => next.tenantId,
      write: (transitions, repeated) =>
        write(dependencies, transitions, repeated, (dueAtMs) =>
          transitionPayments(dependencies.database, transitions, dueAtMs),
        ),
    });
  // A transition to an open status writes one row, a transition that ends the payment some ten: neither waits for the
  // statement of the other.
  const steps = newBatcher();
  const ends = newBatcher();
  // Each in a transaction of its own: requests by people are rare.
  const semaphore = createSemaphore(maxAlone);
  const alone = (transition: Transition, alongside: Alongside) =>
    retryOnce((repeated) =>
      write(dependencies, [transition], repeated, (dueAtMs) =>
        applyAlone(dependencies, transition, alongside, dueAtMs),
      ),
    );

  return async (payment, change, leaseMs, alongside) => {
    const transition = prepare(dependencies, payment, change, leaseMs);
    if (payment.checkoutSessionId !== null) {
      transition.sessionEvent = await dependencies.prepareEnded(transition.next);
    }
    const isMoved = alongside
      ? (await semaphore(() => alone(transition, alongside)))[0]
      : await (isStep(transition) ? steps : ends).submit(transition);
    if (!isMoved) return undefined;
    dependencies.onTransition(transition.next);
    return transition.next;
  };
}

function prepare(
  dependencies: ApplyTransitionDependencies,
  seen: Payment,
  change: Change,
  leaseMs: number | undefined,
): Transition {
  const nowMs = dependencies.clock.nowMs();
  const next: Payment = {
    ...seen,
    version: seen.version + 1,
    status: change.to,
    dueAtMs: change.dueAtMs,
    sentAtMs: change.sentAtMs ?? seen.sentAtMs,
    operatorTxId: change.operatorTxId ?? seen.operatorTxId,
    failureCode: change.failureCode ?? seen.failureCode,
    failureMessage: change.failureCode ? failureMessages[change.failureCode] : seen.failureMessage,
    updatedAtMs: nowMs,
  };
  const type = eventTypeOf[change.to];
  const event = type && eventOf(dependencies.ids, type, next, nowMs, paymentJson(next));
  const postings = change.to === 'DEBITED' ? debitPostings(next, nowMs) : [];
  const { account, record } = change;
  return { seen, next, leaseMs, account, record, event, postings };
}

async function applyAlone(
  { database }: ApplyTransitionDependencies,
  transition: Transition,
  alongside: Alongside,
  dueAtMs: number,
): Promise<Written> {
  const { next } = transition;
  try {
    return await database.transaction(async (transaction) => {
      const written = await transitionPayments(transaction, [transition], dueAtMs);
      if (written.ids.has(next.id) && !(await alongside(transaction, next))) {
        throw new NoLongerHolds();
      }
      return written;
    });
  } catch (error) {
    if (error instanceof NoLongerHolds) return { ids: new Set(), subscriptions: [] };
    throw error;
  }
}

async function write(
  dependencies: ApplyTransitionDependencies,
  transitions: Transition[],
  repeated: boolean,
  applyTransition: (deliveriesDueAtMs: number) => Promise<Written>,
): Promise<boolean[]> {
  const events = transitions.flatMap(({ event, sessionEvent }) =>
    [event, sessionEvent].filter((each) => each !== undefined),
  );
  const dueAtMs = dependencies.dispatcher.leaseMs(dependencies.clock.nowMs(), events);
  const { ids, subscriptions } = await applyTransition(dueAtMs);
  dependencies.dispatcher.accept(subscriptions, events, dueAtMs);
  const committedBefore = repeated
    ? await alreadyThere(dependencies.database, transitions, ids)
    : ids;
  return transitions.map(({ next }) => ids.has(next.id) || committedBefore.has(next.id));
}

/** After a lost COMMIT: if the payment is exactly as we wanted it, the earlier try moved it. */
async function alreadyThere(
  database: Database,
  transitions: Transition[],
  moved: Set<string>,
): Promise<Set<string>> {
  const open = transitions.filter(({ next }) => !moved.has(next.id));
  const found = await findEarlierPayments(
    database,
    open.map(({ next }) => ({ ...next, idempotencyKey: null })),
  );
  const byId = new Map(found.map((payment) => [payment.id, payment]));
  return new Set(
    open
      .filter(({ next }) => {
        const now = byId.get(next.id);
        return (
          now?.version === next.version &&
          now.status === next.status &&
          now.updatedAtMs === next.updatedAtMs
        );
      })
      .map(({ next }) => next.id),
  );
}
