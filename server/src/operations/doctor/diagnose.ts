import { pino } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import { type Database, openDatabase } from '../../platform/postgres/database.ts';
import { clockOf } from '../../platform/postgres/database-clock.ts';
import { type Clock, systemClock } from '../../platform/process/clock.ts';
import type { SecretKeys } from '../../platform/secrets/secret-keys.ts';
import { type Check, type Finding, runCheck } from './check.ts';
import { serverChecks, settingChecks } from './database-checks.ts';
import { processChecks } from './process-checks.ts';
import { workChecks } from './work-checks.ts';

/** Receives each finding immediately. */
export type ReportFinding = (group: string, name: string, finding: Finding) => void;

export interface DatabaseDiagnosis {
  config: Pick<Config, 'databaseUrl' | 'databaseConnections' | 'paymentReviewAfterMs' | 'backup'>;
  /** The URL of the examined database. */
  url: string;
  findKeys: () => Promise<SecretKeys | undefined>;
  /** The wall clock of this machine. */
  wallClock?: Clock | undefined;
  /** The examined cell, if there are several. */
  cell?: CellToCheck | undefined;
}

export interface CellToCheck {
  name: string;
  /** A description of its location. */
  place: string;
  /** @throws StartError with instructions, if it cannot be reached or is not the expected database */
  expect: (database: Database) => Promise<unknown>;
}

/** Longer than any check may take. */
const statementTimeoutMs = 70_000;

/** The connections of the checks: the server refuses writes. */
export const openForChecks = (url: string): Database =>
  openDatabase({
    url,
    log: pino({ level: 'silent' }),
    maxConnections: 3,
    readOnly: true,
    connectTimeoutMs: 5_000,
    statementTimeoutMs,
  });

/**
 * Runs all checks of a database in sequence; if the database is unusable, only the first.
 * @returns whether the database is usable
 */
export async function diagnoseDatabase(
  report: ReportFinding,
  database: Database,
  { config, url, findKeys, wallClock = systemClock, cell }: DatabaseDiagnosis,
): Promise<boolean> {
  const place = cell?.place ?? (config.databaseUrl ? addressOf(config.databaseUrl) : 'embedded');
  const dependencies = { database, url, config, wallClock, place, expect: cell?.expect };
  const groupOf = (group: string) => (cell ? `${cell.name}: ${group.toLowerCase()}` : group);
  if (!(await runAll(report, groupOf('Database'), serverChecks(dependencies)))) return false;
  await runAll(report, groupOf('Database'), settingChecks(dependencies));
  const clock = clockOf(database);
  // If this takes too long, this machine's clock must do.
  await clock.measure().catch(() => {});
  await runAll(report, groupOf('Work'), processChecks(dependencies));
  await runAll(report, groupOf('Work'), workChecks({ database, clock, config, findKeys }));
  return true;
}

/** @returns whether all were well */
export async function runAll(
  tell: ReportFinding,
  group: string,
  checks: readonly Check[],
): Promise<boolean> {
  let good = true;
  for (const check of checks) {
    const finding = await runCheck(check);
    tell(group, check.name, finding);
    if (finding.status !== 'ok') good = false;
  }
  return good;
}
