import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { StartError } from '../errors/start-error.ts';
import type { Queryable } from './database.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { isAtLeast } from './program-version.ts';

export interface AppliedMigration {
  number: number;
  name: string;
  checksum: string;
  program_version: string;
  /** Null if an old program, which did not record its version, applied the migration. */
  oldest_program: string | null;
}

/** How a database's migrations differ from a program's. */
export interface Comparison {
  missing: Migration[];
  /** Migrations of newer programs that this program can work with. */
  unknown: AppliedMigration[];
  /** No migration has ever been applied. */
  isNew: boolean;
}

/** Works without the column, too, since backups and checks change nothing. */
export const appliedText = `SELECT number, name, checksum, program_version,
  to_jsonb(schema_migrations) ->> 'oldest_program' AS oldest_program
FROM schema_migrations ORDER BY number`;
const manifest = new URL('../../../package.json', import.meta.url);

export async function ownVersion(): Promise<string> {
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
}

/**
 * Compares a database's migrations with this program's; applies nothing.
 * @param directory of the migrations, unless they are the program's own
 * @throws StartError like `migrate`, if the files and the database do not fit
 */
export async function compareMigrations(
  database: Queryable,
  directory?: string,
): Promise<Comparison> {
  const migrations = await readMigrations(directory);
  const landed = await database
    .query<AppliedMigration>({ text: appliedText })
    .catch((error: pg.DatabaseError) => {
      const undefinedTable = '42P01';
      if (error.code === undefinedTable) return [];
      throw error;
    });
  return compare(migrations, landed, await ownVersion());
}

/** @throws StartError if the program cannot work with the database, or a file was changed */
export function compare(
  migrations: Migration[],
  landed: AppliedMigration[],
  programVersion: string,
): Comparison {
  const unknown = landed.filter(({ number }) => !migrations[number - 1]);
  const tooNewError = unknown.find(
    ({ oldest_program: oldest }) => oldest === null || !isAtLeast(programVersion, oldest),
  );
  if (tooNewError) throw newerError(unknown, programVersion);
  for (const { number, name, checksum } of landed) {
    const migration = migrations[number - 1];
    if (migration && (migration.name !== name || migration.checksum !== checksum)) {
      throw new StartError(
        `The migration ${migration.name} was changed after it was applied to this database${migration.name === name ? '' : ` as ${name}`}.`,
        'Restore the original file, and make the change in a new migration.',
      );
    }
  }
  const numbers = new Set(landed.map(({ number }) => number));
  return {
    missing: migrations.filter(({ number }) => !numbers.has(number)),
    unknown,
    isNew: landed.length === 0,
  };
}

/** Names the program to start instead: the oldest that works with all migrations. */
function newerError(unknown: AppliedMigration[], programVersion: string): StartError {
  const needed = (landed: AppliedMigration) => landed.oldest_program ?? landed.program_version;
  const [first, ...others] = unknown;
  const newest = others.reduce(
    (found, other) => (isAtLeast(needed(found), needed(other)) ? found : other),
    first!,
  );
  const { name, program_version: by } = newest;
  return new StartError(
    `The database is newer than this program: Zimbo ${by} applied ${name}, which this program, Zimbo ${programVersion}, does not know and cannot work with.`,
    // Builds between two releases share a version.
    isAtLeast(programVersion, needed(newest))
      ? `Start the program that applied the migration, a newer build of Zimbo ${by}, or a later version.`
      : `Start Zimbo ${needed(newest)} or later.`,
  );
}

export function describeNewer(unknown: AppliedMigration[], programVersion: string): string {
  const names = unknown.map(({ name, program_version: by }) => `${name} of Zimbo ${by}`);
  return `The database is newer than this program, Zimbo ${programVersion}: it has ${names.join(', ')}. This program can work with it; install the newer one soon.`;
}
