import { setTimeout as delay } from 'node:timers/promises';
import { explainConnectionError } from './connection-problem.ts';

/**
 * The connection was lost, the server is stopping, or it is no longer the primary: the next connection may reach
 * another server.
 */
export function isConnectionLoss(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return isTransient(error);
  return /^(08|57P|25006)/.test(code) || /^E[A-Z]+$/.test(code);
}

/**
 * A lost connection, a stopping or read-only server, a time-out, a deadlock or a serialization failure: the same
 * statement may succeed when sent again.
 */
export function isTransient(error: unknown): boolean {
  if (explainConnectionError(error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string') {
    return (
      error instanceof Error && /terminated|timeout|connection|not queryable/i.test(error.message)
    );
  }
  return /^(08|25006|40|53|57)/.test(code) || /^E[A-Z]+$/.test(code);
}

/** The database does not answer, or takes no writes. A slow statement or a conflict does not count. */
export function isOutage(error: unknown): boolean {
  return isConnectionLoss(error) || String((error as { code?: unknown }).code).startsWith('53');
}

const repeatIntervalMs = 50;

/** Runs the work, and once more after a transient error: `repeated` says that the first try may have been committed. */
export async function retryOnce<Result>(
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

/** PostgreSQL found a deadlock, and rolled this transaction back. */
export function isDeadlock(error: unknown): boolean {
  return (error as { code?: unknown }).code === '40P01';
}
