import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { isOfProcess, type MetricJson } from '../../platform/observability/aggregate-metrics.ts';
import type { Cell } from '../../tenants/cells/cell.ts';
import { migrateCell } from '../../tenants/cells/migrate.ts';
import { compose, type Gateway } from '../compose.ts';
import type { GatewayOptions } from '../gateway-options.ts';
import type { Machine } from '../shared-resources.ts';
import { whenDatabaseAnswers } from '../storage.ts';

/** The gateway of a further cell. */
export class ServedCell {
  readonly gateway: Gateway;
  readonly #cell: Cell;
  readonly #log: Logger;

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

  /** @throws StartError where the cell is not there, or its database does not answer for a minute */
  async prepare(): Promise<void> {
    const { database, http, operations } = this.gateway;
    const tell = (words: string) => this.#log.warn(words);
    await whenDatabaseAnswers(this.#log, () =>
      migrateCell(this.#cell, { database, now: new Date(), tell }),
    );
    await this.gateway.prepare();
    await http.ready();
    await operations?.ready();
  }

  /** @param isForOperations the request came to the listener of operations, where there is one */
  take(request: IncomingMessage, response: ServerResponse, isForOperations: boolean): void {
    const { http, operations } = this.gateway;
    const { server } = isForOperations && operations ? operations : http;
    // With the pages of the console, which stand before the routes.
    server.emit('request', request, response);
  }

  /** What this process has counted in it; the figures of the process are the home's. */
  async metrics(): Promise<MetricJson[]> {
    return (await this.gateway.metrics()).filter((metric) => !isOfProcess(metric));
  }

  /** With what is read from its database: for the one process that is asked, since all read the same. */
  async allMetrics(): Promise<MetricJson[]> {
    const all = await this.gateway.allMetrics();
    return all.filter((metric) => !isOfProcess(metric));
  }
}
