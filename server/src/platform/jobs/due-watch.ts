import type { Logger } from 'pino';
import type { Database } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';
import { Poller } from './poller.ts';

/** Tables with an indexed `due_at`. */
const tables = [
  'payments',
  'refunds',
  'disbursements',
  'disbursement_batches',
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

/** `min` reads the first entry of the index, regardless of the statistics of the table. */
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
/** The idle interval of workers that a watch wakes, in milliseconds. */
export const watchedIdleMs = 60_000;

/**
 * Queries the next due instant of all tables in one statement, and wakes each worker at its instant. So each worker
 * learns within seconds about rows that other processes made due, and an idle gateway queries little.
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
