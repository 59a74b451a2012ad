import pg from 'pg';
import { StartError } from '../errors/start-error.ts';

/** A statement of a migration that creates or drops an index while the table is written. */
export interface IndexStatement {
  does: 'CREATE' | 'DROP';
  index: string;
  sql: string;
}

export interface ProgressOptions {
  /** The connection of a second session, which reads the progress. */
  databaseUrl: string;
  /** Receives the progress, and what the statement waits for, as text. */
  report?: ((words: string) => void) | undefined;
  progressIntervalMs?: number | undefined;
}

const usualProgressIntervalMs = 5_000;
const createShape = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY ([a-z_][a-z0-9_]*)\s+ON\s/;
const dropShape = /^DROP INDEX CONCURRENTLY ([a-z_][a-z0-9_]*)$/;

/** @throws StartError if the file contains any other statement */
export function parseIndexStatements(name: string, sql: string): IndexStatement[] {
  const code = sql.replaceAll(/^\s*--.*$/gm, '');
  const statements = code.split(';').map((statement) => statement.trim());
  return statements.filter(Boolean).map((statement) => {
    const created = createShape.exec(statement)?.[1];
    const dropped = dropShape.exec(statement)?.[1];
    if (created !== undefined) return { does: 'CREATE', index: created, sql: statement };
    if (dropped !== undefined) return { does: 'DROP', index: dropped, sql: statement };
    throw new StartError(
      `The migration ${name} may only contain statements of two forms, CREATE [UNIQUE] INDEX CONCURRENTLY name ON … and DROP INDEX CONCURRENTLY name, but contains: ${statement.slice(0, 100)}`,
    );
  });
}

/** For a table that nobody uses yet: in a transaction, immediately. */
export const inTransaction = (sql: string) => sql.replaceAll('INDEX CONCURRENTLY', 'INDEX');

/**
 * Creates or drops an index while others write to the table. A repeated run continues after an interruption: it drops
 * an invalid index first, and keeps a valid one.
 */
export async function changeIndex(
  client: pg.Client,
  { does, index, sql }: IndexStatement,
  options: ProgressOptions,
): Promise<void> {
  const state = await stateOf(client, index);
  if (does === 'DROP') {
    if (state !== 'missing') await client.query(sql);
    return;
  }
  if (state === 'valid') return;
  if (state === 'invalid') {
    options.report?.(`The index ${index} is unfinished: dropping it before creating it again.`);
    await client.query(`DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(index)}`);
  }
  await using _progress = await reportProgress(client, index, options);
  await client.query(sql);
}

async function stateOf(client: pg.Client, index: string): Promise<'missing' | 'invalid' | 'valid'> {
  const { rows } = await client.query<{ valid: boolean }>(
    `SELECT i.indisvalid AND i.indisready AS valid FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
     WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace`,
    [index],
  );
  if (rows.length === 0) return 'missing';
  return rows[0]!.valid ? 'valid' : 'invalid';
}

interface Progress {
  phase: string;
  percent: number | null;
  /** The process id of the session that blocks it. */
  waitsFor: number | null;
}

const progressText = `
SELECT phase, (100 * greatest(blocks_done::float8 / nullif(blocks_total, 0),
    tuples_done::float8 / nullif(tuples_total, 0)))::integer AS percent,
  nullif(current_locker_pid, 0)::integer AS "waitsFor"
FROM pg_stat_progress_create_index WHERE pid = $1`;

/** Reads another session's progress in a session of its own, until disposed. */
async function reportProgress(
  client: pg.Client,
  index: string,
  { databaseUrl, report, progressIntervalMs = usualProgressIntervalMs }: ProgressOptions,
): Promise<AsyncDisposable> {
  if (!report) return { async [Symbol.asyncDispose]() {} };
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  let pollProgress: Promise<void> | undefined;
  const ask = async () => {
    const progress = await readProgress(databaseUrl, rows[0]!.pid);
    if (progress) report(describeProgress(index, progress));
  };
  const timer = setInterval(() => {
    // Progress is only reported; the session that creates the index reports success or failure.
    pollProgress ??= ask()
      .catch(() => {})
      .finally(() => {
        pollProgress = undefined;
      });
  }, progressIntervalMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await pollProgress;
    },
  };
}

async function readProgress(databaseUrl: string, pid: number): Promise<Progress | undefined> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 5_000,
    application_name: 'zimbo migrate',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Progress>(progressText, [pid])).rows[0];
  } finally {
    await client.end().catch(() => {});
  }
}

function describeProgress(index: string, { phase, percent, waitsFor }: Progress): string {
  const done = percent === null ? '' : `, ${Math.min(percent, 100)} %`;
  const waits = waitsFor === null ? '' : `, for the transaction of process ${waitsFor} to end`;
  return `Creating the index ${index}: ${phase}${done}${waits}. Writes to the table continue meanwhile.`;
}
