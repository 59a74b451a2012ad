import { setTimeout as delay } from 'node:timers/promises';
import { connectionProblem } from './connection-problem.ts';

/** Connection lost, server stopping, or not the primary any more: the next one may be another server. */
export function isLoss(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return isTransient(error);
  return /^(08|57P|25006)/.test(code) || /^E[A-Z]+$/.test(code);
}

/**
 * Connection lost, server stopping or read-only, time-out, deadlock or serialization failure: the same statement may
 * succeed when sent again.
 */
export function isTransient(error: unknown): boolean {
  if (connectionProblem(error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string') {
    return (
      error instanceof Error && /terminated|timeout|connection|not queryable/i.test(error.message)
    );
  }
  return /^(08|25006|40|53|57)/.test(code) || /^E[A-Z]+$/.test(code);
}

/** The database does not answer, or takes no writes: not that one statement was too slow, or met another. */
export function isOutage(error: unknown): boolean {
  return isLoss(error) || String((error as { code?: unknown }).code).startsWith('53');
}

const repeatIntervalMs = 50;

/** Runs it, and once more after a transient error: `repeated` says that the first try may have been committed. */
export async function repeatOnce<Result>(
  work: (repeated: boolean) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(false);
  } catch (error) {
    if (!isTransient(error)) throw error;
    await delay(repeatIntervalMs);
    return work(true);
  }
}

/** PostgreSQL found the transaction waiting for another that waited for it, and rolled it back. */
export function isDeadlock(error: unknown): boolean {
  return (error as { code?: unknown }).code === '40P01';
}
