import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../errors/start-error.ts';
import { expectUsable } from './check-database.ts';
import { distributeSchema, isDistributed } from './citus.ts';
import { changeIndex, inTransaction } from './concurrent-indexes.ts';
import type { Queryable } from './database.ts';
import { type GiveWayOptions, givingWay } from './lock-timeouts.ts';
import {
  type Comparison,
  compare,
  type LandedMigration,
  landedText,
  newerWords,
  ownVersion,
} from './migration-comparison.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { primaryUrlOf } from './primary.ts';
import { creatingTables } from './privileges.ts';
import { statementsOf } from './split-statements.ts';
import { citusSchemaOf } from './url-options.ts';

/** Which program applies a migration, and when. */
export interface Applied {
  programVersion: string;
  now: Date;
}

const connectLimitMs = 10_000;
/** One lock per database: several gateways that start together apply each file once. */
const migrationLock = '2053729634, 3';
const lockIntervalMs = 250;

export interface MigrateOptions extends GiveWayOptions {
  directory?: string;
  /** By default, this program's. */
  programVersion?: string;
  /** Breaks it off; what was not finished is as it was. */
  signal?: AbortSignal;
  now: Date;
  /**
   * Applies contractions as well. Within the transaction of each, before anything is changed, it must refuse where a
   * program runs that is older than that, and keep others from beginning to run until the transaction ends.
   * @throws StartError where one runs
   */
  contract?: (transaction: Queryable, migration: Migration) => Promise<void>;
  /** Between two words on how far an index is. */
  progressIntervalMs?: number;
}

/**
 * Applies the migrations that this database lacks: each in a transaction of its own, except for indexes that are made
 * while others write. Contractions wait until they are asked for, unless the database is new.
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
  await expectUsable(databaseUrl);
  const url = await primaryUrlOf(databaseUrl);
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectLimitMs,
    application_name: 'zimbo migrate',
  });
  // A query in flight reports a lost connection itself.
  client.on('error', () => {});
  const { signal } = options;
  // A statement that is under way fails with it.
  const breakOff = () => void client.end().catch(() => {});
  signal?.addEventListener('abort', breakOff);
  try {
    signal?.throwIfAborted();
    await client.connect();
    const citusSchema = citusSchemaOf(url);
    // Whoever lacks nothing need not wait for others, who may be at work in another schema of this database.
    if (await isUpToDate(client, { migrations, programVersion, citusSchema, options }))
      return { applied: [] };
    await lockMigrations(client, options.tell);
    await givingWay(client, 'The record of migrations', () => createRecord(client), options);
    const comparison = compare(migrations, await landedMigrations(client), programVersion);
    const { unknown } = comparison;
    if (unknown.length > 0) options.tell?.(newerWords(unknown, programVersion));
    const due = dueNow(comparison, options);
    const isOnNode = citusSchema !== undefined && (await isDistributed(client, citusSchema));
    const by = { programVersion, now: options.now };
    for (const migration of due) await apply({ client, url, by, isOnNode }, migration, options);
    if (citusSchema !== undefined && !isOnNode) await distributeSchema(client, citusSchema);
    return { applied: due.map(({ name }) => name) };
  } finally {
    signal?.removeEventListener('abort', breakOff);
    // The lock ends with the session.
    const ended = client.end().catch(() => {});
    if (!signal?.aborted) await ended;
  }
}

/** Whether there is nothing to apply, and nothing to tell of. */
async function isUpToDate(
  client: pg.Client,
  {
    migrations,
    programVersion,
    citusSchema,
    options,
  }: {
    migrations: Migration[];
    programVersion: string;
    citusSchema: string | undefined;
    options: MigrateOptions;
  },
): Promise<boolean> {
  const text = `SELECT to_regclass('schema_migrations') IS NOT NULL AS "isThere"`;
  if (!(await client.query<{ isThere: boolean }>(text)).rows[0]!.isThere) return false;
  const comparison = compare(migrations, await landedMigrations(client), programVersion);
  if (comparison.unknown.length > 0 || dueNow(comparison, options).length > 0) return false;
  return citusSchema === undefined || isDistributed(client, citusSchema);
}

/** Nobody works with a new database yet; else what contracts comes last, when the rest is done. */
function dueNow({ lacking, isNew }: Comparison, { contract }: MigrateOptions): Migration[] {
  if (isNew) return lacking;
  const contracts = lacking.filter(({ kind }) => kind === 'CONTRACTS');
  const others = lacking.filter(({ kind }) => kind !== 'CONTRACTS');
  return contract ? [...others, ...contracts] : others;
}

interface Session {
  client: pg.Client;
  url: string;
  by: Applied;
  /** Citus has the tables, and takes one statement at a time. */
  isOnNode: boolean;
}

async function apply(
  { client, url, by, isOnNode }: Session,
  migration: Migration,
  options: MigrateOptions,
): Promise<void> {
  if (migration.kind === 'INDEXES') {
    return asStatement(migration, async () => {
      for (const statement of migration.statements)
        await changeIndex(client, statement, { ...options, databaseUrl: url });
      await record(client, migration, by);
    });
  }
  const change = async () => {
    if (migration.kind === 'CONTRACTS') await options.contract?.(queryableOf(client), migration);
    await runMigration(client, migration, by, isOnNode ? statementsOf(migration.sql) : undefined);
  };
  await givingWay(client, `The migration ${migration.name}`, change, options);
}

/** For functions that ask in the transaction of a session. */
export const queryableOf = (client: pg.Client): Queryable => ({
  query: async <Row>({ text }: { text: string }, values: readonly unknown[] = []) =>
    (await client.query({ text, values: [...values] })).rows as Row[],
});

/**
 * Keeps other processes from migrating this database until the session ends or unlocks.
 * @param tell called with what it is waiting for, in words
 */
export async function lockMigrations(
  client: pg.Client,
  tell?: (words: string) => void,
): Promise<void> {
  // Limits that suit requests would break off a long migration or the wait for another process.
  await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
  if (await tryLock(client)) return;
  tell?.('Another process migrates this database: waiting until it is done.');
  // A session that waits in pg_advisory_lock has a snapshot meanwhile, and who makes an index concurrently waits for that.
  do await delay(lockIntervalMs);
  while (!(await tryLock(client)));
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_lock(${migrationLock}) AS locked`,
  );
  return rows[0]!.locked;
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

/**
 * Applies one migration within the caller's transaction; indexes, too, are made in it.
 * @param by what is recorded; nothing, if the record comes from elsewhere
 * @param statements its text in parts, where the server takes one statement at a time
 * @throws StartError which says what the server refused
 */
export function runMigration(
  client: pg.Client,
  migration: Migration,
  by?: Applied,
  statements: string[] = [textOf(migration)],
): Promise<void> {
  return asStatement(migration, async () => {
    for (const statement of statements) await client.query(statement);
    if (by) await record(client, migration, by);
  });
}

const textOf = ({ kind, sql }: Migration) => (kind === 'INDEXES' ? inTransaction(sql) : sql);

async function record(
  client: pg.Client,
  { number, name, checksum, oldestProgram }: Migration,
  by: Applied,
): Promise<void> {
  await client.query(
    `INSERT INTO schema_migrations (number, name, checksum, program_version, applied_at, oldest_program)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [number, name, checksum, by.programVersion, by.now, oldestProgram],
  );
}

async function asStatement(migration: Migration, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw isStatementError(error) ? failed(migration, error) : error;
  }
}

/** What the server said about the statement, other than that the session or the server ends. */
function isStatementError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !error.code?.startsWith('57P');
}

function failed({ name, kind, sql }: Migration, error: pg.DatabaseError): StartError {
  if (kind === 'INDEXES') {
    return new StartError(
      `The migration ${name} failed: ${error.message}. The index it was making is not in use.`,
      'Running gateways are not affected. The next start removes what is left of it, and tries again.',
      { cause: error },
    );
  }
  const line = error.position && sql.slice(0, Number(error.position)).split('\n').length;
  return new StartError(
    `The migration ${name} failed${line ? ` in line ${line}` : ''}, and left nothing behind: ${error.message.replace(/\.$/, '')}.`,
    error.hint,
    { cause: error },
  );
}
