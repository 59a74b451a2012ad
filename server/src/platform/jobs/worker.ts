import type { Logger } from 'pino';
import type { ByteBudget, Owner } from '../memory/byte-budget.ts';
import { WantOfRoom } from '../memory/memory-waiters.ts';
import { pageBytes } from '../postgres/page-bytes.ts';
import { type Clock, isReliable } from '../process/clock.ts';
import { Poller } from './poller.ts';
import { WorkQueue } from './work-queue.ts';

/** A row that is a job: `dueAtMs` is the lease of the process that works on it. */
export interface DueRow {
  tenantId: string;
  id: string;
  dueAtMs: number | null;
  createdAtMs: number;
}

/**
 * The source of a row. MEMORY: this process has just written it, and no other has seen it. DATABASE: it was claimed, in
 * the state of the database, which a restore or a fail-over may have set back.
 */
export type Origin = 'MEMORY' | 'DATABASE';

/** The limits of a claim: at most this many bytes, but at least one row, and none of these queues and tenants. */
export interface ClaimRoom {
  busyQueues: string[];
  fullTenantIds: string[];
  bytes: number;
  bytesPerTenant: number;
}

/** The memory of waiting and running rows. */
export interface RowMemory<Row> {
  budget: ByteBudget;
  ownerOf: (row: Row) => Owner;
  bytesOf: (row: Row) => number;
  /** The queue of all test-mode rows. */
  testQueue: string;
}

export interface JobWorkerOptions<Row> {
  /** The name of the rows, for the log: `payments`. */
  name: string;
  clock: Clock;
  log: Logger;
  /** Longer than anything that processing may take. */
  leaseLengthMs: number;
  /** Rows wait only for rows of their own queue. Without it, all rows share one queue. */
  queueOf?: (row: Row) => string;
  /** How many of one queue are processed at once. */
  maxRunning: (queue: string) => number;
  /** The least time between two starts in a queue; without it, rows start as soon as there is room. */
  startIntervalMs?: number;
  /** How many may wait in memory to be processed, in each queue. */
  maxWaiting: number;
  /** Also limits their bytes; for rows that may be large. */
  memory?: RowMemory<Row>;
  /** Claims due rows of all tenants under a lease. */
  claim: (nowMs: number, leaseMs: number, limit: number, room: ClaimRoom) => Promise<Row[]>;
  process: (row: Row, origin: Origin) => Promise<void>;
  /** The longest interval between two looks while nothing is due, in milliseconds. */
  maxIntervalMs?: number;
  /** The interval after that, if a watch wakes the worker when rows are due. */
  idleIntervalMs?: number | undefined;
}

interface Taken<Row> {
  row: Row;
  origin: Origin;
}

const onlyQueue = '';
/** A tenant takes part in claims while it has room for this much, and gets no more per claim. */
const claimedPerTenantBytes = pageBytes / 32;

/** Processes due rows: those dispatched in memory, and those in the table. */
export class JobWorker<Row extends DueRow> {
  #options: JobWorkerOptions<Row>;
  #queues = new Map<string, WorkQueue<Taken<Row>>>();
  #loop: Poller;
  #started = false;
  /** Queues that a claim skipped because enough rows waited in them. */
  #passedOver = new Set<string>();
  #want: WantOfRoom | undefined;

  constructor(options: JobWorkerOptions<Row>) {
    this.#options = options;
    const { name, clock, log, maxIntervalMs, idleIntervalMs } = options;
    const intervals = { ...(maxIntervalMs && { maxIntervalMs }), idleIntervalMs };
    this.#loop = new Poller({ name, clock, log, claim: () => this.#claim(), ...intervals });
    const wake = () => this.wake(clock.nowMs());
    const { memory } = options;
    this.#want =
      memory &&
      new WantOfRoom(memory.budget, claimedPerTenantBytes, { ofTenant: wake, ofAll: wake });
  }

  start(): void {
    this.#started = true;
    this.#loop.start();
  }

  /** Finishes running work; rows waiting in memory become due again when their leases end. */
  async stop(): Promise<void> {
    this.#started = false;
    await this.#loop.stop();
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  /** The due time for a row about to be written: a lease if it will be taken in memory, otherwise now. */
  leaseMs(row: Row): number {
    const { leaseLengthMs, clock } = this.#options;
    const isTaken = this.#started && this.#hasRoom(row) && isReliable(clock);
    return isTaken ? row.createdAtMs + leaseLengthMs : row.createdAtMs;
  }

  /** Accepts a row just written; without a lease, or after stop, a claim will find it. */
  accept(row: Row): void {
    if (!this.#started || row.dueAtMs === null) return;
    if (row.dueAtMs > row.createdAtMs) this.#add(row, 'MEMORY');
    // Reports room for a skipped queue or tenant.
    else if (!this.#isPassedOver(row)) this.wake(row.dueAtMs);
  }

  /** How many rows wait in memory, of one queue. */
  waitingIn(queue: string): number {
    return this.#queues.get(queue)?.waiting ?? 0;
  }

  wake(atMs: number): void {
    this.#loop.wakeAt(atMs);
  }

  #add(row: Row, origin: Origin): void {
    const { maxRunning, startIntervalMs, clock } = this.#options;
    const name = this.#queueOf(row);
    let queue = this.#queues.get(name);
    if (!queue) {
      queue = new WorkQueue({
        maxRunning: maxRunning(name),
        ownerOf: (each) => each.row.tenantId,
        work: (each) => this.#process(each),
        startIntervalMs,
        clock,
      });
      this.#queues.set(name, queue);
    }
    this.#hold(row, 1);
    queue.add({ row, origin });
  }

  #hasRoom(row: Row): boolean {
    const { memory, maxWaiting } = this.#options;
    const waiting = this.#queues.get(this.#queueOf(row))?.waiting ?? 0;
    if (waiting >= maxWaiting) return false;
    return !memory || memory.bytesOf(row) <= memory.budget.roomFor(memory.ownerOf(row));
  }

  #hold(row: Row, sign: 1 | -1): void {
    const { memory } = this.#options;
    memory?.budget.take(memory.ownerOf(row), sign * memory.bytesOf(row));
  }

  #queueOf(row: Row): string {
    return this.#options.queueOf?.(row) ?? onlyQueue;
  }

  async #claim(): Promise<number> {
    const { maxRunning, leaseLengthMs, clock, claim, memory } = this.#options;
    const budget = memory?.budget;
    const freeBytes = budget ? budget.left('live') : pageBytes;
    if (freeBytes < claimedPerTenantBytes) {
      this.#want?.noteMode('live');
      return 0;
    }
    const queues = [...this.#queues].map(([name, { waiting }]) => ({
      name,
      room: maxRunning(name) - waiting,
    }));
    const busy = queues.filter(({ room }) => room <= 0).map(({ name }) => name);
    for (const name of busy) this.#passedOver.add(name);
    if (busy.includes(onlyQueue)) return 0;
    if (memory && memory.budget.left('test') < claimedPerTenantBytes) {
      this.#want?.noteMode('test');
      busy.push(memory.testQueue);
    }
    const fullTenantIds = budget?.full(claimedPerTenantBytes) ?? [];
    for (const tenantId of fullTenantIds) this.#want?.note(tenantId);
    const rooms = queues.map(({ room }) => room).filter((room) => room > 0);
    const limit = Math.max(...rooms, rooms.length === 0 ? maxRunning(onlyQueue) : 0);
    const nowMs = clock.nowMs();
    const rows = await claim(nowMs, nowMs + leaseLengthMs, limit, {
      busyQueues: busy,
      fullTenantIds,
      bytes: Math.min(pageBytes, freeBytes),
      bytesPerTenant: claimedPerTenantBytes,
    });
    for (const row of rows) this.#add(row, 'DATABASE');
    return rows.length;
  }

  async #process(taken: Taken<Row>): Promise<void> {
    try {
      await this.#processInTime(taken);
    } finally {
      this.#hold(taken.row, -1);
      this.#tellOfRoom(taken.row);
    }
  }

  #isPassedOver(row: Row): boolean {
    return this.#passedOver.has(this.#queueOf(row)) || (this.#want?.has(row.tenantId) ?? false);
  }

  /** The next claim includes skipped queues and tenants as soon as there is room. */
  #tellOfRoom(row: Row): void {
    const { maxRunning, memory, clock } = this.#options;
    const queue = this.#queueOf(row);
    // Half the capacity, so that a claim is worthwhile.
    if (this.#passedOver.has(queue) && this.waitingIn(queue) <= maxRunning(queue) / 2) {
      this.#passedOver.delete(queue);
      this.wake(clock.nowMs());
    }
    if (memory) {
      this.#want?.gaveBack(memory.ownerOf(row), memory.budget.heldBy(row.tenantId) === 0);
    }
  }

  async #processInTime({ row, origin }: Taken<Row>): Promise<void> {
    const { clock, log, name, process } = this.#options;
    // A row that has waited longer than its lease is left to the next claim; also if the clock is in doubt.
    if (row.dueAtMs === null || row.dueAtMs <= clock.nowMs() || !isReliable(clock)) return;
    try {
      await process(row, origin);
    } catch (error) {
      log.warn({ err: error, id: row.id }, `one of the ${name} failed and will be retried`);
    }
  }
}
