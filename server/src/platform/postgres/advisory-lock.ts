import type { Queryable } from './database.ts';

const lockStatement = { text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' };

/**
 * Waits until other transactions that count the same thing have ended. Without the lock, concurrent transactions
 * would all find room below a limit.
 * @param name the thing that is counted
 */
export async function lockCount(transaction: Queryable, name: string): Promise<void> {
  await transaction.query(lockStatement, [name]);
}
