import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../errors/start-error.ts';

/** How long a change of the schema waits for locks of other sessions. */
export interface LockTimeouts {
  /** For each lock. Requests queue behind the waiting change, so this is less than their statement timeout. */
  lockMs: number;
  /** The pause between tries, in which requests continue. */
  intervalsMs: number[];
}

/**
 * Two seconds exceed `deadlock_timeout`, after which PostgreSQL cancels an autovacuum that is in the way. In total
 * some four and a half minutes.
 */
const usualTimeouts: LockTimeouts = {
  lockMs: 2_000,
  intervalsMs: [1, 2, 4, 8, 15, 30, 30, 30, 30, 30, 30, 30].map((seconds) => seconds * 1_000),
};

export interface SchemaChangeOptions {
  /** Receives what the change waits for, as text. */
  report?: ((words: string) => void) | undefined;
  lockTimeouts?: LockTimeouts | undefined;
}

/** A process frozen in the middle would keep its locks, and everybody else would wait behind them. */
const idleMs = 3_000;

const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/**
 * Changes the schema in a transaction that gives up quickly if it cannot get a lock, and retries: a change that waits
 * for a long transaction blocks everybody who comes after it.
 * @param what the change, as the beginning of a sentence
 * @throws StartError if the last try had to give way, too
 */
export async function changeSchema(
  client: pg.Client,
  what: string,
  change: () => Promise<void>,
  { report, lockTimeouts = usualTimeouts }: SchemaChangeOptions,
): Promise<void> {
  for (const intervalMs of [...lockTimeouts.intervalsMs, undefined]) {
    const failure = await tryOnce(client, change, lockTimeouts.lockMs);
    if (!failure) return;
    const holders = await findLockHolders(client, failure.since);
    if (intervalMs === undefined) throw gaveUpError(what, holders, failure.error);
    report?.(`${what} waits for ${describeHolders(holders)}. Next try in ${intervalMs / 1_000} s.`);
    await delay(intervalMs);
  }
}

interface Failure {
  error: unknown;
  /** The server's time when the try began. */
  since: string;
}

/** @returns the error, if a lock was in the way */
async function tryOnce(
  client: pg.Client,
  change: () => Promise<void>,
  lockMs: number,
): Promise<Failure | undefined> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ since: string }>('SELECT now()::text AS since');
  try {
    await client.query(`SET LOCAL lock_timeout = ${lockMs}`);
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`);
    await change();
    await client.query('COMMIT');
    return undefined;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    if (isInTheWay(error)) return { error, since: rows[0]!.since };
    throw error;
  }
}

function isInTheWay(error: unknown): boolean {
  const cause = error instanceof StartError ? error.cause : error;
  const code = cause instanceof pg.DatabaseError ? cause.code : undefined;
  return code === lockNotAvailable || code === deadlockDetected;
}

interface Holder {
  /** Null for a prepared transaction, which has no session. */
  pid: number | null;
  program: string | null;
  state: string | null;
  seconds: number | null;
  tables: string[];
}

/** The transactions that have held locks on our tables since before the try. Later ones have waited behind it. */
async function findLockHolders(client: pg.Client, since: string): Promise<Holder[]> {
  const { rows } = await client.query<Holder>(
    `SELECT l.pid, a.application_name AS program, a.state,
       extract(epoch FROM clock_timestamp() - a.xact_start)::integer AS seconds,
       array_agg(DISTINCT c.relname::text ORDER BY c.relname::text) AS tables
     FROM pg_locks l
     JOIN pg_class c ON c.oid = l.relation AND c.relkind = 'r'
       AND c.relnamespace = current_schema()::regnamespace
     LEFT JOIN pg_stat_activity a USING (pid)
     WHERE l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       -- A transaction that has ended since its lock was read holds nothing any more.
       AND (l.pid IS NULL OR a.xact_start < $1)
     GROUP BY l.pid, l.virtualtransaction, a.application_name, a.state, a.xact_start
     ORDER BY a.xact_start NULLS LAST LIMIT 3`,
    [since],
  );
  return rows;
}

function describeHolders(holders: Holder[]): string {
  if (holders.length === 0) return 'a transaction that has ended, or has only begun meanwhile';
  return holders.map(describeHolder).join('; or for ');
}

function describeHolder({ pid, program, state, seconds, tables }: Holder): string {
  const more = tables.length > 3 ? ` and ${tables.length - 3} more` : '';
  const held = `which holds ${tables.slice(0, 3).join(', ')}${more}`;
  if (pid === null) return `a prepared transaction (see pg_prepared_xacts), ${held}`;
  const known = [program, state, seconds !== null && `${seconds} s old`].filter(Boolean);
  return `the transaction of process ${pid} (${known.join(', ')}), ${held}`;
}

function gaveUpError(what: string, holders: Holder[], cause: unknown): StartError {
  const ends = holders.flatMap(({ pid }) => (pid === null ? [] : `pg_terminate_backend(${pid})`));
  return new StartError(
    `${what} gave up, and left nothing behind: it still waits for ${describeHolders(holders)}.`,
    ends.length > 0
      ? `Wait for that to end, or end it with SELECT ${ends.join(', ')}, and start again. Running gateways are not affected.`
      : 'Start again. Running gateways are not affected.',
    { cause },
  );
}
