import type { Logger } from 'pino';
import type { Database } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';
import { Poller } from './poller.ts';

/** Whose rows have `due_at` with an index on it. */
const tables = [
  'payments',
  'refunds',
  'reversals',
  'deliveries',
  'operator_callbacks',
  'checkout_sessions',
  'settlements',
  'simulator_transactions',
  'reconciliations',
  'reconciliation_differences',
] as const;

type Table = (typeof tables)[number];

/** `min` reads the first entry of the index, whatever PostgreSQL thinks of the table. */
const nextStatement = {
  name: 'due.next',
  text: tables
    .map((table) => `SELECT '${table}' AS table, min(due_at) AS "dueAtMs" FROM ${table}`)
    .join('\nUNION ALL '),
};

export interface DueWatchDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
}

const intervalMs = 3_000;
/** How long those rest who are woken by a watch, in milliseconds, when they have found nothing for a while. */
export const watchedIdleMs = 60_000;

/**
 * Asks when each table has a row due next, in one statement for all, and wakes its worker at that instant. So each
 * worker hears within seconds of what other processes made due, and an idle gateway asks little.
 */
export function dueWatch(
  { database, clock, log }: DueWatchDependencies,
  wake: Record<Table, (atMs: number) => void>,
): Poller {
  const claim = async () => {
    const next = await database.query<{ table: Table; dueAtMs: number | null }>(nextStatement);
    for (const { table, dueAtMs } of next) if (dueAtMs !== null) wake[table](dueAtMs);
    return 0;
  };
  const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
  return new Poller({ name: 'due rows', clock, log, claim, ...intervals });
}
