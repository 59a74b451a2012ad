import type { Logger } from 'pino';
import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { JobWorker } from '../../platform/jobs/worker.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { isDeadlock } from '../../platform/postgres/transient-errors.ts';
import { after, type Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { markChunkSettled } from './mark-settled.ts';
import { type PayDependencies, paySettlement } from './pay.ts';
import type { Payout } from './payout-file.ts';
import type { Settlement } from './settlement.ts';
import { claimDueSettlements } from './store.ts';

export interface SettlementWorkerDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  dispatcher: DeliveryDispatcher;
  payout: Payout;
  /** Longer than a chunk of payments may take; a payout may take as long. */
  leaseLengthMs: number;
  /** Wakes the worker when a watch sees new rows. */
  idleIntervalMs?: number | undefined;
}

const maxRunning = 4;
/** How long to rest after a chunk, as a multiple of the time that it took. */
const restShare = 0.4;
/** Settlements are rare, and announced to the process that creates them. */
const maxIntervalMs = 10_000;

/**
 * Takes settlements from the cut to the bank, and then marks their payments settled: in a queue of its own, since a
 * large settlement takes long, and no payout may wait for that.
 */
export class SettlementWorker {
  #dependencies: SettlementWorkerDependencies;
  #paying: JobWorker<Settlement>;
  #marking: JobWorker<Settlement>;
  #stopping = false;

  constructor(dependencies: SettlementWorkerDependencies) {
    this.#dependencies = dependencies;
    const wake = (atMs: number) => this.wake(atMs);
    const paying: PayDependencies = {
      ...dependencies,
      payoutLengthMs: dependencies.leaseLengthMs,
      wake,
    };
    this.#paying = this.#queue('PAY', (settlement) => paySettlement(paying, settlement));
    this.#marking = this.#queue('TELL', (settlement) => this.#tell(settlement));
  }

  start(): void {
    this.#paying.start();
    this.#marking.start();
  }

  /** A settlement whose payments are being marked is left to another process, or to the next start. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([this.#paying.stop(), this.#marking.stop()]);
  }

  wake(atMs: number): void {
    this.#paying.wake(atMs);
    this.#marking.wake(atMs);
  }

  #queue(work: 'PAY' | 'TELL', process: (settlement: Settlement) => Promise<void>) {
    const { database, clock, log, leaseLengthMs, idleIntervalMs } = this.#dependencies;
    return new JobWorker<Settlement>({
      name: work === 'PAY' ? 'payouts' : 'settlements',
      clock,
      log,
      leaseLengthMs,
      maxRunning: () => maxRunning,
      maxWaiting: maxRunning,
      claim: (nowMs, leaseMs, limit) => claimDueSettlements(database, nowMs, leaseMs, limit, work),
      process,
      maxIntervalMs,
      idleIntervalMs,
    });
  }

  async #tell(settlement: Settlement): Promise<void> {
    const { clock } = this.#dependencies;
    let left: Settlement | undefined = settlement;
    while (left && !this.#stopping) {
      const startedMs = clock.nowMs();
      left = await this.#markChunkSettled(left);
      // New payments share the disk and the processor: they come first.
      const restMs = Math.max(0, clock.nowMs() - startedMs) * restShare;
      await new Promise<void>((resolve) => after(clock, restMs, resolve));
    }
  }

  /** Other transactions change the same payments, and in a deadlock PostgreSQL aborts one of them. */
  async #markChunkSettled(settlement: Settlement): Promise<Settlement | undefined> {
    try {
      const { clock, leaseLengthMs } = this.#dependencies;
      return await markChunkSettled(this.#dependencies, settlement, clock.nowMs() + leaseLengthMs);
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      return this.#markChunkSettled(settlement);
    }
  }
}
