import type { Logger } from 'pino';
import type { CallbackContent } from '../../integrations/operators/adapter.ts';
import type { CallbackKind } from '../../integrations/operators/callback-token.ts';
import type { AdapterOf } from '../../integrations/operators/load-adapters.ts';
import type {
  Operator,
  OperatorAnswer,
  OperatorNotification,
} from '../../integrations/operators/operator.ts';
import type { LiveOperatorName } from '../../platform/config/operator-catalogue.ts';
import { isoInstant } from '../../platform/formats/instant.ts';
import { backoffMs } from '../../platform/jobs/backoff.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { RequestReview } from '../review/request-review.ts';
import type { Finding, SubjectKind } from '../review/review-item.ts';
import { type DistrustReason, distrustReasonOf, mayHaveSucceeded } from './check-content.ts';
import { agrees, answerOf, isProgress, readAgain } from './compare-answer.ts';
import { isFailureSeen } from './known-failure.ts';
import { isExcess, longestUnansweredMs, recordExtraQuery } from './overflow.ts';
import { finishCallback, lookAgain, type OperatorCallback, tenantExists } from './store.ts';

/** Our view of a debit, refund, reversal or disbursement, against which a callback is compared. */
export interface KnownSubject {
  /** If it is not the reference. */
  id?: string;
  /** OPEN: the outcome is unknown, or the operator is still being queried. */
  outcome: 'SUCCEEDED' | 'FAILED' | 'OPEN';
  /** Whether the object is due: then its own schedule leads to the next query. */
  isScheduled: boolean;
  /** The operator's transactions that are booked for it, rightful and wrong ones. */
  booked: { operatorTxId: string | null; amountMinor: bigint }[];
  amountMinor: bigint;
  currency: string;
  /** Of a refund or reversal: the operator's transaction that it returns. */
  debitTxId?: string;
  /** Our account at the operator and the customer's phone. A trusted callback that names parties must name these. */
  parties?: { account: string | null; phone: string | undefined };
}

/** Handles callbacks about one kind of object. */
export interface CallbackSubject {
  kind: SubjectKind;
  find(tenantId: string, reference: string): Promise<KnownSubject | undefined>;
  /** The phone of the customer concerned. */
  phoneOf(tenantId: string, reference: string): Promise<string | undefined>;
  /** Queries the operator now, and returns its answer; undefined if a query is already under way. */
  hint(tenantId: string, reference: string): Promise<OperatorAnswer | undefined>;
  /** Applies the callback itself: for operators that have no queries. */
  notify(notification: OperatorNotification): Promise<void>;
  /** Keeps the object open: an authentic callback reports something other than what we requested. */
  hold?: (tenantId: string, reference: string) => Promise<void>;
  /** Queries the operator about a reference that our records lack; true when nothing is left to do. */
  findUnknown?: (callback: OperatorCallback, about: CallbackContent['about']) => Promise<boolean>;
}

export interface HandleCallbackDependencies {
  database: Database;
  clock: Clock;
  adapterOf: AdapterOf;
  subjects: Record<CallbackKind, CallbackSubject>;
  operatorFor(callback: OperatorCallback): Operator;
  /** Whether an authentic callback of this operator proves who sent it, and so that the sender chose the address. */
  provesSender(operator: LiveOperatorName): boolean;
  requestReview: RequestReview;
  log: Pick<Logger, 'warn'>;
  wake(atMs: number): void;
  /** How long after each query that a callback causes the next query follows, in milliseconds. */
  hintBackoffMs: readonly number[];
}

/** Handles a stored callback. Handling it again after a crash changes nothing. */
export type HandleCallback = (callback: OperatorCallback) => Promise<void>;

/** At once, and then after 0.5, 2 and 5 seconds. */
export const defaultHintBackoffMs = [500, 2_000, 5_000];
/** Twelve queries, the last ones at growing intervals, take three quarters of an hour. */
const mostQueries = 12;
/** Afterwards the object's own schedule leads to queries, if it has one, and the callback only waits. */
const firstRetryMs = 10_000;
const maxRetryMs = 3_600_000;

/**
 * A callback is a hint: it makes us query the operator under our own reference, at once and a few times more. We book
 * the operator's answer to the query, and the callback itself only if the operator has no queries. If the outcome
 * turns out to differ from the callback, a person must look into it.
 */
export function makeHandleCallback(dependencies: HandleCallbackDependencies): HandleCallback {
  const questions = queriesOf(dependencies);
  return async (callback) => {
    const { tenantId, reference, kind } = callback;
    const subject = dependencies.subjects[kind];
    const known = await subject.find(tenantId, reference);
    if (!known && (await isOfLostMerchant(dependencies, callback))) {
      return finish(dependencies, callback);
    }
    if (isExcess(callback)) return handleExcess(dependencies, callback, known);
    if (!known) return handleUnknown(dependencies, callback);
    if (agrees(dependencies, callback, known)) return finish(dependencies, callback);
    const { answersQueries, account } = await dependencies.operatorFor(callback).traits(callback);
    if (!answersQueries) {
      const phone = await subject.phoneOf(tenantId, reference);
      return takeAtItsWord(dependencies, callback, { ...known, parties: { account, phone } });
    }
    const mayAsk = callback.lookCount < (isForgotten(known) ? mostQueries : questions);
    const answer = mayAsk ? await subject.hint(tenantId, reference) : undefined;
    const looks = callback.lookCount + (answer || callback.lookCount >= questions ? 1 : 0);
    const now = (await subject.find(tenantId, reference)) ?? known;
    if (
      agrees(dependencies, callback, now) ||
      (answer && isProgress(dependencies, callback, now))
    ) {
      return finish(dependencies, callback);
    }
    const isAnswered = answer !== undefined && answer.kind !== 'unknown';
    const mustAsk = isForgotten(now) && !isAnswered && looks < mostQueries;
    if (looks >= questions && now.outcome !== 'OPEN' && !mustAsk) {
      return contradict(dependencies, callback, now);
    }
    await again(dependencies, callback, looks);
  };
}

/** Without a success, and no longer scheduled: only a callback makes us query the operator again. */
const isForgotten = ({ outcome, isScheduled }: KnownSubject) =>
  outcome !== 'SUCCEEDED' && !isScheduled;

/** Nobody can review a payment of a merchant that a restore took away: the operator's statement shows the debit. */
async function isOfLostMerchant(
  { database, log }: HandleCallbackDependencies,
  { operator, kind, reference, tenantId }: OperatorCallback,
): Promise<boolean> {
  if (await tenantExists(database, tenantId)) return false;
  const about = { operator, kind, reference, tenantId };
  log.warn(about, 'a callback is about a merchant that this database does not have');
  return true;
}

const queriesOf = ({ hintBackoffMs }: HandleCallbackDependencies) => hintBackoffMs.length + 1;

async function finish(
  { database }: HandleCallbackDependencies,
  callback: OperatorCallback,
  contradicts = false,
): Promise<void> {
  await finishCallback(database, { ...callback, leaseMs: callback.dueAtMs, contradicts });
}

async function again(
  dependencies: HandleCallbackDependencies,
  callback: OperatorCallback,
  looks: number,
) {
  const further = Math.max(looks - queriesOf(dependencies), 0);
  const intervalMs =
    dependencies.hintBackoffMs[Math.max(looks - 1, 0)] ??
    backoffMs(further, firstRetryMs, maxRetryMs);
  const dueAtMs = dependencies.clock.nowMs() + intervalMs;
  const place = { ...callback, leaseMs: callback.dueAtMs };
  await lookAgain(dependencies.database, { ...place, lookCount: looks, dueAtMs });
  dependencies.wake(dueAtMs);
}

/** For callbacks that were not kept: one of them may have reported the outcome that the operator now confirms. */
async function handleExcess(
  dependencies: HandleCallbackDependencies,
  callback: OperatorCallback,
  known: KnownSubject | undefined,
): Promise<void> {
  const { database, clock } = dependencies;
  const { answersQueries } = await dependencies.operatorFor(callback).traits(callback);
  const query = answersQueries ? await queryForExcess(dependencies, callback, known) : 'IMPOSSIBLE';
  if (query === 'UNDER_WAY') return again(dependencies, callback, callback.lookCount);
  const isLast = clock.nowMs() >= callback.createdAtMs + longestUnansweredMs;
  const isGivenUp = query === 'IMPOSSIBLE' || (query === 'UNANSWERED' && isLast);
  if (isGivenUp) await showContradiction(dependencies, callback, known, { doubt: 'NOT_KEPT' });
  const isDone = isGivenUp || query === 'ANSWERED';
  dependencies.wake(await recordExtraQuery(database, callback, isDone, clock.nowMs()));
}

/**
 * Queries the operator about an object whose callbacks were not all kept. An object that is scheduled needs no answer:
 * its own schedule leads to the next query.
 */
async function queryForExcess(
  { subjects }: HandleCallbackDependencies,
  callback: OperatorCallback,
  known: KnownSubject | undefined,
): Promise<'ANSWERED' | 'UNANSWERED' | 'UNDER_WAY' | 'IMPOSSIBLE'> {
  const { tenantId, reference, kind } = callback;
  const subject = subjects[kind];
  if (!known) {
    // Without its callback, only a debit can be queried by its reference.
    if (kind !== 'DEBIT' || !subject.findUnknown) return 'IMPOSSIBLE';
    return (await subject.findUnknown(callback, null)) ? 'ANSWERED' : 'UNANSWERED';
  }
  const answer = await subject.hint(tenantId, reference);
  if (!answer) return 'UNDER_WAY';
  return answer.kind !== 'unknown' || known.isScheduled ? 'ANSWERED' : 'UNANSWERED';
}

/** Without queries, we trust a callback if it is authentic and names what we requested. */
async function takeAtItsWord(
  dependencies: HandleCallbackDependencies,
  callback: OperatorCallback,
  known: KnownSubject,
): Promise<void> {
  const { tenantId, reference, kind, operator, authenticated } = callback;
  const answer = answerOf(dependencies, callback, known);
  const about = readAgain(dependencies, callback)?.about ?? null;
  const report = { about, answer, authenticated, bySender: dependencies.provesSender(operator) };
  const doubt = distrustReasonOf(report, { ...known, kind, reference });
  if (doubt === 'NOT_DEFINITE') {
    return known.outcome === 'SUCCEEDED'
      ? contradict(dependencies, callback, known)
      : finish(dependencies, callback);
  }
  const subject = dependencies.subjects[kind];
  const isHeld = doubt !== undefined && mayHaveSucceeded(doubt, report);
  if (isHeld) await subject.hold?.(tenantId, reference);
  if (doubt || !answer) {
    const marks = { ...(doubt && { doubt }), ...(isHeld && { mayBeDone: true }) };
    return contradict(dependencies, callback, known, marks);
  }
  await subject.notify({ tenantId, reference, answer });
  const now = (await subject.find(tenantId, reference)) ?? known;
  await (agrees(dependencies, callback, now)
    ? finish(dependencies, callback)
    : contradict(dependencies, callback, now));
}

/** For a reference that our records lack, as after a restore: we query the operator about that too. */
async function handleUnknown(
  dependencies: HandleCallbackDependencies,
  callback: OperatorCallback,
): Promise<void> {
  const { findUnknown } = dependencies.subjects[callback.kind];
  const about = readAgain(dependencies, callback)?.about ?? null;
  if (await findUnknown?.(callback, about)) return finish(dependencies, callback);
  const looks = callback.lookCount + 1;
  if (findUnknown && looks < queriesOf(dependencies)) return again(dependencies, callback, looks);
  await contradict(dependencies, callback, undefined);
}

/** Why a callback is not trusted, and whether it may report a success all the same. */
interface Marks {
  doubt?: DistrustReason;
  mayBeDone?: boolean;
}

/** The ledger stays as it is; a person sees both sides. */
async function contradict(
  dependencies: HandleCallbackDependencies,
  callback: OperatorCallback,
  known: KnownSubject | undefined,
  marks: Marks = {},
): Promise<void> {
  await showContradiction(dependencies, callback, known, marks);
  await finish(dependencies, callback, true);
}

async function showContradiction(
  dependencies: HandleCallbackDependencies,
  callback: OperatorCallback,
  known: KnownSubject | undefined,
  marks: Marks,
): Promise<void> {
  const { tenantId, reference, operator, outcome } = callback;
  const answer = known && answerOf(dependencies, callback, known);
  if (known && (await isFailureSeen(dependencies.database, callback, known, answer))) return;
  const booked = known && {
    outcome: known.outcome,
    transactions: known.booked.map((each) => ({
      ...each,
      amountMinor: each.amountMinor.toString(),
    })),
  };
  const told: unknown = JSON.parse(callback.body);
  // A case that a person has closed opens again for a later callback that was not kept.
  const received = isExcess(callback) && { receivedAt: isoInstant(callback.createdAtMs) };
  const finding: Finding = {
    kind: 'CONTRADICTION',
    about: `callback ${outcome}`,
    detail: { booked: booked ?? 'nothing', told, by: 'callback', ...marks, ...received },
  };
  const subject = { tenantId, id: known?.id ?? reference, operator };
  await dependencies.requestReview(dependencies.subjects[callback.kind].kind, subject, finding);
}
