import type { Queryable } from '../../platform/postgres/database.ts';
import { compareMigrations } from '../../platform/postgres/migration-comparison.ts';
import type { MigrationKind } from '../../platform/postgres/migration-files.ts';
import {
  nameWithVersion,
  olderThan,
  type ProcessInBrief,
  processesInBrief,
} from './process-registry.ts';

/** The effect of installing this version on a database and its running gateways. */
export interface Upgrade {
  /** Missing migrations, in order; a field of the JSON of `migrate --check`. */
  lacking: { name: string; kind: MigrationKind; oldestProgram: string }[];
  /** Gateways that are incompatible with the migrations that this version applies at its start. */
  toStop: ProcessInBrief[];
  stopNeeded: boolean;
}

/**
 * Plans the upgrade, and changes nothing. Only `zimbo migrate --contract` applies contractions, and they need no
 * stop.
 * @param directory of the migrations, unless they are the program's own
 * @throws StartError like `migrate`, if this program does not fit the database
 */
export async function planUpgrade(database: Queryable, directory?: string): Promise<Upgrade> {
  const { missing, isNew } = await compareMigrations(database, directory);
  const atStart = missing.filter(({ kind }) => isNew || kind !== 'CONTRACTS');
  const running = isNew ? [] : await processesInBrief(database);
  const toStop = running.filter((process) =>
    atStart.some(({ oldestProgram }) => olderThan(oldestProgram, [process]).length > 0),
  );
  return {
    lacking: missing.map(({ name, kind, oldestProgram }) => ({ name, kind, oldestProgram })),
    toStop,
    stopNeeded: toStop.length > 0,
  };
}

const kindWords: Record<MigrationKind, string> = {
  EXPANDS: 'expands: older versions continue to run',
  INDEXES: 'creates indexes while gateways run',
  CONTRACTS: 'contracts: waits for  zimbo migrate --contract',
};

/** Line by line; the last says whether a stop is needed. */
export function describeUpgrade({ lacking: missing, toStop }: Upgrade): string[] {
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
