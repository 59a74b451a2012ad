import { isTransient } from '../../src/platform/postgres/transient-errors.ts';
import { eventually } from '../support/eventually.ts';
import { apiOf, testKey } from '../support/gateway.ts';
import { brokenAtRest, brokenNow, type Evidence } from './check.ts';
import { disbursedIn } from './check-disbursements.ts';
import { Cluster } from './cluster.ts';
import { Load } from './load.ts';
import { type Plan, planRound, wordsOf } from './plan.ts';
import { seeded } from './random.ts';
import { subscribe, TortureReceiver } from './receiver.ts';
import { OutsideRecord } from './record.ts';
import { comeToRest } from './rest.ts';

export interface TortureOptions {
  rounds: number;
  seed: number;
  /** How many rounds pass before everything comes to rest. */
  restEvery: number;
  /** Receives a line about each round, or about a wait. */
  tell: (line: string) => void;
  /** Ends the run at once, and takes everything down. */
  signal?: AbortSignal;
}

export interface Tally {
  rounds: number;
  orders: number;
  acknowledged: number;
  events: number;
}

/** A broken promise. */
export class BrokenPromise extends Error {
  constructor(round: number, { seed }: TortureOptions, plan: Plan, broken: readonly string[]) {
    const strikes = plan.strikes.map((one) => `after ${one.afterAnswers} answers: ${wordsOf(one)}`);
    const shown = broken.slice(0, 10);
    const more = broken.length > shown.length ? [`… and ${broken.length - shown.length} more`] : [];
    super(
      [
        `Broken in round ${round} of seed ${seed}: ${broken[0]}`,
        'The plan of the round:',
        ...strikes.map((line) => `  ${line}`),
        `All broken promises (${broken.length}):`,
        ...[...shown, ...more].map((line) => `  ${line}`),
      ].join('\n'),
    );
    this.name = 'BrokenPromise';
  }
}

const roundLimitMs = 6_000;
const strikeLimitMs = 3_000;

/**
 * Rounds of load under faults, with checks of all promises. @throws BrokenPromise with the seed,
 * the plan of the round and the broken promises
 */
export async function torture(options: TortureOptions): Promise<Tally> {
  const cluster = await Cluster.start(seeded(options.seed));
  const record = new OutsideRecord();
  const receiver = await TortureReceiver.open(record);
  try {
    const run = await Run.begin(options, cluster, record, receiver);
    await Promise.race([run.all(), aborted(options.signal)]);
    return run.tally;
  } finally {
    await cluster.stop();
    receiver.close();
  }
}

/** Rejects when the signal aborts. */
export function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason as Error);
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

class Run {
  #options: TortureOptions;
  #cluster: Cluster;
  #load: Load;
  #evidence: Evidence;
  #plan: Plan = { requests: 0, strikes: [] };
  #rounds = 0;

  private constructor(options: TortureOptions, cluster: Cluster, load: Load, evidence: Evidence) {
    this.#options = options;
    this.#cluster = cluster;
    this.#load = load;
    this.#evidence = evidence;
  }

  static async begin(
    options: TortureOptions,
    cluster: Cluster,
    record: OutsideRecord,
    receiver: TortureReceiver,
  ): Promise<Run> {
    const { database, payoutsFolder } = cluster;
    const key = await testKey(database);
    await cluster.unharmed();
    const api = apiOf(cluster.urls[0]!, key);
    const fickleId = await subscribe(api, receiver);
    const load = new Load({ record, key, fickleId, disburses: true, urls: () => cluster.urls });
    return new Run(options, cluster, load, { record, receiver, database, payoutsFolder });
  }

  get tally(): Tally {
    const { record, receiver } = this.#evidence;
    const acknowledged = record.orders.filter(({ answer }) => answer).length;
    const events = receiver.inboxes.get('everything')!.taken.size;
    return { rounds: this.#rounds, orders: record.orders.length, acknowledged, events };
  }

  async all(): Promise<void> {
    const { rounds, restEvery } = this.#options;
    for (let round = 1; round <= rounds; round++) {
      await this.round(round);
      if (round % restEvery === 0 || round === rounds) await this.rest(round);
    }
  }

  async round(round: number): Promise<void> {
    const { seed, rounds, tell } = this.#options;
    const random = seeded(seed, round);
    this.#plan = planRound(random);
    const { strikes, requests } = this.#plan;
    const startedMs = performance.now();
    const { record } = this.#evidence;
    const before = record.answers;
    const load = this.#load.run(random, requests, roundLimitMs);
    for (const strike of strikes) {
      await reached(() => record.answers - before >= strike.afterAnswers, load);
      await this.#cluster.strike(strike);
    }
    await load;
    this.#rounds = round;
    const found = await this.#look();
    const broken = [...this.#cluster.deaths, ...found];
    const tookSeconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    const answers = record.answers - before;
    const words = strikes.map(wordsOf).join('; ');
    tell(`round ${round} of ${rounds}  ${tookSeconds} s  ${answers} answers  ${words}`);
    this.#judge(round, broken);
  }

  /** Sessions of a killed PostgreSQL answer for a moment longer, so check once more. */
  async #look(): Promise<string[]> {
    await this.#cluster.standing();
    try {
      return await brokenNow(this.#evidence);
    } catch (error) {
      if (!isTransient(error)) throw error;
      await this.#cluster.standing();
      return brokenNow(this.#evidence);
    }
  }

  /** Lets everything finish, then checks all promises. */
  async rest(round: number): Promise<void> {
    const { tell, seed } = this.#options;
    const startedMs = performance.now();
    await this.#cluster.unharmed();
    const rest = {
      load: this.#load,
      database: this.#evidence.database,
      random: seeded(seed, round, 1),
    };
    this.#judge(round, await comeToRest(rest));
    this.#judge(round, [...this.#cluster.deaths, ...(await brokenAtRest(this.#evidence))]);
    const { acknowledged, events } = this.tally;
    const tookSeconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    tell(
      `at rest after ${tookSeconds} s: ${acknowledged} acknowledged, ${events} events, all right`,
    );
    tell(`disbursed: ${await disbursedIn(this.#evidence.database)}`);
  }

  #judge(round: number, broken: readonly string[]): void {
    if (broken.length > 0) throw new BrokenPromise(round, this.#options, this.#plan, broken);
  }
}

/** Waits for a condition, but no longer than the load lasts; a fault without load is valid too. */
async function reached(condition: () => boolean, load: Promise<void>): Promise<void> {
  let isOver = false;
  void load.then(() => {
    isOver = true;
  });
  await eventually('the load', () => isOver || condition(), strikeLimitMs).catch(() => {});
}
