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

/** PostgreSQL ended the statement because of a limit of time; a person who cancels it has the same code. */
export function isOutOfTime(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === '57014' && /statement timeout/.test(String(message));
}
