import type pg from 'pg';
import { addressOf } from './address.ts';
import { type CitusNode, nodeText, urlOnNode } from './citus.ts';
import { hostOf } from './hosts.ts';
import type { Pools, PoolsOptions } from './pools.ts';

const watchIntervalMs = 1_000;

/**
 * Connection pools straight to the node that holds a cell's schema. The coordinator is asked for the node at the
 * start and then every second. After a move, new connections go to the new node; statements in flight on the old node
 * finish there, through Citus. While the coordinator is unreachable, the pools stay.
 */
export class CitusPools implements Pools {
  readonly #options: PoolsOptions;
  readonly #schema: string;
  readonly #coordinator: Pools;
  readonly #timer: NodeJS.Timeout;
  #current: { url: string; pool: pg.Pool } | undefined;
  /** The last change of the cell's node: its primary may have been replaced by a standby. */
  #movedAtMs = Number.NEGATIVE_INFINITY;
  #lookup: Promise<pg.Pool> | undefined;
  readonly #draining = new Set<pg.Pool>();
  readonly #closing = new Set<Promise<void>>();

  /** @param coordinator pools of one connection, to look up the node */
  constructor(options: PoolsOptions, schema: string, coordinator: Pools) {
    this.#options = options;
    this.#schema = schema;
    this.#coordinator = coordinator;
    this.#timer = setInterval(() => this.#watch(), watchIntervalMs).unref();
  }

  pool(): pg.Pool | Promise<pg.Pool> {
    return this.#current?.pool ?? this.#lookUp();
  }

  reportLost(): void {
    this.#lookUp().catch(() => {});
  }

  host(): string {
    return this.#current ? hostOf(this.#current.url) : addressOf(this.#options.url);
  }

  counts() {
    const pools = [...(this.#current ? [this.#current.pool] : []), ...this.#draining];
    return {
      total: pools.reduce((sum, { totalCount }) => sum + totalCount, 0),
      idle: pools.reduce((sum, { idleCount }) => sum + idleCount, 0),
      waiting: pools.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
    };
  }

  primaryAgeMs(): number {
    return Math.min(this.#coordinator.primaryAgeMs(), performance.now() - this.#movedAtMs);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lookup?.catch(() => {});
    await this.#coordinator.close();
    for (const pool of this.#draining) this.#closePool(pool);
    await this.#current?.pool.end();
    await Promise.all(this.#closing);
  }

  #watch(): void {
    // Nobody has taken a connection from them since the last check: everybody who waited then has been served.
    for (const pool of this.#draining) if (pool.waitingCount === 0) this.#closePool(pool);
    if (this.#current) this.#lookUp().catch(() => {});
  }

  #lookUp(): Promise<pg.Pool> {
    this.#lookup ??= this.#findNode().finally(() => {
      this.#lookup = undefined;
    });
    return this.#lookup;
  }

  async #findNode(): Promise<pg.Pool> {
    const coordinator = await this.#coordinator.pool();
    const { rows } = await coordinator.query<CitusNode>(nodeText, [this.#schema]);
    // If DATABASE_URL names several hosts, the one that takes writes.
    const url = coordinator.options.connectionString!;
    // Until Citus has the tables, they are on the coordinator.
    return this.#switchTo(rows[0] ? urlOnNode(url, rows[0]) : url);
  }

  #switchTo(url: string): pg.Pool {
    const previous = this.#current;
    if (previous?.url === url) return previous.pool;
    this.#current = { url, pool: this.#options.open({ connectionString: url }) };
    if (previous) {
      this.#movedAtMs = performance.now();
      const [host, before] = [hostOf(url), hostOf(previous.url)];
      this.#options.log.warn(
        { host, before },
        'the cell has moved; connections now go to its new node',
      );
      this.#draining.add(previous.pool);
    }
    return this.#current.pool;
  }

  #closePool(pool: pg.Pool): void {
    this.#draining.delete(pool);
    const ended = pool.end().finally(() => this.#closing.delete(ended));
    this.#closing.add(ended);
  }
}
