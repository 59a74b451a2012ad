import type { Logger } from 'pino';
import type { DeliveryHandover } from '../events/handover.ts';
import { after, type Clock } from '../platform/clock.ts';
import { type Database, isDeadlock } from '../platform/database.ts';
import { DueLoop } from '../platform/due-loop.ts';
import type { Ids } from '../platform/ids.ts';
import { WorkQueue } from '../platform/work-queue.ts';
import { completeSettlement } from './finish.ts';
import { modeOf } from './mode.ts';
import type { Payout } from './payout.ts';
import type { Settlement } from './settlement.ts';
import { claimDueSettlements, moveSettlement } from './store.ts';
import { tellChunk } from './tell.ts';

export interface SettlementWorkerParts {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  handover: DeliveryHandover;
  payout: Payout;
  /** Longer than a payout, or a chunk of payments, may take. */
  leaseLengthMs: number;
}

const maxRunning = 4;
/** How long to rest after a chunk, as a share of the time that it took. */
const restShare = 0.4;
/** Settlements are rare, and made known to the process that makes them. */
const longestGapMs = 10_000;

/** Carries settlements from the cut to the bank, and then tells their payments. */
export class SettlementWorker {
  #parts: SettlementWorkerParts;
  #queue: WorkQueue<Settlement>;
  #loop: DueLoop;
  #stopping = false;

  constructor(parts: SettlementWorkerParts) {
    this.#parts = parts;
    this.#queue = new WorkQueue({ maxRunning, work: (settlement) => this.#attend(settlement) });
    const { clock, log } = parts;
    const claim = () => this.#claim();
    this.#loop = new DueLoop({ name: 'settlements', clock, log, claim, longestGapMs });
  }

  start(): void {
    this.#loop.start();
  }

  /** A settlement whose payments are being told is left to another process, or to the next start. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#loop.stop();
    await this.#queue.stop();
  }

  wake(atMs: number): void {
    this.#loop.wakeAt(atMs);
  }

  async #claim(): Promise<number> {
    const room = maxRunning - this.#queue.waiting;
    if (room <= 0) return 0;
    const nowMs = this.#parts.clock.nowMs();
    const settlements = await claimDueSettlements(
      this.#parts.database,
      nowMs,
      nowMs + this.#parts.leaseLengthMs,
      room,
    );
    for (const settlement of settlements) this.#queue.add(settlement);
    return settlements.length;
  }

  async #attend(settlement: Settlement): Promise<void> {
    try {
      if (settlement.status === 'COMPLETED') await this.#tell(settlement);
      else await this.#pay(settlement);
    } catch (error) {
      const { id } = settlement;
      this.#parts.log.warn({ err: error, settlement: id }, 'a settlement waits for its next try');
    }
  }

  /** PROCESSING, with the payout's reference, is committed before the bank hears of it. */
  async #pay(seen: Settlement): Promise<void> {
    const { database, clock, payout } = this.#parts;
    const mode = await modeOf(database, seen.tenantId);
    const payoutRef = seen.payoutRef ?? payout.referenceOf(seen, mode);
    let settlement = seen;
    if (seen.status === 'PENDING') {
      const next = this.#next(seen, { status: 'PROCESSING', payoutRef });
      settlement = { ...next, processedAtMs: clock.nowMs() };
      if (!(await this.#move(seen, settlement))) return;
    }
    await payout.pay(settlement, payoutRef);
    if (mode === 'test') {
      const completed = await completeSettlement(this.#parts, settlement);
      if (completed.dueAtMs !== null) this.wake(completed.dueAtMs);
      return;
    }
    // In live mode somebody says when the bank has paid: `zimbo settlements complete|fail`.
    await this.#move(settlement, this.#next(settlement, { dueAtMs: null }));
  }

  #next(seen: Settlement, change: Partial<Settlement>): Settlement {
    return { ...seen, ...change, version: seen.version + 1 };
  }

  async #move(seen: Settlement, next: Settlement): Promise<boolean> {
    const nothing = { events: [], postings: [], deliveriesDueAtMs: this.#parts.clock.nowMs() };
    return (await moveSettlement(this.#parts.database, seen, { next, ...nothing })) !== undefined;
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
