import type { Logger } from 'pino';
import type { ByteBudget, Owner } from './byte-budget.ts';
import { type Clock, isReliable } from './clock.ts';
import { DueLoop } from './due-loop.ts';
import { pageBytes } from './page-bytes.ts';
import { WorkQueue } from './work-queue.ts';

/** A row that is a job: `dueAtMs` is the lease of whoever attends to it. */
export interface DueRow {
  tenantId: string;
  id: string;
  dueAtMs: number | null;
  createdAtMs: number;
}

/**
 * Where a row comes from. MEMORY: this process has just written it, and nobody else has seen it. DATABASE: it
 * was claimed, so it is what the database says, which a restore or a fail-over may have set back.
 */
export type Origin = 'MEMORY' | 'DATABASE';

/** What a claim may take: no more bytes than these, but one row at least, and none of these lanes and tenants. */
export interface ClaimRoom {
  busyLanes: string[];
  fullTenantIds: string[];
  bytes: number;
  bytesPerTenant: number;
}

/** What rows that wait or are attended to hold of the memory. */
export interface RowMemory<Row> {
  budget: ByteBudget;
  ownerOf: (row: Row) => Owner;
  bytesOf: (row: Row) => number;
  /** The lane of all that is of test mode. */
  testLane: string;
}

export interface DueWorkerOptions<Row> {
  /** What the rows are, for the log: `payments`. */
  name: string;
  clock: Clock;
  log: Logger;
  /** Longer than anything that attending may take. */
  leaseLengthMs: number;
  /** Rows wait for those of their own lane only. Without it all are of one lane. */
  laneOf?: (row: Row) => string;
  /** How many of one lane are attended to at once. */
  maxRunning: (lane: string) => number;
  /** How many may wait in memory to be attended to, in each lane. */
  maxWaiting: number;
  /** Bounds their bytes, too; for rows that may be large. */
  memory?: RowMemory<Row>;
  /** Takes due rows of all tenants under a lease. */
  claim: (nowMs: number, leaseMs: number, limit: number, room: ClaimRoom) => Promise<Row[]>;
  attend: (row: Row, origin: Origin) => Promise<void>;
  /** The longest gap between two looks while nothing is due, in milliseconds. */
  longestGapMs?: number;
}

interface Taken<Row> {
  row: Row;
  origin: Origin;
}

const onlyLane = '';
/** A tenant has room for a claim while it has room for so much, and gets no more in one. */
const claimedPerTenantBytes = pageBytes / 32;

/** Attends to rows that are due: those handed over in memory, and those that lie in the table. */
export class DueWorker<Row extends DueRow> {
  #options: DueWorkerOptions<Row>;
  #lanes = new Map<string, WorkQueue<Taken<Row>>>();
  #loop: DueLoop;
  #started = false;

  constructor(options: DueWorkerOptions<Row>) {
    this.#options = options;
    const { name, clock, log, longestGapMs } = options;
    const gaps = longestGapMs === undefined ? {} : { longestGapMs };
    this.#loop = new DueLoop({ name, clock, log, claim: () => this.#claim(), ...gaps });
  }

  start(): void {
    this.#started = true;
    this.#loop.start();
  }

  /** What is under way is finished; what waits in memory comes due again when its lease ends. */
  async stop(): Promise<void> {
    this.#started = false;
    await this.#loop.stop();
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  /** The due time for a row about to be written: a lease where it will be taken in memory, else at once. */
  leaseMs(row: Row): number {
    const { leaseLengthMs, clock } = this.#options;
    const isTaken = this.#started && this.#hasRoom(row) && isReliable(clock);
    return isTaken ? row.createdAtMs + leaseLengthMs : row.createdAtMs;
  }

  /** Takes a row that was just written; without a lease, or after the end, it is left to a claim. */
  accept(row: Row): void {
    const leased = row.dueAtMs !== null && row.dueAtMs > row.createdAtMs;
    if (leased && this.#started) this.#add(row, 'MEMORY');
  }

  wake(atMs: number): void {
    this.#loop.wakeAt(atMs);
  }

  #add(row: Row, origin: Origin): void {
    const { maxRunning } = this.#options;
    const name = this.#laneOf(row);
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = new WorkQueue({
        maxRunning: maxRunning(name),
        ownerOf: (each) => each.row.tenantId,
        work: (each) => this.#attend(each),
      });
      this.#lanes.set(name, lane);
    }
    this.#hold(row, 1);
    lane.add({ row, origin });
  }

  #hasRoom(row: Row): boolean {
    const { memory, maxWaiting } = this.#options;
    const waiting = this.#lanes.get(this.#laneOf(row))?.waiting ?? 0;
    if (waiting >= maxWaiting) return false;
    return !memory || memory.bytesOf(row) <= memory.budget.roomFor(memory.ownerOf(row));
  }

  #hold(row: Row, sign: 1 | -1): void {
    const { memory } = this.#options;
    memory?.budget.take(memory.ownerOf(row), sign * memory.bytesOf(row));
  }

  #laneOf(row: Row): string {
    return this.#options.laneOf?.(row) ?? onlyLane;
  }

  async #claim(): Promise<number> {
    const { maxRunning, leaseLengthMs, clock, claim, memory } = this.#options;
    const budget = memory?.budget;
    const freeBytes = budget ? budget.left('live') : pageBytes;
    if (freeBytes < claimedPerTenantBytes) return 0;
    const lanes = [...this.#lanes].map(([name, { waiting }]) => ({
      name,
      room: maxRunning(name) - waiting,
    }));
    const busy = lanes.filter(({ room }) => room <= 0).map(({ name }) => name);
    if (busy.includes(onlyLane)) return 0;
    if (memory && memory.budget.left('test') < claimedPerTenantBytes) busy.push(memory.testLane);
    const rooms = lanes.map(({ room }) => room).filter((room) => room > 0);
    const limit = Math.max(...rooms, rooms.length === 0 ? maxRunning(onlyLane) : 0);
    const nowMs = clock.nowMs();
    const rows = await claim(nowMs, nowMs + leaseLengthMs, limit, {
      busyLanes: busy,
      fullTenantIds: budget?.full(claimedPerTenantBytes) ?? [],
      bytes: Math.min(pageBytes, freeBytes),
      bytesPerTenant: claimedPerTenantBytes,
    });
    for (const row of rows) this.#add(row, 'DATABASE');
    return rows.length;
  }

  async #attend(taken: Taken<Row>): Promise<void> {
    try {
      await this.#attendInTime(taken);
    } finally {
      this.#hold(taken.row, -1);
    }
  }

  async #attendInTime({ row, origin }: Taken<Row>): Promise<void> {
    const { clock, log, name, attend } = this.#options;
    // What has waited longer than its lease is left to the next claim, and so is what this process
    // cannot say of whether it has.
    if (row.dueAtMs === null || row.dueAtMs <= clock.nowMs() || !isReliable(clock)) return;
    try {
      await attend(row, origin);
    } catch (error) {
      log.warn({ err: error, id: row.id }, `one of the ${name} waits for its next try`);
    }
  }
}
