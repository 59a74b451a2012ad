import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { reasonOf } from '../../platform/errors/errors.ts';
import type { StartError } from '../../platform/errors/start-error.ts';
import { isOfProcess, type MetricJson } from '../../platform/observability/aggregate-metrics.ts';
import type { Cell } from '../../tenants/cells/cell.ts';
import { migrateCell } from '../../tenants/cells/migrate.ts';
import { compose, type Gateway } from '../compose.ts';
import type { GatewayOptions } from '../gateway-options.ts';
import type { Machine } from '../shared-resources.ts';

const retryMs = 1_000;
/** How long a start waits for a cell before it continues without it. */
const startWaitMs = 5_000;

/** The gateway of a further cell. */
export class ServedCell {
  readonly gateway: Gateway;
  readonly #cell: Cell;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #isPrepared = false;
  #hasWork = false;
  #preparing: Promise<void> | undefined;

  constructor(
    options: GatewayOptions,
    {
      cell,
      names,
      ...rest
    }: { cell: Cell; names: readonly string[]; home: Gateway; machine: Machine },
  ) {
    this.#cell = cell;
    this.#log = options.log.child({ cell: cell.name });
    this.gateway = compose({
      ...options,
      machine: { ...rest.machine, otherMetrics: undefined },
      databaseUrl: cell.url,
      log: this.#log,
      cell: { name: cell.name, home: rest.home.database },
      cells: { own: cell.name, names },
    });
  }

  /**
   * Starts to prepare the cell in the background: a node that is down must not keep the gateway
   * from serving the other cells. @param then runs once the cell is prepared
   */
  startPreparing(then: () => Promise<void>): void {
    this.#preparing = this.#prepare().then(() => (this.#isPrepared ? then() : undefined));
  }

  /** Resolves once the cell is prepared, or the start should not wait any longer. */
  async waitUntilPrepared(): Promise<void> {
    const { signal } = this.#stopping;
    await Promise.race([
      this.#preparing,
      delay(startWaitMs, undefined, { signal, ref: false }),
    ]).catch(() => {});
  }

  /**
   * @param isForOperations the request arrived at the operations listener @returns false if the
   * cell is not prepared yet
   */
  take(request: IncomingMessage, response: ServerResponse, isForOperations: boolean): boolean {
    if (!this.#isPrepared) return false;
    const { http, operations } = this.gateway;
    const { server } = isForOperations && operations ? operations : http;
    // This includes the console's handler, which stands in front of the routes.
    server.emit('request', request, response);
    return true;
  }

  startWorkers(): void {
    this.#hasWork = true;
    if (this.#isPrepared) this.gateway.startWorkers();
  }

  /** Stops taking requests, and ends connections that would stay open: pages with live updates. */
  async close(): Promise<void> {
    if (this.#isPrepared) await this.gateway.http.close();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#preparing;
    await this.gateway.stop();
  }

  async #prepare(): Promise<void> {
    const { signal } = this.#stopping;
    const { database, http, operations } = this.gateway;
    const report = (words: string) => this.#log.warn(words);
    let reportedReason: string | undefined;
    while (!signal.aborted) {
      try {
        await migrateCell(this.#cell, { database, now: new Date(), report, signal });
        await this.gateway.prepare();
        await http.ready();
        await operations?.ready();
        this.#isPrepared = true;
        if (this.#hasWork) this.gateway.startWorkers();
        return;
      } catch (error) {
        if (signal.aborted) return;
        const reason = reasonOf(error as Error);
        const { hint } = error as Partial<StartError>;
        if (reason !== reportedReason)
          this.#log.error({ reason, hint }, 'the cell cannot be served yet');
        reportedReason = reason;
        await delay(retryMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** This process's counts for the cell; metrics of the process itself belong to the home. */
  async metrics(): Promise<MetricJson[]> {
    return (await this.gateway.metrics()).filter((metric) => !isOfProcess(metric));
  }

  /**
   * With the metrics read from the cell's database. Only one process reports these, since all would
   * read the same.
   */
  async allMetrics(): Promise<MetricJson[]> {
    const all = await this.gateway.allMetrics();
    return all.filter((metric) => !isOfProcess(metric));
  }
}
