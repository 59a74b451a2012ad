import { Socket } from 'node:net';
import type pg from 'pg';
import type { Logger } from 'pino';
import { addressOf } from './address.ts';
import { CitusPools } from './citus-pools.ts';
import { hostOf, urlsOf } from './hosts.ts';
import { Primary } from './primary.ts';
import { citusSchemaOf } from './url-options.ts';

/** The source of connections: one host, or the primary among several. */
export interface Pools {
  /** The current pool; during a search for the primary, as soon as it is found. */
  pool(): pg.Pool | Promise<pg.Pool>;
  /** Reports that a connection was lost, or takes no writes. */
  reportLost(pool: pg.Pool): void;
  /** The current host, or the latest. */
  host(): string;
  counts(): { total: number; idle: number; waiting: number };
  /** For how many milliseconds the connections have gone to the present primary; infinite with a single host. */
  primaryAgeMs(): number;
  close(): Promise<void>;
}

export interface PoolsOptions {
  url: string;
  log: Logger;
  /** The time limit of a search for the primary. */
  connectTimeoutMs: number;
  /** Creates a connection pool for one host. */
  open: (config: pg.PoolConfig) => pg.Pool;
}

export function openPools(options: PoolsOptions): Pools {
  const citusSchema = citusSchemaOf(options.url);
  if (citusSchema === undefined) return openHostPools(options);
  const open = (config: pg.PoolConfig) =>
    options.open({ ...config, max: 1, allowExitOnIdle: true });
  return new CitusPools(options, citusSchema, openHostPools({ ...options, open }));
}

function openHostPools(options: PoolsOptions): Pools {
  return urlsOf(options.url).length === 1 ? openSinglePool(options) : new PrimaryPools(options);
}

function openSinglePool({ url, open }: PoolsOptions): Pools {
  const pool = open({ connectionString: url });
  return {
    pool: () => pool,
    reportLost: () => {},
    host: () => addressOf(url),
    counts: () => countsOf([pool]),
    primaryAgeMs: () => Number.POSITIVE_INFINITY,
    close: () => pool.end(),
  };
}

const countsOf = (pools: readonly pg.Pool[]) => ({
  total: pools.reduce((sum, { totalCount }) => sum + totalCount, 0),
  idle: pools.reduce((sum, { idleCount }) => sum + idleCount, 0),
  waiting: pools.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
});

/** One pool at a time: the primary's. */
class PrimaryPools implements Pools {
  readonly #options: PoolsOptions;
  readonly #primary: Primary;
  #current: { url: string; pool: pg.Pool; sockets: Set<Socket> } | undefined;
  #primarySinceMs = performance.now();
  /** The pools of former primaries. */
  readonly #closing = new Map<pg.Pool, Promise<void>>();

  constructor(options: PoolsOptions) {
    this.#options = options;
    const onChange = (url: string) => this.#switchTo(url);
    this.#primary = new Primary(options.url, { log: options.log, onChange });
  }

  pool(): pg.Pool | Promise<pg.Pool> {
    const url = this.#primary.find(this.#options.connectTimeoutMs);
    return typeof url === 'string' ? this.#current!.pool : url.then(() => this.#current!.pool);
  }

  reportLost(pool: pg.Pool): void {
    if (pool === this.#current?.pool) this.#primary.doubt();
  }

  host(): string {
    return this.#current ? hostOf(this.#current.url) : addressOf(this.#options.url);
  }

  counts() {
    return countsOf([...(this.#current ? [this.#current.pool] : []), ...this.#closing.keys()]);
  }

  primaryAgeMs(): number {
    return performance.now() - this.#primarySinceMs;
  }

  async close(): Promise<void> {
    await this.#primary.close();
    await this.#current?.pool.end();
    await Promise.all(this.#closing.values());
  }

  #switchTo(url: string): void {
    const previous = this.#current;
    if (previous?.url === url) return;
    const sockets = new Set<Socket>();
    const pool = this.#options.open({ connectionString: url, stream: () => socketOf(sockets) });
    this.#current = { url, pool, sockets };
    this.#primarySinceMs = performance.now();
    if (!previous) return;
    const [host, before] = [hostOf(url), hostOf(previous.url)];
    this.#options.log.warn(
      { host, before },
      'another host is the primary; connections now go there',
    );
    this.#abandon(previous);
  }

  /**
   * Commits that the old primary still confirms could be lost with it, so nobody waits for them: the outcome is
   * unknown.
   */
  #abandon({ pool, sockets }: { pool: pg.Pool; sockets: Set<Socket> }): void {
    const ended = pool.end().finally(() => this.#closing.delete(pool));
    this.#closing.set(pool, ended);
    for (const socket of sockets) socket.destroy();
  }
}

function socketOf(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}
