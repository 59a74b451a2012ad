import type { Logger } from 'pino';
import type { DeliveryHandover } from '../events/handover.ts';
import { after, type Clock } from '../platform/clock.ts';
import { type Database, isDeadlock } from '../platform/database.ts';
import { DueWorker } from '../platform/due-worker.ts';
import type { Ids } from '../platform/ids.ts';
import { type PayParts, paySettlement } from './pay.ts';
import type { Payout } from './payout.ts';
import type { Settlement } from './settlement.ts';
import { claimDueSettlements } from './store.ts';
import { tellChunk } from './tell.ts';

export interface SettlementWorkerParts {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  handover: DeliveryHandover;
  payout: Payout;
  /** Longer than a chunk of payments may take; a payout may take as long. */
  leaseLengthMs: number;
}

const maxRunning = 4;
/** How long to rest after a chunk, as a share of the time that it took. */
const restShare = 0.4;
/** Settlements are rare, and made known to the process that makes them. */
const longestGapMs = 10_000;

/**
 * Carries settlements from the cut to the bank, and then tells their payments: in a queue of its own,
 * since a large settlement takes long to tell, and no payout may wait for that.
 */
export class SettlementWorker {
  #parts: SettlementWorkerParts;
  #paying: DueWorker<Settlement>;
  #telling: DueWorker<Settlement>;
  #stopping = false;

  constructor(parts: SettlementWorkerParts) {
    this.#parts = parts;
    const wake = (atMs: number) => this.wake(atMs);
    const paying: PayParts = { ...parts, payoutLengthMs: parts.leaseLengthMs, wake };
    this.#paying = this.#queue('PAY', (settlement) => paySettlement(paying, settlement));
    this.#telling = this.#queue('TELL', (settlement) => this.#tell(settlement));
  }

  start(): void {
    this.#paying.start();
    this.#telling.start();
  }

  /** A settlement whose payments are being told is left to another process, or to the next start. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([this.#paying.stop(), this.#telling.stop()]);
  }

  wake(atMs: number): void {
    this.#paying.wake(atMs);
    this.#telling.wake(atMs);
  }

  #queue(work: 'PAY' | 'TELL', attend: (settlement: Settlement) => Promise<void>) {
    const { database, clock, log, leaseLengthMs } = this.#parts;
    return new DueWorker<Settlement>({
      name: work === 'PAY' ? 'payouts' : 'settlements',
      clock,
      log,
      leaseLengthMs,
      maxRunning: () => maxRunning,
      maxWaiting: maxRunning,
      claim: (nowMs, leaseMs, limit) => claimDueSettlements(database, nowMs, leaseMs, limit, work),
      attend,
      longestGapMs,
    });
  }

  async #tell(settlement: Settlement): Promise<void> {
    const { clock } = this.#parts;
    let left: Settlement | undefined = settlement;
    while (left && !this.#stopping) {
      const startedMs = clock.nowMs();
      left = await this.#tellChunk(left);
      // Payments that are made meanwhile share the disk and the processor: they come first.
      const restMs = Math.max(0, clock.nowMs() - startedMs) * restShare;
      await new Promise<void>((resolve) => after(clock, restMs, resolve));
    }
  }

  /** Others change the same payments, and of two that wait for each other PostgreSQL lets one give way. */
  async #tellChunk(settlement: Settlement): Promise<Settlement | undefined> {
    try {
      const { clock, leaseLengthMs } = this.#parts;
      return await tellChunk(this.#parts, settlement, clock.nowMs() + leaseLengthMs);
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      return this.#tellChunk(settlement);
    }
  }
}
