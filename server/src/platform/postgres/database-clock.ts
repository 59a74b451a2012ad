import { after, type Clock, monotonicClock, systemClock } from '../process/clock.ts';
import type { Queryable } from './database.ts';

export interface DatabaseClockDependencies {
  /** The wall clock of this machine. */
  wallClock: Clock;
  /** A monotonic clock with any origin. */
  monotonicClock: Clock;
  /** Reads the database's time, in milliseconds since 1970. */
  readDatabaseMs: () => Promise<number>;
}

/** Why a clock is unreliable. */
export interface ClockDoubt {
  kind: 'UNKNOWN' | 'STALE' | 'MOVED' | 'WALL_OFF' | 'SET_BACK';
  /** The explanation, as text. */
  reason: string;
}

/** The result of one query of the database's clock. */
interface Sample {
  databaseMs: number;
  sentMs: number;
  receivedMs: number;
  /** The offset of the wall clock from the monotonic clock when the query was sent. */
  wallAheadMs: number;
}

/** From this offset on, other uses of the wall clock (signatures, dates) would be wrong, too. */
export const longestOffsetMs = 60_000;
/** After this time, the database or its clock may have changed unnoticed. */
const longestUnmeasuredMs = 180_000;
/** Leases outlast the work done under them by more than this. */
const longestLeadMs = 1_000;
/** A slewed wall clock stays far below this offset; a change of the clock or a suspension exceeds it. */
const longestMoveMs = 1_000;

const firstSamples = 3;
const mostSamples = 4;
/** After an answer faster than this, the clock is not queried again. */
const goodRoundTripMs = 50;
/** A slower answer is too imprecise. */
const longestRoundTripMs = 2_000;

/**
 * The database's clock, as this process knows it: measured regularly, and carried on by a monotonic clock. It never
 * runs backwards: instead, it stands still until the time has caught up.
 */
export class DatabaseClock implements Clock {
  #dependencies: DatabaseClockDependencies;
  /** The offset of the database's clock from the monotonic clock. */
  #aheadMs: number | undefined;
  #wallAheadMs = 0;
  #measuredMs = 0;
  #latestMs = Number.NEGATIVE_INFINITY;
  #measuring: Promise<void> | undefined;

  constructor(dependencies: DatabaseClockDependencies) {
    this.#dependencies = dependencies;
  }

  /** Until the first measurement, the wall clock. */
  nowMs(): number {
    const databaseMs = this.#databaseMs();
    if (databaseMs === undefined) return this.#dependencies.wallClock.nowMs();
    this.#latestMs = Math.max(this.#latestMs, Math.floor(databaseMs));
    return this.#latestMs;
  }

  isReliable(): boolean {
    return this.doubt() === undefined;
  }

  after(waitMs: number, run: () => void): () => void {
    return after(this.#dependencies.monotonicClock, waitMs, run);
  }

  /** The offset of the wall clock from the database's; undefined before the first measurement. */
  offsetMs(): number | undefined {
    const databaseMs = this.#databaseMs();
    return databaseMs === undefined ? undefined : this.#dependencies.wallClock.nowMs() - databaseMs;
  }

  /** Why the clock is unreliable; undefined if it is reliable. */
  doubt(): ClockDoubt | undefined {
    const databaseMs = this.#databaseMs();
    if (databaseMs === undefined) return { kind: 'UNKNOWN', reason: reasons.unknown };
    const unmeasuredMs = this.#dependencies.monotonicClock.nowMs() - this.#measuredMs;
    if (unmeasuredMs > longestUnmeasuredMs)
      return { kind: 'STALE', reason: reasons.stale(unmeasuredMs) };
    // The monotonic clock stops while a machine sleeps, and misses the elapsed time.
    if (Math.abs(this.#wallAhead() - this.#wallAheadMs) > longestMoveMs)
      return { kind: 'MOVED', reason: reasons.moved };
    const offsetMs = this.#dependencies.wallClock.nowMs() - databaseMs;
    if (Math.abs(offsetMs) > longestOffsetMs)
      return { kind: 'WALL_OFF', reason: reasons.wallOff(offsetMs) };
    const leadMs = this.#latestMs - databaseMs;
    if (leadMs > longestLeadMs) return { kind: 'SET_BACK', reason: reasons.setBack(leadMs) };
    return undefined;
  }

  /**
   * Compares with the database's clock. Concurrent calls share one measurement.
   * @throws Error if the database does not answer, or too slowly; the clock then stays unchanged
   */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #measure(): Promise<void> {
    const { databaseMs, sentMs, receivedMs, wallAheadMs } = await this.#bestSample();
    // The database read its clock at some instant between the two. If the current offset fits into that interval, it
    // stays: after a slow answer it is more precise.
    const [least, most] = [databaseMs - receivedMs, databaseMs - sentMs];
    this.#aheadMs =
      this.#aheadMs === undefined
        ? (least + most) / 2
        : Math.min(Math.max(this.#aheadMs, least), most);
    this.#wallAheadMs = wallAheadMs;
    this.#measuredMs = receivedMs;
  }

  async #bestSample(): Promise<Sample> {
    const fewest = this.#aheadMs === undefined ? firstSamples : 1;
    let best = await this.#sample();
    for (let count = 1; count < mostSamples; count++) {
      if (count >= fewest && roundTripMs(best) <= goodRoundTripMs) break;
      const sample = await this.#sample();
      if (roundTripMs(sample) < roundTripMs(best)) best = sample;
    }
    const tookMs = roundTripMs(best);
    if (tookMs <= longestRoundTripMs) return best;
    throw new Error(
      `the connection is too slow to measure the time: an answer took ${Math.round(tookMs)} ms`,
    );
  }

  async #sample(): Promise<Sample> {
    const { monotonicClock, readDatabaseMs } = this.#dependencies;
    const wallAheadMs = this.#wallAhead();
    const sentMs = monotonicClock.nowMs();
    const databaseMs = await readDatabaseMs();
    return { databaseMs, sentMs, receivedMs: monotonicClock.nowMs(), wallAheadMs };
  }

  #databaseMs(): number | undefined {
    return this.#aheadMs === undefined
      ? undefined
      : this.#dependencies.monotonicClock.nowMs() + this.#aheadMs;
  }

  #wallAhead(): number {
    return this.#dependencies.wallClock.nowMs() - this.#dependencies.monotonicClock.nowMs();
  }
}

const roundTripMs = ({ sentMs, receivedMs }: Sample) => receivedMs - sentMs;

const reasons = {
  unknown: 'the time of the database has not been measured yet',
  moved: 'the clock of this machine was set, or the machine slept',
  stale: (ms: number) =>
    `the time of the database could not be measured for ${Math.floor(ms / 60_000)} minutes`,
  wallOff: (ms: number) => `the clock of this machine is ${describeOffset(ms)}`,
  setBack: (ms: number) =>
    `the clock of the database was set back by ${seconds(ms)}, so time stands still here until it has caught up`,
};

const seconds = (ms: number) => `${(Math.abs(ms) / 1_000).toFixed(1)} s`;

/** An offset for people: `2.5 s ahead of the database's`. */
export function describeOffset(offsetMs: number): string {
  return `${seconds(offsetMs)} ${offsetMs > 0 ? 'ahead of' : 'behind'} the database's`;
}

const timeStatement = {
  name: 'database_time',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
};

/** The clock of this database, before its first measurement. */
export function clockOf(database: Queryable, wallClock: Clock = systemClock): DatabaseClock {
  return new DatabaseClock({
    wallClock,
    monotonicClock,
    readDatabaseMs: () => readDatabaseMs(database),
  });
}

/** The database's time, in milliseconds since 1970. */
export async function readDatabaseMs(database: Queryable): Promise<number> {
  const [row] = await database.query<{ ms: number }>(timeStatement);
  if (!row) throw new Error('the database gave no answer');
  return row.ms;
}
