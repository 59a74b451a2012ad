import type { Logger } from 'pino';
import type { Database } from '../../platform/postgres/database.ts';
import { type HeldDelivery, releaseDeliveries } from './delivery-store.ts';

export interface DeliveryReleaserDependencies {
  database: Database;
  log: Logger;
  /** The length of their leases. */
  leaseLengthMs: number;
  /** Announces that these deliveries are due for any process. */
  onReleased: (deliveries: readonly HeldDelivery[]) => void;
}

const maxTogether = 1_000;
/** With this many to write, the worker claims no more. */
const manyWaiting = 20_000;

/** Releases deliveries that this process has leased but cannot hold in memory, many with one statement. */
export class DeliveryReleaser {
  #dependencies: DeliveryReleaserDependencies;
  #waiting: HeldDelivery[] = [];
  #writing: Promise<void> | undefined;

  constructor(dependencies: DeliveryReleaserDependencies) {
    this.#dependencies = dependencies;
  }

  release({ tenantId, endpointId, eventId, dueAtMs }: HeldDelivery): void {
    this.#waiting.push({ tenantId, endpointId, eventId, dueAtMs });
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  isBehind(): boolean {
    return this.#waiting.length >= manyWaiting;
  }

  /** Resolves when everything released so far is written. */
  async stop(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { database, log, leaseLengthMs, onReleased } = this.#dependencies;
    // One turn of the event loop collects all deliveries of a statement that memory cannot hold.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const deliveries = this.#waiting.splice(0, maxTogether);
      try {
        await releaseDeliveries(database, deliveries, leaseLengthMs);
        onReleased(deliveries);
      } catch (error) {
        // They come due when their leases end.
        log.warn({ err: error, count: deliveries.length }, 'deliveries could not be given back');
      }
    }
  }
}
