import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Queryable } from './database.ts';
import { StartError } from './start-error.ts';

export interface Migration {
  number: number;
  /** The file's name. */
  name: string;
  sql: string;
  checksum: string;
}

export interface LandedMigration {
  number: number;
  name: string;
  checksum: string;
  program_version: string;
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
const landedText =
  'SELECT number, name, checksum, program_version FROM schema_migrations ORDER BY number';
const manifest = new URL('../../package.json', import.meta.url);

/**
 * Applies the migrations that this database lacks, each in a transaction of its own.
 * @returns the names of the files applied now.
 * @throws StartError where the files, the database or the server do not fit; errors of the connection
 * come through as they are, for the caller to try again.
 */
export async function migrate(
  connectionString: string,
  options: { directory?: string; now: Date },
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(options.directory);
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const by = { programVersion: version, now: options.now };
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectLimitMs,
    application_name: 'zimbo migrate',
  });
  // A query in flight reports a lost connection itself.
  client.on('error', () => {});
  try {
    await client.connect();
    await lockMigrations(client);
    await createRecord(client);
    const pending = notLanded(migrations, await landedMigrations(client));
    for (const migration of pending) await apply(client, migration, by);
    return { applied: pending.map(({ name }) => name) };
  } finally {
    // The lock ends with the session.
    await client.end().catch(() => {});
  }
}

/**
 * Keeps other processes from migrating this database until the session ends or unlocks.
 * @throws StartError where the server is too old
 */
export async function lockMigrations(client: pg.Client): Promise<void> {
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
  await client.query(`SELECT pg_advisory_lock(${migrationLock})`);
}

export async function unlockMigrations(client: pg.Client): Promise<void> {
  await client.query(`SELECT pg_advisory_unlock(${migrationLock})`);
}

/** Makes the table that tells which migrations have landed. */
export async function createRecord(client: pg.Client): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       number integer PRIMARY KEY,
       name text NOT NULL,
       checksum text NOT NULL,
       program_version text NOT NULL,
       applied_at timestamptz NOT NULL
     )`,
  );
}

export async function landedMigrations(client: pg.Client): Promise<LandedMigration[]> {
  const { rows } = await client.query<LandedMigration>(landedText);
  return rows;
}

/**
 * The names of the migrations that a database lacks; nothing is applied.
 * @throws StartError as {@link migrate}, where the files and the database do not fit
 */
export async function lackingMigrations(database: Queryable): Promise<string[]> {
  const migrations = await readMigrations();
  const landed = await database
    .query<LandedMigration>({ text: landedText })
    .catch((error: pg.DatabaseError) => {
      const undefinedTable = '42P01';
      if (error.code === undefinedTable) return [];
      throw error;
    });
  return notLanded(migrations, landed).map(({ name }) => name);
}

function notLanded(migrations: Migration[], landed: LandedMigration[]): Migration[] {
  for (const { number, name, checksum, program_version } of landed) {
    const migration = migrations[number - 1];
    if (!migration) {
      throw new StartError(
        `The database is newer than this program: Zimbo ${program_version} applied ${name} to it, which this one does not know.`,
        `Start Zimbo ${program_version} or later.`,
      );
    }
    if (migration.name !== name || migration.checksum !== checksum) {
      throw new StartError(
        `The migration ${migration.name} was changed after it had been applied to this database${migration.name === name ? '' : ` as ${name}`}.`,
        'Restore the file as it was, and make the change in a new migration.',
      );
    }
  }
  const numbers = new Set(landed.map(({ number }) => number));
  return migrations.filter(({ number }) => !numbers.has(number));
}

async function apply(client: pg.Client, migration: Migration, by: Applied): Promise<void> {
  await client.query('BEGIN');
  try {
    await runMigration(client, migration, by);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * Applies one migration within the caller's transaction.
 * @param by what is recorded; nothing is, where the record comes from elsewhere
 * @throws StartError which says what the server refused
 */
export async function runMigration(
  client: pg.Client,
  { number, name, checksum, sql }: Migration,
  by?: Applied,
): Promise<void> {
  try {
    await client.query(sql);
    if (!by) return;
    await client.query(
      `INSERT INTO schema_migrations (number, name, checksum, program_version, applied_at)
       VALUES ($1, $2, $3, $4, $5)`,
      [number, name, checksum, by.programVersion, by.now],
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
      return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
