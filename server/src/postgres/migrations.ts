import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import type { Queryable } from './database.ts';
import { type GiveWayOptions, givingWay } from './lock-timeouts.ts';
import { primaryUrlOf } from './primary.ts';
import { creatingTables } from './privileges.ts';
import { isAtLeast } from './program-version.ts';

export interface Migration {
  number: number;
  /** The file's name. */
  name: string;
  sql: string;
  checksum: string;
  /** The oldest program that works with it; see {@link oldestProgramOf}. */
  oldestProgram: string;
}

export interface LandedMigration {
  number: number;
  name: string;
  checksum: string;
  program_version: string;
  /** Null if a program applied it that did not record it. */
  oldest_program: string | null;
}

/** Which program applies a migration, and when. */
export interface Applied {
  programVersion: string;
  now: Date;
}

const oldestServer = 150_000;
const connectLimitMs = 10_000;
/** One lock per database: several gateways that start together apply each file once. */
const migrationLock = '2053729634, 3';
const defaultDirectory = fileURLToPath(new URL('../../migrations', import.meta.url));
/** Also where nobody has added the column yet: backups and checks change nothing. */
const landedText = `SELECT number, name, checksum, program_version,
  to_jsonb(schema_migrations) ->> 'oldest_program' AS oldest_program
FROM schema_migrations ORDER BY number`;
/** Later ones say themselves which program is the oldest that works with them. */
const lastWithoutHeader = 7;
const oldestWithoutHeader = '0.1.0';
const manifest = new URL('../../package.json', import.meta.url);

export interface MigrateOptions extends GiveWayOptions {
  directory?: string;
  /** By default, this program's. */
  programVersion?: string;
  now: Date;
}

/**
 * Applies the migrations that this database lacks, each in a transaction of its own.
 * @returns the names of the files applied now.
 * @throws StartError if the files, the database or the server do not fit; errors of the connection
 * come through as they are, for the caller to try again.
 */
export async function migrate(
  databaseUrl: string,
  options: MigrateOptions,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(options.directory);
  const programVersion = options.programVersion ?? (await ownVersion());
  const by = { programVersion, now: options.now };
  const client = new pg.Client({
    connectionString: await primaryUrlOf(databaseUrl),
    connectionTimeoutMillis: connectLimitMs,
    application_name: 'zimbo migrate',
  });
  // A query in flight reports a lost connection itself.
  client.on('error', () => {});
  try {
    await client.connect();
    await lockMigrations(client, options.tell);
    await givingWay(client, 'The record of migrations', () => createRecord(client), options);
    const landed = await landedMigrations(client);
    const { lacking, unknown } = compare(migrations, landed, programVersion);
    if (unknown.length > 0) options.tell?.(newerWords(unknown, programVersion));
    for (const migration of lacking) {
      const apply = () => runMigration(client, migration, by);
      await givingWay(client, `The migration ${migration.name}`, apply, options);
    }
    return { applied: lacking.map(({ name }) => name) };
  } finally {
    // The lock ends with the session.
    await client.end().catch(() => {});
  }
}

async function ownVersion(): Promise<string> {
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
}

/**
 * Keeps other processes from migrating this database until the session ends or unlocks.
 * @param tell called with what it is waiting for, in words
 * @throws StartError if the server is too old
 */
export async function lockMigrations(
  client: pg.Client,
  tell?: (words: string) => void,
): Promise<void> {
  const { rows } = await client.query<{ number: string; name: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name`,
  );
  const [server] = rows;
  if (server && Number(server.number) < oldestServer) {
    throw new StartError(
      `The database server is PostgreSQL ${server.name}; Zimbo needs PostgreSQL 15 or later.`,
      'Set DATABASE_URL to a newer server.',
    );
  }
  // Limits that suit requests would break off a long migration or the wait for another process.
  await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
  const tried = await client.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_lock(${migrationLock}) AS locked`,
  );
  if (tried.rows[0]!.locked) return;
  tell?.('Another process migrates this database: waiting until it is done.');
  await client.query(`SELECT pg_advisory_lock(${migrationLock})`);
}

export async function unlockMigrations(client: pg.Client): Promise<void> {
  await client.query(`SELECT pg_advisory_unlock(${migrationLock})`);
}

const recordText = `CREATE TABLE IF NOT EXISTS schema_migrations (
  number integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  program_version text NOT NULL,
  applied_at timestamptz NOT NULL
)`;

/** Creates the table that records which migrations have landed. */
export async function createRecord(client: pg.Client): Promise<void> {
  await creatingTables(client, () => client.query(recordText));
  const { rows } = await client.query(
    `SELECT FROM pg_attribute
     WHERE attrelid = 'schema_migrations'::regclass AND attname = 'oldest_program' AND NOT attisdropped`,
  );
  // Even if it adds nothing, ALTER TABLE waits for every reader of the table, and for a backup to its end.
  if (rows.length > 0) return;
  await client.query('ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS oldest_program text');
}

export async function landedMigrations(client: pg.Client): Promise<LandedMigration[]> {
  const { rows } = await client.query<LandedMigration>(landedText);
  return rows;
}

export interface MigrationNames {
  lacking: string[];
  /** Of newer programs, whose database this one can work with. */
  unknown: string[];
}

/**
 * How the migrations of a database differ from this program's; nothing is applied.
 * @throws StartError as {@link migrate}, where the files and the database do not fit
 */
export async function compareMigrations(database: Queryable): Promise<MigrationNames> {
  const migrations = await readMigrations();
  const landed = await database
    .query<LandedMigration>({ text: landedText })
    .catch((error: pg.DatabaseError) => {
      const undefinedTable = '42P01';
      if (error.code === undefinedTable) return [];
      throw error;
    });
  const { lacking, unknown } = compare(migrations, landed, await ownVersion());
  return { lacking: lacking.map(({ name }) => name), unknown: unknown.map(({ name }) => name) };
}

function compare(
  migrations: Migration[],
  landed: LandedMigration[],
  programVersion: string,
): { lacking: Migration[]; unknown: LandedMigration[] } {
  const unknown = landed.filter(({ number }) => !migrations[number - 1]);
  const tooNew = unknown.find(
    ({ oldest_program: oldest }) => oldest === null || !isAtLeast(programVersion, oldest),
  );
  if (tooNew) throw newerError(unknown, programVersion);
  for (const { number, name, checksum } of landed) {
    const migration = migrations[number - 1];
    if (migration && (migration.name !== name || migration.checksum !== checksum)) {
      throw new StartError(
        `The migration ${migration.name} was changed after it had been applied to this database${migration.name === name ? '' : ` as ${name}`}.`,
        'Restore the original file, and make the change in a new migration.',
      );
    }
  }
  const numbers = new Set(landed.map(({ number }) => number));
  return { lacking: migrations.filter(({ number }) => !numbers.has(number)), unknown };
}

/** Names what to start instead: the oldest program that works with all of them. */
function newerError(unknown: LandedMigration[], programVersion: string): StartError {
  const needed = (landed: LandedMigration) => landed.oldest_program ?? landed.program_version;
  const [first, ...others] = unknown;
  const newest = others.reduce(
    (found, other) => (isAtLeast(needed(found), needed(other)) ? found : other),
    first!,
  );
  const { name, program_version: by } = newest;
  return new StartError(
    `The database is newer than this program: Zimbo ${by} applied ${name} to it, which this one, Zimbo ${programVersion}, does not know and cannot work with.`,
    // Builds between two releases share a version.
    isAtLeast(programVersion, needed(newest))
      ? `Start the program that applied it, a newer build of Zimbo ${by}, or a later version.`
      : `Start Zimbo ${needed(newest)} or later.`,
  );
}

function newerWords(unknown: LandedMigration[], programVersion: string): string {
  const names = unknown.map(({ name, program_version: by }) => `${name} of Zimbo ${by}`);
  return `The database is newer than this program, Zimbo ${programVersion}: it has ${names.join(', ')}. This program can work with it; install the newer one soon.`;
}

/**
 * Applies one migration within the caller's transaction.
 * @param by what is recorded; nothing, if the record comes from elsewhere
 * @throws StartError which says what the server refused
 */
export async function runMigration(
  client: pg.Client,
  { number, name, checksum, sql, oldestProgram }: Migration,
  by?: Applied,
): Promise<void> {
  try {
    await client.query(sql);
    if (!by) return;
    await client.query(
      `INSERT INTO schema_migrations (number, name, checksum, program_version, applied_at, oldest_program)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [number, name, checksum, by.programVersion, by.now, oldestProgram],
    );
  } catch (error) {
    throw isStatementError(error) ? failed(name, sql, error) : error;
  }
}

/** What the server said about the statement, other than that the session or the server ends. */
function isStatementError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !error.code?.startsWith('57P');
}

function failed(name: string, sql: string, error: pg.DatabaseError): StartError {
  const line = error.position && sql.slice(0, Number(error.position)).split('\n').length;
  return new StartError(
    `The migration ${name} failed${line ? ` in line ${line}` : ''}, and left nothing behind: ${error.message}.`,
    undefined,
    { cause: error },
  );
}

/** All files, in order; their numbers run from 1 without a gap. */
export async function readMigrations(directory = defaultDirectory): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]);
      if (number !== index + 1) {
        const expected = String(index + 1).padStart(4, '0');
        throw new StartError(
          `The migration ${join(directory, name)} should be called ${expected}-….sql: names are a number of four digits, which runs on from 0001, and words with hyphens.`,
        );
      }
      // Git on Windows may have changed the line ends.
      const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { number, name, sql, checksum, oldestProgram: oldestProgramOf(number, name, sql) };
    }),
  );
}

/**
 * The first line tells it, for programs that do not know the file: an older one that is not too old can
 * be started again on a database that has it already.
 */
function oldestProgramOf(number: number, name: string, sql: string): string {
  const found = /^-- Oldest program: (\d+\.\d+\.\d+)\n/.exec(sql)?.[1];
  if (found !== undefined) return found;
  if (number <= lastWithoutHeader) return oldestWithoutHeader;
  throw new StartError(
    `The first line of the migration ${name} must name the oldest program that works with it, for example: -- Oldest program: ${oldestWithoutHeader}`,
  );
}
