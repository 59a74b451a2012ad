import type { Queryable } from './database.ts';

const lockStatement = { text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' };

/**
 * Waits for other transactions that count the same, until they end: many at once would all find room below a limit.
 * @param name what is counted
 */
export async function lockCount(transaction: Queryable, name: string): Promise<void> {
  await transaction.query(lockStatement, [name]);
}
