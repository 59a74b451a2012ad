import type { Queryable } from '../../platform/postgres/database.ts';
import { compareMigrations } from '../../platform/postgres/migration-comparison.ts';
import type { MigrationKind } from '../../platform/postgres/migration-files.ts';
import {
  nameWithVersion,
  olderThan,
  type ProcessInBrief,
  processesInBrief,
} from './process-registry.ts';

/** What installing this version means for a database and for the gateways that run on it. */
export interface Upgrade {
  /** Migrations that the database lacks, in order. */
  missing: { name: string; kind: MigrationKind; oldestProgram: string }[];
  /** Gateways that do not work with what this version applies when it starts. */
  toStop: ProcessInBrief[];
  stopNeeded: boolean;
}

/**
 * Finds out, and changes nothing. What contracts is applied by `zimbo migrate --contract` only, and needs no stop.
 * @param directory of the migrations, where they are not the program's own
 * @throws StartError as `migrate`, where this program does not fit the database
 */
export async function planUpgrade(database: Queryable, directory?: string): Promise<Upgrade> {
  const { missing, isNew } = await compareMigrations(database, directory);
  const atStart = missing.filter(({ kind }) => isNew || kind !== 'CONTRACTS');
  const running = isNew ? [] : await processesInBrief(database);
  const toStop = running.filter((process) =>
    atStart.some(({ oldestProgram }) => olderThan(oldestProgram, [process]).length > 0),
  );
  return {
    missing: missing.map(({ name, kind, oldestProgram }) => ({ name, kind, oldestProgram })),
    toStop,
    stopNeeded: toStop.length > 0,
  };
}

const kindWords: Record<MigrationKind, string> = {
  EXPANDS: 'expands: older versions go on beside it',
  INDEXES: 'makes indexes while gateways go on',
  CONTRACTS: 'contracts: waits for  zimbo migrate --contract',
};

/** Line by line; the last says whether a stop is needed. */
export function upgradeInWords({ missing, toStop }: Upgrade): string[] {
  const lines = missing.map(
    ({ name, kind, oldestProgram }) =>
      `${name}  ${kindWords[kind]} (works with Zimbo ${oldestProgram} or later)`,
  );
  if (toStop.length > 0) {
    const names = toStop.map((process) => nameWithVersion(process));
    return [...lines, `Stop these first, since they do not work with it: ${names.join('; ')}.`];
  }
  if (missing.length === 0) return ['The database is up to date. No stop is needed.'];
  return [...lines, 'No stop is needed: replace the gateways one after the other.'];
}
