import pg from 'pg';
import { primaryUrlOf } from '../../../platform/postgres/primary.ts';

/** That nobody else works on the move of a merchant. */
export interface MoveLock {
  release(): Promise<void>;
}

export interface LockTiming {
  /** The server takes a connection for dead that says nothing for so long: the process may be frozen. */
  idleMs: number;
  pingMs: number;
}

const usual: LockTiming = { idleMs: 15_000, pingMs: 3_000 };

/**
 * Whether somebody has the lock of a merchant, as a condition of SQL, for whoever may only read.
 * @param merchantId an expression
 */
export const isLockedSql = (merchantId: string) => `EXISTS (
  SELECT FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32) + objid::bigint = hashtextextended('move ' || ${merchantId}, 43))`;

/**
 * One process at a time moves a merchant, or finishes what another left; undefined while one does. The lock is lost with
 * the connection, and of a process that hangs as well: its kernel would answer for it without end.
 */
export async function lockMove(
  homeUrl: string,
  merchantId: string,
  { idleMs, pingMs } = usual,
): Promise<MoveLock | undefined> {
  const client = new pg.Client({
    connectionString: await primaryUrlOf(homeUrl),
    connectionTimeoutMillis: 10_000,
    // Of a server that hangs, gateways that come by would keep one connection after the other.
    query_timeout: 10_000,
    keepAlive: true,
    application_name: 'zimbo cells move',
  });
  // Who has lost it need not hear of it: each step is a compare-and-set as well, on the run that it belongs to.
  client.on('error', () => {});
  const end = () => client.end().catch(() => {});
  try {
    await client.connect();
    await client.query(`SET idle_session_timeout = ${idleMs}`);
    const text = 'SELECT pg_try_advisory_lock(hashtextextended($1, 43)) AS locked';
    const { rows } = await client.query<{ locked: boolean }>(text, [`move ${merchantId}`]);
    if (!rows[0]!.locked) {
      await end();
      return undefined;
    }
  } catch (error) {
    await end();
    throw error;
  }
  const pings = setInterval(() => void client.query('SELECT 1').catch(() => {}), pingMs);
  const stop = () => clearInterval(pings);
  client.on('end', stop);
  return {
    async release() {
      stop();
      await end();
    },
  };
}
