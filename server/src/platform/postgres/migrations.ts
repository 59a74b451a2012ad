import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../errors/start-error.ts';
import { expectUsable } from './check-database.ts';
import { distributeSchema, isDistributed } from './citus.ts';
import { changeIndex, inTransaction } from './concurrent-indexes.ts';
import type { Queryable } from './database.ts';
import { changeSchema, type SchemaChangeOptions } from './lock-timeouts.ts';
import {
  type AppliedMigration,
  appliedText,
  type Comparison,
  compare,
  describeNewer,
  ownVersion,
} from './migration-comparison.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { primaryUrlOf } from './primary.ts';
import { withCreatePrivilege } from './privileges.ts';
import { statementsOf } from './split-statements.ts';
import { citusSchemaOf } from './url-options.ts';

/** Which program applies a migration, and when. */
export interface AppliedBy {
  programVersion: string;
  now: Date;
}

const connectLimitMs = 10_000;
/** One lock per database: gateways that start together apply each file once. */
const migrationLock = '2053729634, 3';
const lockIntervalMs = 250;

export interface MigrateOptions extends SchemaChangeOptions {
  directory?: string;
  /** Default: this program's. */
  programVersion?: string;
  /** Aborts the run; an unfinished migration leaves nothing behind. */
  signal?: AbortSignal;
  now: Date;
  /**
   * Applies contractions, too. In the transaction of each, before any change, this callback must throw if a program
   * older than that version is running, and keep others from starting until the transaction ends.
   * @throws StartError if an older program is running
   */
  contract?: (transaction: Queryable, migration: Migration) => Promise<void>;
  /** The interval between two progress reports on an index. */
  progressIntervalMs?: number;
}

/**
 * Applies the missing migrations: each in its own transaction, except indexes created during writes. Contractions
 * wait until requested, unless the database is new.
 * @returns the names of the files applied now.
 * @throws StartError if the files, the database or the server do not fit; connection errors are rethrown unchanged,
 * so that the caller can retry
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
  // A lost connection fails the query in flight.
  client.on('error', () => {});
  const { signal } = options;
  // A statement in flight fails with it.
  const abort = () => void client.end().catch(() => {});
  signal?.addEventListener('abort', abort);
  try {
    signal?.throwIfAborted();
    await client.connect();
    const citusSchema = citusSchemaOf(url);
    // If nothing is missing, there is no need to wait for processes that migrate another schema of this database.
    if (await isUpToDate(client, { migrations, programVersion, citusSchema, options }))
      return { applied: [] };
    await lockMigrations(client, options.report);
    await changeSchema(client, 'The record of migrations', () => createRecord(client), options);
    const comparison = compare(migrations, await readAppliedMigrations(client), programVersion);
    const { unknown } = comparison;
    if (unknown.length > 0) options.report?.(describeNewer(unknown, programVersion));
    const due = migrationsToApply(comparison, options);
    const isOnNode = citusSchema !== undefined && (await isDistributed(client, citusSchema));
    const by = { programVersion, now: options.now };
    for (const migration of due) await apply({ client, url, by, isOnNode }, migration, options);
    if (citusSchema !== undefined && !isOnNode) await distributeSchema(client, citusSchema);
    return { applied: due.map(({ name }) => name) };
  } finally {
    signal?.removeEventListener('abort', abort);
    // The lock ends with the session.
    const ended = client.end().catch(() => {});
    if (!signal?.aborted) await ended;
  }
}

/** Whether there is nothing to apply, and nothing to report. */
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
  const comparison = compare(migrations, await readAppliedMigrations(client), programVersion);
  if (comparison.unknown.length > 0 || migrationsToApply(comparison, options).length > 0)
    return false;
  return citusSchema === undefined || isDistributed(client, citusSchema);
}

/** Nobody works with a new database yet; otherwise contractions come last. */
function migrationsToApply(
  { missing, isNew }: Comparison,
  { contract }: MigrateOptions,
): Migration[] {
  if (isNew) return missing;
  const contracts = missing.filter(({ kind }) => kind === 'CONTRACTS');
  const others = missing.filter(({ kind }) => kind !== 'CONTRACTS');
  return contract ? [...others, ...contracts] : others;
}

interface Session {
  client: pg.Client;
  url: string;
  by: AppliedBy;
  /** If Citus has the tables, it accepts only one statement at a time. */
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
  await changeSchema(client, `The migration ${migration.name}`, change, options);
}

/** For functions that query in the transaction of a session. */
export const queryableOf = (client: pg.Client): Queryable => ({
  query: async <Row>({ text }: { text: string }, values: readonly unknown[] = []) =>
    (await client.query({ text, values: [...values] })).rows as Row[],
});

/**
 * Keeps other processes from migrating this database until the session ends or unlocks.
 * @param report receives what it waits for, as text
 */
export async function lockMigrations(
  client: pg.Client,
  report?: (words: string) => void,
): Promise<void> {
  // Request timeouts would abort a long migration or the wait for another process.
  await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
  if (await tryLock(client)) return;
  report?.('Another process is migrating this database: waiting for it to finish.');
  // A session that waits in pg_advisory_lock holds a snapshot, for which CREATE INDEX CONCURRENTLY would wait.
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

/** Creates the table that records applied migrations. */
export async function createRecord(client: pg.Client): Promise<void> {
  await withCreatePrivilege(client, () => client.query(recordText));
  const { rows } = await client.query(
    `SELECT FROM pg_attribute
     WHERE attrelid = 'schema_migrations'::regclass AND attname = 'oldest_program' AND NOT attisdropped`,
  );
  // Even if it adds nothing, ALTER TABLE waits for every reader of the table, and for the end of a backup.
  if (rows.length > 0) return;
  await client.query('ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS oldest_program text');
}

export async function readAppliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(appliedText);
  return rows;
}

/**
 * Applies one migration in the caller's transaction, including its indexes.
 * @param by the recorded program; undefined if the record comes from elsewhere
 * @param statements its text in parts, if the server accepts only one statement at a time
 * @throws StartError with the server's reason
 */
export function runMigration(
  client: pg.Client,
  migration: Migration,
  by?: AppliedBy,
  statements: string[] = [statementText(migration)],
): Promise<void> {
  return asStatement(migration, async () => {
    for (const statement of statements) await client.query(statement);
    if (by) await record(client, migration, by);
  });
}

const statementText = ({ kind, sql }: Migration) => (kind === 'INDEXES' ? inTransaction(sql) : sql);

async function record(
  client: pg.Client,
  { number, name, checksum, oldestProgram }: Migration,
  by: AppliedBy,
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

/** The server's error about the statement, unless it reports that the session or the server ends. */
function isStatementError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !error.code?.startsWith('57P');
}

function failed({ name, kind, sql }: Migration, error: pg.DatabaseError): StartError {
  if (kind === 'INDEXES') {
    return new StartError(
      `The migration ${name} failed: ${error.message}. The unfinished index is not in use.`,
      'Running gateways are not affected. The next start removes its remains and tries again.',
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
