import pg from 'pg';
import type { Logger } from 'pino';
import { Outages } from '../observability/outage.ts';
import { openPools, type Pools } from './pools.ts';
import { isLoss, isOutage } from './transient-errors.ts';
import { withDefaults } from './url-options.ts';

/** A statement with a name is parsed and planned once per connection; one whose text varies has none. */
export interface Statement {
  name?: string;
  text: string;
  /** The values come as PostgreSQL sends them in binary: for `bytea` without a text twice as long in between. */
  binary?: true;
}

export interface Queryable {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** Runs its queries in one transaction on one connection; an exception rolls it back. */
  transaction<T>(run: (transaction: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  connections(): { total: number; idle: number; waiting: number };
}

const { builtins } = pg.types;
pg.types.setTypeParser(builtins.INT8, (text) => BigInt(text));
// All of ours are sums of whole numbers; one with a fraction is cast to float8 where it is made.
pg.types.setTypeParser(builtins.NUMERIC, (text) => BigInt(text));
pg.types.setTypeParser(builtins.TIMESTAMPTZ, parseTimestampMs);
pg.types.setTypeParser(builtins.BYTEA, 'binary', (bytes) => bytes);

/** Every connection speaks UTC, so a timestamp reads `2026-11-21 07:52:45.123+00`. */
function parseTimestampMs(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

export interface DatabaseOptions {
  url: string;
  log: Logger;
  maxConnections: number;
  /** How long a query may wait for a connection: in an outage requests fail soon instead of hanging. */
  connectTimeoutMs?: number;
  statementTimeoutMs?: number;
  /** The server refuses every change. */
  readOnly?: true;
  /** A connection was made, or has broken. */
  onConnection?: (change: 'made' | 'lost') => void;
}

/** Opens a pool; no connection is made before the first query. Of several hosts it follows the primary. */
export function openDatabase(options: DatabaseOptions): Database {
  const { log } = options;
  const outages = new Outages({ log, nowMs: () => performance.now(), host: () => pools.host() });
  const note = (error: unknown, pool?: pg.Pool) => {
    if (isOutage(error)) outages.failed(error);
    if (isLoss(error)) options.onConnection?.('lost');
    if (pool && isLoss(error)) pools.lost(pool);
  };
  const connectTimeoutMs = options.connectTimeoutMs ?? 2_000;
  const open = (config: pg.PoolConfig) => {
    const pool = openPool({ ...config, connectionTimeoutMillis: connectTimeoutMs }, options);
    // Of one that was idle: the next to ask gets another, or says what is wrong.
    pool.on('error', (error) => log.warn({ err: error }, 'a database connection broke'));
    pool.on('connect', (client) => {
      // The pool hears the errors of idle connections only, and replaces these. One can break at any other
      // time as well, and in between: unheard, its error would end the process.
      client.on('error', (error) => note(error, pool));
      options.onConnection?.('made');
    });
    return pool;
  };
  const pools = openPools({ url: options.url, log, connectTimeoutMs, open });

  return {
    async query(statement, values) {
      const pool = await poolNow(pools, note);
      const rows = await run<never>(pool, (error) => note(error, pool), statement, values);
      outages.answered();
      return rows;
    },
    async transaction(work) {
      const pool = await poolNow(pools, note);
      const result = await transact(pool, (error) => note(error, pool), work);
      outages.answered();
      return result;
    },
    async close() {
      await pools.close();
      outages.close();
    },
    connections: () => pools.counts(),
  };
}

function openPool(config: pg.PoolConfig, options: DatabaseOptions): pg.Pool {
  return new pg.Pool({
    ...config,
    ...sessionConfig(config.connectionString!, options),
    max: config.max ?? options.maxConnections,
    keepAlive: true,
  });
}

/** How sessions are opened, and what they are given. @param url of a single server */
export const sessionConfig = (
  url: string,
  options: Pick<DatabaseOptions, 'statementTimeoutMs' | 'readOnly'> = {},
): pg.ClientConfig => ({
  connectionString: withDefaults(url, startOptions(options)),
  statement_timeout: options.statementTimeoutMs ?? 5_000,
  query_timeout: (options.statementTimeoutMs ?? 5_000) + 1_000,
  idle_in_transaction_session_timeout: 30_000,
  application_name: 'zimbo',
});

/**
 * An address may have options of its own: those of a cell say where its tables are. Plans are made once per connection,
 * often while the tables are still empty or nobody has counted them: a read by index, which then seems to cost as much
 * as four of a whole page, must not lose against reading all there is.
 */
const startOptions = ({ readOnly }: Pick<DatabaseOptions, 'readOnly'>) =>
  `-c timezone=UTC -c datestyle=ISO -c bytea_output=hex -c jit=off -c plan_cache_mode=force_generic_plan -c random_page_cost=1.1${readOnly ? ' -c default_transaction_read_only=on' : ''}`;

type Note = (error: unknown) => void;

async function poolNow(pools: Pools, note: Note): Promise<pg.Pool> {
  try {
    return await pools.pool();
  } catch (error) {
    note(error);
    throw error;
  }
}

async function transact<T>(
  pool: pg.Pool,
  note: Note,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    note(error);
    throw error;
  });
  let broken = false;
  try {
    await client.query('BEGIN');
    const result = await work({
      query: (statement, values) => run(client, note, statement, values),
    });
    await client.query('COMMIT');
    return result;
  } catch (error) {
    note(error);
    // Another query would wait behind one that hangs; and whoever gets such a connection next would fail as well.
    broken = isLoss(error);
    if (!broken) {
      await client.query('ROLLBACK').catch(() => {
        broken = true;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * A transaction where a database is asked for: its statements are part of it, and transactions in it are savepoints.
 * Whoever opened it ends it.
 */
export const inside = (transaction: Queryable): Database => ({
  query: (statement, values) => transaction.query(statement, values),
  async transaction(work) {
    await transaction.query({ text: 'SAVEPOINT inside' });
    try {
      const result = await work(transaction);
      await transaction.query({ text: 'RELEASE SAVEPOINT inside' });
      return result;
    } catch (error) {
      await transaction.query({ text: 'ROLLBACK TO SAVEPOINT inside' });
      throw error;
    }
  },
  close: async () => {},
  connections: () => ({ total: 1, idle: 0, waiting: 0 }),
});

async function run<Row>(
  client: pg.Pool | pg.PoolClient,
  note: Note,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const result = await client.query({ ...statement, values: values as unknown[] });
    return result.rows as Row[];
  } catch (error) {
    note(error);
    throw error;
  }
}

/** For statements over arrays: PostgreSQL reads this as timestamptz. */
export function timestamp(ms: number): string;
export function timestamp(ms: number | null): string | null;
export function timestamp(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
