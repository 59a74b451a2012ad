import type { Database, Queryable } from './database.ts';

/**
 * Runs statements that read much if little matches, in a transaction with its own limit of time for each.
 * @throws an error that {@link isOutOfTime} when one takes longer
 */
export function limitTime<Result>(
  database: Database,
  mostMs: number,
  read: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: `SET LOCAL statement_timeout = ${mostMs}` });
    return read(transaction);
  });
}

/** PostgreSQL ended the statement because of a limit of time. */
export const isOutOfTime = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === '57014';
