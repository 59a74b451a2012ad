import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueLoop } from '../platform/due-loop.ts';
import { WorkQueue } from '../platform/work-queue.ts';
import type { AttendRefund, RefundTiming } from './attend.ts';
import type { Refund } from './refund.ts';
import { claimDueRefunds } from './store.ts';

export interface RefundWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: RefundTiming;
  attend: AttendRefund;
}

/** How much longer than an operator's time-out a lease is. */
const leaseMarginMs = 5_000;
const maxRunning = 64;
const maxWaiting = 1_000;

/** Attends to refunds that are due: those handed over in memory, and those that lie in the table. */
export class RefundWorker {
  #parts: RefundWorkerParts;
  #queue: WorkQueue<Refund>;
  #loop: DueLoop;
  #started = false;

  constructor(parts: RefundWorkerParts) {
    this.#parts = parts;
    this.#queue = new WorkQueue({ maxRunning, work: (refund) => this.#attend(refund) });
    const { clock, log } = parts;
    this.#loop = new DueLoop({ name: 'refunds', clock, log, claim: () => this.#claim() });
  }

  start(): void {
    this.#started = true;
    this.#loop.start();
  }

  /** What is under way is finished; what waits in memory comes due again when its lease ends. */
  async stop(): Promise<void> {
    this.#started = false;
    await this.#loop.stop();
    await this.#queue.stop();
  }

  /** The due time for a refund about to be written: a lease where it will be taken in memory, else now. */
  leaseMs(nowMs: number): number {
    const takes = this.#started && this.#queue.waiting < maxWaiting;
    return takes ? nowMs + this.#leaseLengthMs() : nowMs;
  }

  accept(refund: Refund): void {
    const leased = refund.dueAtMs !== null && refund.dueAtMs > refund.createdAtMs;
    if (leased && this.#started) this.#queue.add(refund);
  }

  wake(atMs: number): void {
    this.#loop.wakeAt(atMs);
  }

  async #claim(): Promise<number> {
    const room = maxRunning - this.#queue.waiting;
    if (room <= 0) return 0;
    const nowMs = this.#parts.clock.nowMs();
    const leaseMs = nowMs + this.#leaseLengthMs();
    const refunds = await claimDueRefunds(this.#parts.database, nowMs, leaseMs, room);
    for (const refund of refunds) this.#queue.add(refund);
    return refunds.length;
  }

  async #attend(refund: Refund): Promise<void> {
    // Whoever waited longer than its lease leaves the refund to the next claim.
    if (refund.dueAtMs === null || refund.dueAtMs <= this.#parts.clock.nowMs()) return;
    try {
      await this.#parts.attend.attend(refund);
    } catch (error) {
      this.#parts.log.warn({ err: error, refund: refund.id }, 'a refund waits for its next try');
    }
  }

  #leaseLengthMs(): number {
    return this.#parts.timing.operatorTimeoutMs + leaseMarginMs;
  }
}
