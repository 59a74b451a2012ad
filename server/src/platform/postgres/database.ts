import pg from 'pg';
import type { Logger } from 'pino';
import { Outages } from '../observability/outage.ts';
import { type Answer, DescribedOnce } from './described-once.ts';
import { openPools, type Pools } from './pools.ts';
import { isConnectionLoss, isOutage } from './transient-errors.ts';
import { withDefaults } from './url-options.ts';

/** A statement with a name is parsed and planned once per connection. A statement whose text varies has no name. */
export interface Statement {
  name?: string;
  text: string;
  /** Returns values in PostgreSQL's binary format: the text format of `bytea` would double its size in between. */
  binary?: true;
}

export interface Queryable {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** Runs the queries in one transaction on one connection; an exception rolls the transaction back. */
  transaction<T>(run: (transaction: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  connections(): { total: number; idle: number; waiting: number };
  /** For how many milliseconds the connections have gone to the present primary; infinite with a single host. */
  primaryAgeMs?: () => number;
}

const { builtins } = pg.types;
pg.types.setTypeParser(builtins.INT8, (text) => BigInt(text));
// All our numeric results are sums of whole numbers; fractions are cast to float8 in the statement.
pg.types.setTypeParser(builtins.NUMERIC, (text) => BigInt(text));
pg.types.setTypeParser(builtins.TIMESTAMPTZ, parseTimestampMs);
pg.types.setTypeParser(builtins.BYTEA, 'binary', (bytes) => bytes);

/**
 * Every connection uses UTC, so a timestamp reads `2026-11-21 07:52:45.123456+00`. Read digit by digit: a row of a list
 * has three, and Date.parse takes several times as long.
 */
function parseTimestampMs(text: string): number {
  const dot = 19;
  const end = text.length - 3;
  // Years before 1000 or after 9999, and infinity.
  if (text.charCodeAt(4) !== dash || text.charCodeAt(0) === zero || end < dot)
    return Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
  let fraction = 0;
  for (let index = dot + 1; index <= dot + 3; index++)
    fraction = fraction * 10 + (index < end ? digitAt(text, index) : 0);
  const year = 100 * twoDigitsAt(text, 0) + twoDigitsAt(text, 2);
  const month = twoDigitsAt(text, 5) - 1;
  const day = twoDigitsAt(text, 8);
  const hour = twoDigitsAt(text, 11);
  return Date.UTC(year, month, day, hour, twoDigitsAt(text, 14), twoDigitsAt(text, 17), fraction);
}

const dash = 0x2d;
const zero = 0x30;
const digitAt = (text: string, index: number) => text.charCodeAt(index) - zero;
const twoDigitsAt = (text: string, index: number) =>
  10 * digitAt(text, index) + digitAt(text, index + 1);

export interface DatabaseOptions {
  url: string;
  log: Logger;
  maxConnections: number;
  /** How long a query may wait for a connection: during an outage, requests fail quickly instead of hanging. */
  connectTimeoutMs?: number;
  statementTimeoutMs?: number;
  /** The server refuses all writes. */
  readOnly?: true;
  /** Reports that a connection was made, or has broken. */
  onConnection?: (change: 'made' | 'lost') => void;
}

/**
 * Opens a pool; the first query makes the first connection. If the URL names several hosts, the pool follows the
 * primary.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { log } = options;
  const outages = new Outages({ log, nowMs: () => performance.now(), host: () => pools.host() });
  const note = (error: unknown, pool?: pg.Pool) => {
    if (isOutage(error)) outages.failed(error);
    if (isConnectionLoss(error)) options.onConnection?.('lost');
    if (pool && isConnectionLoss(error)) pools.reportLost(pool);
  };
  const connectTimeoutMs = options.connectTimeoutMs ?? 2_000;
  const open = (config: pg.PoolConfig) => {
    const pool = openPool({ ...config, connectionTimeoutMillis: connectTimeoutMs }, options);
    // An idle connection broke. The next query gets another connection, or an error that explains the problem.
    pool.on('error', (error) => log.warn({ err: error }, 'a database connection broke'));
    pool.on('connect', (client) => {
      // The pool listens for errors of idle connections only, and replaces those. A connection can break at any other
      // time, too; without a listener, its error would end the process.
      client.on('error', (error) => note(error, pool));
      options.onConnection?.('made');
    });
    return pool;
  };
  const pools = openPools({ url: options.url, log, connectTimeoutMs, open });

  return {
    async query(statement, values) {
      const pool = await currentPool(pools, note);
      const rows = await run<never>(pool, (error) => note(error, pool), statement, values);
      outages.answered();
      return rows;
    },
    async transaction(work) {
      const pool = await currentPool(pools, note);
      const result = await transact(pool, (error) => note(error, pool), work);
      outages.answered();
      return result;
    },
    async close() {
      await pools.close();
      outages.close();
    },
    connections: () => pools.counts(),
    primaryAgeMs: () => pools.primaryAgeMs(),
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

/** Opens sessions with our settings. @param url of a single server */
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
 * The URL may have options of its own: those of a cell set the search path. Plans are made once per connection, often
 * before there are rows or statistics. Then an index scan seems to cost four times a sequential scan of one page; the
 * settings keep the planner from preferring sequential scans. The database or role may have another isolation, in which
 * each compare-and-set would fail beside another, or another way to read the backslashes in our statements.
 */
const startOptions = ({ readOnly }: Pick<DatabaseOptions, 'readOnly'>) =>
  `-c timezone=UTC -c datestyle=ISO -c bytea_output=hex -c default_transaction_isolation=read\\ committed -c standard_conforming_strings=on -c jit=off -c plan_cache_mode=force_generic_plan -c random_page_cost=1.1${readOnly ? ' -c default_transaction_read_only=on' : ''}`;

type RecordOutcome = (error: unknown) => void;

async function currentPool(pools: Pools, note: RecordOutcome): Promise<pg.Pool> {
  try {
    return await pools.pool();
  } catch (error) {
    note(error);
    throw error;
  }
}

async function transact<T>(
  pool: pg.Pool,
  note: RecordOutcome,
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
    // Further queries would wait behind the one that hangs, and so would the next user of the connection.
    broken = isConnectionLoss(error);
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
 * A transaction in place of a database: its statements are part of it, and nested transactions are savepoints. The
 * opener ends it.
 */
export const asDatabase = (transaction: Queryable): Database => ({
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
  note: RecordOutcome,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const { rows } = await submit(client, statement, values);
    return rows as Row[];
  } catch (error) {
    note(error);
    throw error;
  }
}

const isNamed = (statement: Statement): statement is Statement & { name: string } =>
  statement.name !== undefined;

function submit(
  client: pg.Pool | pg.PoolClient,
  statement: Statement,
  values: readonly unknown[],
): Promise<pg.QueryResult> {
  if (!isNamed(statement)) return client.query({ ...statement, values: values as unknown[] });
  const query = new DescribedOnce(statement, values);
  // A pool answers with a promise for any query; a client wants a callback for those of a class of ours.
  if (client instanceof pg.Pool) return client.query(query) as unknown as Promise<pg.QueryResult>;
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  const answer: Answer = (error, result) => (result ? resolve(result) : reject(error!));
  const answering = client as unknown as {
    query(query: DescribedOnce, values: undefined, answer: Answer): void;
  };
  answering.query(query, undefined, answer);
  return promise;
}

/** For statements over arrays: PostgreSQL reads the text as timestamptz. */
export function timestamp(ms: number): string;
export function timestamp(ms: number | null): string | null;
export function timestamp(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
