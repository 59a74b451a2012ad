import pg from 'pg';
import { StartError } from '../errors/start-error.ts';

/** One statement of a migration that makes or drops indexes while the table is written. */
export interface IndexStatement {
  does: 'CREATE' | 'DROP';
  index: string;
  sql: string;
}

export interface ProgressOptions {
  /** For a second session, which looks at how far the first has got. */
  databaseUrl: string;
  /** Called with how far it has got and what it waits for, in words. */
  tell?: ((words: string) => void) | undefined;
  progressIntervalMs?: number | undefined;
}

const usualProgressIntervalMs = 5_000;
const createShape = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY ([a-z_][a-z0-9_]*)\s+ON\s/;
const dropShape = /^DROP INDEX CONCURRENTLY ([a-z_][a-z0-9_]*)$/;

/** @throws StartError if there is anything else in the file */
export function indexStatementsOf(name: string, sql: string): IndexStatement[] {
  const code = sql.replaceAll(/^\s*--.*$/gm, '');
  const statements = code.split(';').map((statement) => statement.trim());
  return statements.filter(Boolean).map((statement) => {
    const created = createShape.exec(statement)?.[1];
    const dropped = dropShape.exec(statement)?.[1];
    if (created !== undefined) return { does: 'CREATE', index: created, sql: statement };
    if (dropped !== undefined) return { does: 'DROP', index: dropped, sql: statement };
    throw new StartError(
      `The migration ${name} may have statements of two forms only, CREATE [UNIQUE] INDEX CONCURRENTLY name ON … and DROP INDEX CONCURRENTLY name, and has: ${statement.slice(0, 100)}`,
    );
  });
}

/** For a table that nobody uses yet: within a transaction, and at once. */
export const inTransaction = (sql: string) => sql.replaceAll('INDEX CONCURRENTLY', 'INDEX');

/**
 * Makes or drops one index while others write to the table. Run again, it goes on where it was broken off: an index
 * that was left invalid is dropped first, and one that is there stays.
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
    options.tell?.(
      `The index ${index} was left unfinished: it is dropped first, and then made anew.`,
    );
    await client.query(`DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(index)}`);
  }
  await using _progress = await tellProgress(client, index, options);
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
  /** Of the session that it waits for. */
  waitsFor: number | null;
}

const progressText = `
SELECT phase, (100 * greatest(blocks_done::float8 / nullif(blocks_total, 0),
    tuples_done::float8 / nullif(tuples_total, 0)))::integer AS percent,
  nullif(current_locker_pid, 0)::integer AS "waitsFor"
FROM pg_stat_progress_create_index WHERE pid = $1`;

/** Asks in a session of its own how far another one has got, until it is disposed of. */
async function tellProgress(
  client: pg.Client,
  index: string,
  { databaseUrl, tell, progressIntervalMs = usualProgressIntervalMs }: ProgressOptions,
): Promise<AsyncDisposable> {
  if (!tell) return { async [Symbol.asyncDispose]() {} };
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  let asking: Promise<void> | undefined;
  const ask = async () => {
    const progress = await progressOf(databaseUrl, rows[0]!.pid);
    if (progress) tell(progressWords(index, progress));
  };
  const timer = setInterval(() => {
    // It is only to be told of: whether the index is made is told by the session that makes it.
    asking ??= ask()
      .catch(() => {})
      .finally(() => {
        asking = undefined;
      });
  }, progressIntervalMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await asking;
    },
  };
}

async function progressOf(databaseUrl: string, pid: number): Promise<Progress | undefined> {
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

function progressWords(index: string, { phase, percent, waitsFor }: Progress): string {
  const done = percent === null ? '' : `, ${Math.min(percent, 100)} %`;
  const waits = waitsFor === null ? '' : `, for the transaction of process ${waitsFor} to end`;
  return `Making the index ${index}: ${phase}${done}${waits}. The table can be written meanwhile.`;
}
