import type { Logger } from 'pino';
import { Poller } from '../../../platform/jobs/poller.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import type { OperatorCall } from '../measure-calls.ts';
import type { OperatorQueue } from '../queue.ts';
import { bucketCount, bucketOf } from './durations.ts';
import { outcomeOf } from './outcome.ts';
import {
  type Flush,
  type Measurement,
  type ProcessOperatorStates,
  removeOperatorStates,
  writeFlush,
} from './store.ts';

export interface RecorderDependencies {
  database: Database;
  clock: Clock;
  /** A real clock, which tests do not set. */
  monotonicClock: Clock;
  log: Logger;
  /** The id of this process among the running ones. */
  processId: string;
  /** Between two flushes, in milliseconds. */
  measureIntervalMs: number;
}

/** A process without news reports this often that it is alive. */
const heartbeatMs = 30_000;
/** The limit of counts while the database is unavailable; work that calls operators needs the database, too. */
const mostMeasurements = 5_000;
const minuteMs = 60_000;

/**
 * Counts the results of calls to operators in memory, and writes them every few seconds in one statement together
 * with this process's state of each operator: no call waits for that. If the process is killed, the counts since its
 * last flush are lost.
 */
export class MeasurementRecorder {
  #dependencies: RecorderDependencies;
  #gathered = new Map<string, Measurement>();
  /** A flush that was sent and may not have arrived: it is sent again under its number before anything else. */
  #unwritten: Flush | undefined;
  #number = 0n;
  #statesOf: () => ProcessOperatorStates = () => ({});
  #written = '{}';
  #writtenMs = Number.NEGATIVE_INFINITY;
  /** For each operator, when the pause that was counted last began. */
  #pauses = new Map<string, number>();
  #loop: Poller;

  constructor(dependencies: RecorderDependencies) {
    this.#dependencies = dependencies;
    const { clock, log, measureIntervalMs: intervalMs } = dependencies;
    const claim = () => this.flush().then(() => 0);
    const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
    this.#loop = new Poller({ name: 'operator measurements', clock, log, claim, ...intervals });
  }

  /** Counts a call that has ended just now. */
  note(
    operator: OperatorQueue,
    { call, answer, durationMs }: Pick<OperatorCall, 'call' | 'answer' | 'durationMs'>,
  ): void {
    const outcome = outcomeOf(answer);
    const measurement = this.#measurement({ operator, call, answer, outcome });
    if (measurement === undefined) return;
    measurement.count += 1;
    if (outcome !== 'NOT_SENT') measurement.durations[bucketOf(durationMs)]! += 1;
  }

  /** @param statesOf this process's present state of each operator; empty if it calls none */
  start(statesOf: () => ProcessOperatorStates): void {
    this.#statesOf = statesOf;
    this.#loop.start();
  }

  /** Writes the remaining counts, and withdraws its states of operators. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    const { database, log, processId } = this.#dependencies;
    try {
      await this.flush();
      if (this.#number > 0n) await removeOperatorStates(database, processId);
    } catch (error) {
      log.warn({ err: error }, 'the last measurements of operators were not written');
    }
  }

  /**
   * Writes the counts since the last flush.
   * @throws Error if the database does not accept them: nothing is lost
   */
  async flush(): Promise<void> {
    if (this.#unwritten !== undefined) await this.#send(this.#unwritten);
    const next = this.#next();
    if (next !== undefined) await this.#send(next);
  }

  async #send(flush: Flush): Promise<void> {
    this.#unwritten = flush;
    await writeFlush(this.#dependencies.database, flush);
    this.#unwritten = undefined;
  }

  /** The data to write; undefined if there is nothing new. */
  #next(): Flush | undefined {
    const { monotonicClock, processId } = this.#dependencies;
    const states = this.#statesOf();
    this.#countPauses(states);
    const written = JSON.stringify(states);
    const nowMs = monotonicClock.nowMs();
    const isNews = this.#gathered.size > 0 || written !== this.#written;
    const isHeartbeat = written !== '{}' && nowMs - this.#writtenMs >= heartbeatMs;
    if (!isNews && !isHeartbeat) return undefined;
    const measurements = [...this.#gathered.values()];
    this.#gathered = new Map();
    this.#written = written;
    this.#writtenMs = nowMs;
    this.#number += 1n;
    return { processId, number: this.#number, states, measurements };
  }

  /** A pause is counted once, when it is first seen. */
  #countPauses(states: ProcessOperatorStates): void {
    for (const [name, { pause }] of Object.entries(states)) {
      if (pause === null || this.#pauses.get(name) === pause.sinceMs) continue;
      this.#pauses.set(name, pause.sinceMs);
      const operator = name as OperatorQueue;
      const about = { operator, call: 'pause', answer: pause.reason, outcome: 'PAUSED' } as const;
      const measurement = this.#measurement(about);
      if (measurement !== undefined) measurement.count += 1;
    }
  }

  #measurement(
    about: Pick<Measurement, 'operator' | 'call' | 'answer' | 'outcome'>,
  ): Measurement | undefined {
    const slotMs = Math.floor(this.#dependencies.clock.nowMs() / minuteMs) * minuteMs;
    const key = `${slotMs} ${about.operator} ${about.call} ${about.answer}`;
    const known = this.#gathered.get(key);
    if (known !== undefined || this.#gathered.size >= mostMeasurements) return known;
    const durations = Array.from({ length: bucketCount }, () => 0);
    const made = { ...about, minuteMs: slotMs, count: 0, durations };
    this.#gathered.set(key, made);
    return made;
  }
}
