import type { Logger } from 'pino';
import type { Database } from '../../platform/database.ts';
import { answerOfCallback } from '../gsma/answers.ts';
import { failureOfReversal } from '../gsma/errors.ts';
import type { OperatorAnswer, OperatorName, OperatorNotice } from '../operator.ts';
import { finishCallback, type OperatorCallback } from './store.ts';
import type { CallbackKind } from './token.ts';

/** What we know of a debit, refund or reversal, as far as a callback can contradict it. */
export interface Known {
  outcome: 'SUCCEEDED' | 'FAILED' | 'OPEN';
  /** The operator's id of what succeeded, where we keep it. */
  operatorTxId: string | null;
  amountMinor: bigint;
  currency: string;
}

/** Who is told of callbacks of one kind. */
export interface CallbackSubject {
  find(tenantId: string, reference: string): Promise<Known | undefined>;
  notice(notice: OperatorNotice): Promise<void>;
}

export interface HandleCallbackParts {
  database: Database;
  log: Logger;
  subjects: Record<CallbackKind, CallbackSubject>;
  /** The operator says what cannot be true together with what we know. */
  onContradiction(operator: OperatorName): void;
}

/** Does what a callback that was kept asks for; done again after a crash, it changes nothing. */
export type HandleCallback = (callback: OperatorCallback) => Promise<void>;

export function createHandleCallback(parts: HandleCallbackParts): HandleCallback {
  return async (callback) => {
    const { tenantId, reference, kind, operator } = callback;
    const subject = parts.subjects[kind];
    const known = await subject.find(tenantId, reference);
    const answer = known && readAnswer(callback, known);
    const contradicts = !known || !answer || isContradiction(known, answer);
    if (contradicts) {
      parts.log.error(
        { operator, tenantId, reference, kind, outcome: known?.outcome, told: answer },
        `${operator} says what contradicts our books; the callback is kept: ask the operator`,
      );
      parts.onContradiction(operator);
    }
    // A success is a fact even then: it goes to suspense and back, and never flips what is booked.
    if (answer) await subject.notice({ tenantId, reference, answer });
    await finishCallback(parts.database, callback, contradicts);
  };
}

function readAnswer(callback: OperatorCallback, known: Known): OperatorAnswer | undefined {
  const { reference, kind, body } = callback;
  const { currency, amountMinor } = known;
  const isDebit = kind === 'DEBIT';
  const expected = { kind, reference, currency, ...(!isDebit && { amountMinor }) };
  const answer = answerOfCallback(JSON.parse(body), expected);
  if (isDebit || answer?.kind !== 'failed') return answer;
  return { kind: 'failed', failureCode: failureOfReversal(answer.failureCode) };
}

function isContradiction({ outcome, operatorTxId }: Known, answer: OperatorAnswer): boolean {
  if (answer.kind === 'failed') return outcome === 'SUCCEEDED';
  if (answer.kind !== 'succeeded') return false;
  const isOther = operatorTxId !== null && answer.operatorTxId !== operatorTxId;
  return outcome === 'FAILED' || (outcome === 'SUCCEEDED' && isOther);
}
