import type { LiveOperatorName } from '../../config/catalogue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { AskPerson } from '../../review/ask-person.ts';
import type { Finding, SubjectKind } from '../../review/review-item.ts';
import type { Told } from '../adapter.ts';
import type { AdapterOf } from '../adapters.ts';
import {
  failureOfReversal,
  type Operator,
  type OperatorAnswer,
  type OperatorNotice,
} from '../operator.ts';
import { type Doubt, doubtOf } from './believe.ts';
import { finishCallback, lookAgain, type OperatorCallback } from './store.ts';
import type { CallbackKind } from './token.ts';

/** What we know of a debit, refund or reversal, as far as a callback can agree with it or not. */
export interface Known {
  /** OPEN: nobody knows yet, or it is still asked about. */
  outcome: 'SUCCEEDED' | 'FAILED' | 'OPEN';
  /** The operator's transactions that are booked for it, the good and the wrong ones. */
  booked: { operatorTxId: string | null; amountMinor: bigint }[];
  amountMinor: bigint;
  currency: string;
}

/** Who is told of callbacks of one kind. */
export interface CallbackSubject {
  kind: SubjectKind;
  find(tenantId: string, reference: string): Promise<Known | undefined>;
  /** Asks the operator about it now; false where it is being asked about already. */
  hint(tenantId: string, reference: string): Promise<boolean>;
  /** Takes a callback at its word: of operators that cannot be asked. */
  notice(notice: OperatorNotice): Promise<void>;
  /** Asks about a reference that our books lack; true when nothing more is to be done. */
  findUnknown?: (callback: OperatorCallback, about: Told['about']) => Promise<boolean>;
}

export interface HandleCallbackParts {
  database: Database;
  clock: Clock;
  adapterOf: AdapterOf;
  subjects: Record<CallbackKind, CallbackSubject>;
  operatorFor(callback: OperatorCallback): Operator;
  /** Whether an authentic callback of this operator proves who sent it, and so which address was meant. */
  provesSender(operator: LiveOperatorName): boolean;
  askPerson: AskPerson;
  wake(atMs: number): void;
  /** How long after each question that a callback leads to the next one comes, in milliseconds. */
  hintGapsMs: readonly number[];
}

/** Does what a callback that was kept asks for; done again after a crash, it changes nothing. */
export type HandleCallback = (callback: OperatorCallback) => Promise<void>;

/** At once, and then after 0.5, 2 and 5 seconds. */
export const defaultHintGapsMs = [500, 2_000, 5_000];
/** Afterwards the operator is asked at the gaps of the payment itself, and the callback only waits. */
const firstLookGapMs = 10_000;
const longestLookGapMs = 3_600_000;

/**
 * A callback is a hint: it makes us ask the operator under our own reference, at once and a few times more.
 * What the operator answers is booked; the callback itself only if the operator cannot be asked. When
 * the outcome is known, and it is not what the callback told, a person must look.
 */
export function createHandleCallback(parts: HandleCallbackParts): HandleCallback {
  const questions = questionsOf(parts);
  return async (callback) => {
    const { tenantId, reference, kind } = callback;
    const subject = parts.subjects[kind];
    const known = await subject.find(tenantId, reference);
    if (!known) return handleUnknown(parts, callback);
    if (agrees(parts, callback, known)) return finish(parts, callback);
    const { answersQueries } = await parts.operatorFor(callback).traits(callback);
    if (!answersQueries) return takeAtItsWord(parts, callback, known);
    const isAsked = callback.lookCount < questions && (await subject.hint(tenantId, reference));
    const looks = callback.lookCount + (isAsked || callback.lookCount >= questions ? 1 : 0);
    const now = (await subject.find(tenantId, reference)) ?? known;
    if (agrees(parts, callback, now) || (isAsked && isProgress(parts, callback, now))) {
      return finish(parts, callback);
    }
    if (looks >= questions && now.outcome !== 'OPEN') return contradict(parts, callback, now);
    await again(parts, callback, looks);
  };
}

const questionsOf = ({ hintGapsMs }: HandleCallbackParts) => hintGapsMs.length + 1;

const finish = (parts: HandleCallbackParts, callback: OperatorCallback) =>
  finishCallback(parts.database, callback, false);

async function again(parts: HandleCallbackParts, callback: OperatorCallback, looks: number) {
  const further = Math.min(Math.max(looks - questionsOf(parts), 0), 20);
  const lookGapMs = firstLookGapMs * 2 ** further;
  const gapMs = parts.hintGapsMs[Math.max(looks - 1, 0)] ?? Math.min(lookGapMs, longestLookGapMs);
  const dueAtMs = parts.clock.nowMs() + gapMs;
  await lookAgain(parts.database, callback, looks, dueAtMs);
  parts.wake(dueAtMs);
}

/** An operator that cannot be asked is believed, where the callback is proven and names what we asked for. */
async function takeAtItsWord(
  parts: HandleCallbackParts,
  callback: OperatorCallback,
  known: Known,
): Promise<void> {
  const { tenantId, reference, kind, operator, authenticated } = callback;
  const answer = answerOf(parts, callback, known);
  const about = readAgain(parts, callback)?.about ?? null;
  const told = { about, answer, authenticated, bySender: parts.provesSender(operator) };
  const doubt = doubtOf(told, { ...known, kind, reference });
  if (doubt === 'NOT_DEFINITE') return finish(parts, callback);
  if (doubt || !answer) return contradict(parts, callback, known, doubt);
  const subject = parts.subjects[kind];
  await subject.notice({ tenantId, reference, answer });
  const now = (await subject.find(tenantId, reference)) ?? known;
  await (agrees(parts, callback, now) ? finish(parts, callback) : contradict(parts, callback, now));
}

/** Of a reference that our books lack, as after a restore: the operator is asked about that too. */
async function handleUnknown(
  parts: HandleCallbackParts,
  callback: OperatorCallback,
): Promise<void> {
  const { findUnknown } = parts.subjects[callback.kind];
  const about = readAgain(parts, callback)?.about ?? null;
  if (await findUnknown?.(callback, about)) return finish(parts, callback);
  const looks = callback.lookCount + 1;
  if (findUnknown && looks < questionsOf(parts)) return again(parts, callback, looks);
  await contradict(parts, callback, undefined);
}

/** The books stay as they are; a person sees both sides. */
async function contradict(
  parts: HandleCallbackParts,
  callback: OperatorCallback,
  known: Known | undefined,
  doubt?: Doubt,
): Promise<void> {
  const { tenantId, reference, operator, outcome } = callback;
  const booked = known && {
    outcome: known.outcome,
    transactions: known.booked.map((each) => ({
      ...each,
      amountMinor: each.amountMinor.toString(),
    })),
  };
  const told: unknown = JSON.parse(callback.body);
  const finding: Finding = {
    kind: 'CONTRADICTION',
    about: `callback ${outcome}`,
    detail: { booked: booked ?? 'nothing', told, by: 'callback', ...(doubt && { doubt }) },
  };
  const subject = { tenantId, id: reference, operator };
  await parts.askPerson(parts.subjects[callback.kind].kind, subject, finding);
  await finishCallback(parts.database, callback, true);
}

/** Undefined where the operator has come to speak through another adapter since. */
function readAgain(
  { adapterOf }: HandleCallbackParts,
  { operator, body }: OperatorCallback,
): Told | undefined {
  return adapterOf[operator].callbacks.read(JSON.parse(body));
}

function answerOf(
  parts: HandleCallbackParts,
  callback: OperatorCallback,
  known: Known,
): OperatorAnswer | undefined {
  const { reference, kind } = callback;
  const { currency, amountMinor } = known;
  const isDebit = kind === 'DEBIT';
  const expected = { kind, reference, currency, ...(!isDebit && { amountMinor }) };
  const answer = readAgain(parts, callback)?.answerTo(expected);
  if (isDebit || answer?.kind !== 'failed') return answer;
  return { kind: 'failed', failureCode: failureOfReversal(answer.failureCode) };
}

/** Whether our books say already what the callback tells. */
function agrees(parts: HandleCallbackParts, callback: OperatorCallback, known: Known): boolean {
  const answer = answerOf(parts, callback, known);
  switch (answer?.kind) {
    case 'succeeded':
      return known.booked.some(
        ({ operatorTxId, amountMinor }) =>
          (operatorTxId ?? answer.operatorTxId) === answer.operatorTxId &&
          amountMinor === answer.amountMinor,
      );
    case 'failed':
      return known.outcome === 'FAILED' && known.booked.length === 0;
    case 'unknown':
      // Of what had ended without a success it is news, and leads to a question.
      return known.outcome === 'SUCCEEDED';
    default:
      return false;
  }
}

/** It tells no outcome, so one question is enough. */
const isProgress = (parts: HandleCallbackParts, callback: OperatorCallback, known: Known) =>
  answerOf(parts, callback, known)?.kind === 'unknown';
