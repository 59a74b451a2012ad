import type { Logger } from 'pino';
import type { Database } from '../../platform/postgres/database.ts';
import { type HeldDelivery, releaseDeliveries } from './delivery-store.ts';

export interface DeliveryReleaserDependencies {
  database: Database;
  log: Logger;
  /** How long the leases of all of them are. */
  leaseLengthMs: number;
  /** These are due for anybody now. */
  onReleased: (deliveries: readonly HeldDelivery[]) => void;
}

const maxTogether = 1_000;
/** With so many to write, no more leases are taken. */
const manyWaiting = 20_000;

/** Gives deliveries back that this process holds and does not take into memory, many with one statement. */
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

  /** Ends when all that was released is written. */
  async stop(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { database, log, leaseLengthMs, onReleased } = this.#dependencies;
    // One turn of the event loop gathers what a statement has written and the memory does not hold.
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
