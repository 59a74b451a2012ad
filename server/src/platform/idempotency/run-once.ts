import type { Database, Queryable } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';
import { type IdempotentRequest, type RequestHashes, requireSame } from './idempotency.ts';
import { findActKey, insertActKey } from './store.ts';

/** An action on an existing object. */
export interface Act {
  tenantId: string;
  /** The route: a key identifies one action of each route. */
  route: string;
  /** What it is about. */
  subjectId: string;
  request: IdempotentRequest | null;
}

/** Writes what the answer is made from, with the key, in the transaction of the act: both or neither. */
export type KeepAnswer = (transaction: Queryable, answer: object) => Promise<void>;

/** For an action without a key. */
export const keepNothing: KeepAnswer = async () => {};

/** Another request wrote the key meanwhile, so this action must not happen. */
class KeyTaken extends Error {}

/**
 * Performs an action once for its idempotency key, within 30 days. A refused action leaves no trace.
 * @param perform carries it out, and keeps its answer in the same transaction
 * @param replay makes the answer from what was kept
 * @throws IDEMPOTENCY_KEY_REUSED the key came before with another body, or for something else
 */
export type RunAct = <Answer>(
  act: Act,
  perform: (keep: KeepAnswer) => Promise<Answer>,
  replay: (kept: object) => Promise<Answer> | Answer,
) => Promise<{ answer: Answer; replayed: boolean }>;

export function makeRunAct(dependencies: {
  database: Database;
  clock: Clock;
  requestHashes: RequestHashes;
}): RunAct {
  const { database, clock, requestHashes } = dependencies;
  return async ({ tenantId, route, subjectId, request }, perform, replay) => {
    if (!request) return { answer: await perform(keepNothing), replayed: false };
    const { key } = request;
    const ofKey = { ...request, meaning: `${route} ${key}` };
    const earlier = async () => {
      const found = await findActKey(database, tenantId, requestHashes.allOf(ofKey));
      if (!found) return undefined;
      requireSame(requestHashes, found, request);
      return { answer: await replay(found.answer), replayed: true };
    };
    const keep: KeepAnswer = async (transaction, answer) => {
      const times = { createdAtMs: clock.nowMs() };
      const hashes = { keyHash: requestHashes.of(ofKey), requestHash: requestHashes.of(request) };
      const act = { tenantId, ...hashes, subjectId };
      if (!(await insertActKey(transaction, { ...act, answer, ...times }))) throw new KeyTaken();
    };
    const replayed = await earlier();
    if (replayed) return replayed;
    try {
      return { answer: await perform(keep), replayed: false };
    } catch (error) {
      // Of two concurrent requests, the second finds the key taken, or nothing left to do.
      const first = await earlier();
      if (first) return first;
      throw error;
    }
  };
}
