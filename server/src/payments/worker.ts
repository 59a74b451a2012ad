import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueLoop } from '../platform/due-loop.ts';
import { WorkQueue } from '../platform/work-queue.ts';
import type { Attend } from './attend.ts';
import type { PaymentTiming } from './decide.ts';
import type { Payment } from './payment.ts';
import { claimDuePayments } from './store.ts';

export interface PaymentWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: PaymentTiming;
  attend: Attend;
}

/** How much longer than an operator's time-out a lease is. */
const leaseMarginMs = 5_000;
const maxRunning = 256;
const maxWaiting = 4_000;

/** Attends to payments that are due: those handed over in memory, and those that lie in the table. */
export class PaymentWorker {
  #parts: PaymentWorkerParts;
  #queue: WorkQueue<Payment>;
  #loop: DueLoop;
  #started = false;

  constructor(parts: PaymentWorkerParts) {
    this.#parts = parts;
    this.#queue = new WorkQueue({ maxRunning, work: (payment) => this.#attend(payment) });
    const { clock, log } = parts;
    this.#loop = new DueLoop({ name: 'payments', clock, log, claim: () => this.#claim() });
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

  /** The due time for a payment about to be written: a lease where it will be taken in memory, else now. */
  leaseMs(nowMs: number): number {
    const takes = this.#started && this.#queue.waiting < maxWaiting;
    return takes ? nowMs + this.#leaseLengthMs() : nowMs;
  }

  accept(payment: Payment): void {
    const leased = payment.dueAtMs !== null && payment.dueAtMs > payment.createdAtMs;
    if (leased && this.#started) this.#queue.add(payment);
  }

  wake(atMs: number): void {
    this.#loop.wakeAt(atMs);
  }

  async #claim(): Promise<number> {
    const room = maxRunning - this.#queue.waiting;
    if (room <= 0) return 0;
    const nowMs = this.#parts.clock.nowMs();
    const leaseMs = nowMs + this.#leaseLengthMs();
    const payments = await claimDuePayments(this.#parts.database, nowMs, leaseMs, room);
    for (const payment of payments) this.#queue.add(payment);
    return payments.length;
  }

  async #attend(payment: Payment): Promise<void> {
    // Whoever waited longer than its lease leaves the payment to the next claim.
    if (payment.dueAtMs === null || payment.dueAtMs <= this.#parts.clock.nowMs()) return;
    try {
      await this.#parts.attend.attend(payment);
    } catch (error) {
      this.#parts.log.warn({ err: error, payment: payment.id }, 'a payment waits for its next try');
    }
  }

  #leaseLengthMs(): number {
    return this.#parts.timing.operatorTimeoutMs + leaseMarginMs;
  }
}
