import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { DueLoop } from './due-loop.ts';
import { WorkQueue } from './work-queue.ts';

/** A row that is a job: `dueAtMs` is the lease of whoever attends to it. */
interface DueRow {
  id: string;
  dueAtMs: number | null;
  createdAtMs: number;
}

export interface DueWorkerOptions<Row> {
  /** What the rows are, for the log: `payments`. */
  name: string;
  clock: Clock;
  log: Logger;
  /** Longer than anything that attending may take. */
  leaseLengthMs: number;
  maxRunning: number;
  /** How many may wait in memory to be attended to. */
  maxWaiting: number;
  /** Takes due rows of all tenants under a lease. */
  claim: (nowMs: number, leaseMs: number, limit: number) => Promise<Row[]>;
  attend: (row: Row) => Promise<void>;
}

/** Attends to rows that are due: those handed over in memory, and those that lie in the table. */
export class DueWorker<Row extends DueRow> {
  #options: DueWorkerOptions<Row>;
  #queue: WorkQueue<Row>;
  #loop: DueLoop;
  #started = false;

  constructor(options: DueWorkerOptions<Row>) {
    this.#options = options;
    const { maxRunning, name, clock, log } = options;
    this.#queue = new WorkQueue({ maxRunning, work: (row) => this.#attend(row) });
    this.#loop = new DueLoop({ name, clock, log, claim: () => this.#claim() });
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

  /** The due time for a row about to be written: a lease where it will be taken in memory, else now. */
  leaseMs(nowMs: number): number {
    const { maxWaiting, leaseLengthMs } = this.#options;
    const takes = this.#started && this.#queue.waiting < maxWaiting;
    return takes ? nowMs + leaseLengthMs : nowMs;
  }

  /** Takes a row that was just written; without a lease, or after the end, it is left to a claim. */
  accept(row: Row): void {
    const leased = row.dueAtMs !== null && row.dueAtMs > row.createdAtMs;
    if (leased && this.#started) this.#queue.add(row);
  }

  wake(atMs: number): void {
    this.#loop.wakeAt(atMs);
  }

  async #claim(): Promise<number> {
    const { maxRunning, leaseLengthMs, clock, claim } = this.#options;
    const room = maxRunning - this.#queue.waiting;
    if (room <= 0) return 0;
    const nowMs = clock.nowMs();
    const rows = await claim(nowMs, nowMs + leaseLengthMs, room);
    for (const row of rows) this.#queue.add(row);
    return rows.length;
  }

  async #attend(row: Row): Promise<void> {
    const { clock, log, name, attend } = this.#options;
    // What has waited longer than its lease is left to the next claim.
    if (row.dueAtMs === null || row.dueAtMs <= clock.nowMs()) return;
    try {
      await attend(row);
    } catch (error) {
      log.warn({ err: error, id: row.id }, `one of the ${name} waits for its next try`);
    }
  }
}
