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
export class PoolsOfCitus implements Pools {
  readonly #options: PoolsOptions;
  readonly #schema: string;
  readonly #coordinator: Pools;
  readonly #timer: NodeJS.Timeout;
  #present: { url: string; pool: pg.Pool } | undefined;
  #finding: Promise<pg.Pool> | undefined;
  readonly #leaving = new Set<pg.Pool>();
  readonly #ending = new Set<Promise<void>>();

  /** @param coordinator pools of one connection, to look up the node */
  constructor(options: PoolsOptions, schema: string, coordinator: Pools) {
    this.#options = options;
    this.#schema = schema;
    this.#coordinator = coordinator;
    this.#timer = setInterval(() => this.#watch(), watchIntervalMs).unref();
  }

  pool(): pg.Pool | Promise<pg.Pool> {
    return this.#present?.pool ?? this.#find();
  }

  lost(): void {
    this.#find().catch(() => {});
  }

  host(): string {
    return this.#present ? hostOf(this.#present.url) : addressOf(this.#options.url);
  }

  counts() {
    const pools = [...(this.#present ? [this.#present.pool] : []), ...this.#leaving];
    return {
      total: pools.reduce((sum, { totalCount }) => sum + totalCount, 0),
      idle: pools.reduce((sum, { idleCount }) => sum + idleCount, 0),
      waiting: pools.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#finding?.catch(() => {});
    await this.#coordinator.close();
    for (const pool of this.#leaving) this.#end(pool);
    await this.#present?.pool.end();
    await Promise.all(this.#ending);
  }

  #watch(): void {
    // Nobody has taken a connection from them since the last check: everybody who waited then has been served.
    for (const pool of this.#leaving) if (pool.waitingCount === 0) this.#end(pool);
    if (this.#present) this.#find().catch(() => {});
  }

  #find(): Promise<pg.Pool> {
    this.#finding ??= this.#ask().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #ask(): Promise<pg.Pool> {
    const coordinator = await this.#coordinator.pool();
    const { rows } = await coordinator.query<CitusNode>(nodeText, [this.#schema]);
    // If DATABASE_URL names several hosts, the one that takes writes.
    const url = coordinator.options.connectionString!;
    // Until Citus has the tables, they are on the coordinator.
    return this.#goTo(rows[0] ? urlOnNode(url, rows[0]) : url);
  }

  #goTo(url: string): pg.Pool {
    const previous = this.#present;
    if (previous?.url === url) return previous.pool;
    this.#present = { url, pool: this.#options.open({ connectionString: url }) };
    if (previous) {
      const [host, before] = [hostOf(url), hostOf(previous.url)];
      this.#options.log.warn(
        { host, before },
        'the cell has moved; connections now go to its new node',
      );
      this.#leaving.add(previous.pool);
    }
    return this.#present.pool;
  }

  #end(pool: pg.Pool): void {
    this.#leaving.delete(pool);
    const ended = pool.end().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }
}
