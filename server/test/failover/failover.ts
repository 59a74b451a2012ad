import { judge } from '../operator-torture/torture.ts';
import { eventually } from '../support/eventually.ts';
import { apiOf } from '../support/gateway.ts';
import { brokenAtRest, brokenNow, type Evidence } from '../torture/check.ts';
import { Load } from '../torture/load.ts';
import { type Random, seeded } from '../torture/random.ts';
import { subscribe, TortureReceiver } from '../torture/receiver.ts';
import { OutsideRecord } from '../torture/record.ts';
import { comeToRest } from '../torture/rest.ts';
import { aborted } from '../torture/torture.ts';
import { planRound, type Strike } from './plan.ts';
import { Pulse } from './pulse.ts';
import { type Struck, startPair } from './strikes.ts';

export interface FailoverOptions {
  rounds: number;
  seed: number;
  strikeOf: (round: number, random: Random) => Strike;
  /** How many rounds pass before everything comes to rest. */
  restEvery: number;
  /** Receives a line about each round. */
  tell: (line: string) => void;
  /** Ends the run at once, and takes everything down. */
  signal?: AbortSignal;
}

export interface Outage {
  strike: Strike;
  /** The longest time in each round without an acknowledged payment. */
  seconds: number;
}

export interface FailoverTally {
  outages: Outage[];
  acknowledged: number;
  /** How many events the endpoint accepted. */
  events: number;
}

/** Longer than any fail-over may take, so that a hanging run still reports. */
const backLimitMs = 60_000;

/**
 * Fail-overs with a synchronous standby under load, with checks of all promises. @param start of
 * the servers, by default {@link startPair} @throws BrokenPromise naming the broken promises
 */
export async function failOver(
  options: FailoverOptions,
  start: () => Promise<Struck> = startPair,
): Promise<FailoverTally> {
  const struck = await start();
  const { world } = struck;
  const record = new OutsideRecord();
  const receiver = await TortureReceiver.open(record);
  try {
    const { key, gateway } = world;
    const fickleId = await subscribe(apiOf(gateway.url, key), receiver);
    const load = new Load({ record, key, fickleId, urls: () => [gateway.url] });
    const run = new Run(options, { ...struck, load, record, receiver });
    return await Promise.race([run.all(), aborted(options.signal)]);
  } finally {
    await world.stop();
    receiver.close();
  }
}

interface Given extends Struck {
  load: Load;
  record: OutsideRecord;
  receiver: TortureReceiver;
}

class Run {
  #options: FailoverOptions;
  #given: Given;
  #outages: Outage[] = [];

  constructor(options: FailoverOptions, given: Given) {
    this.#options = options;
    this.#given = given;
  }

  async all(): Promise<FailoverTally> {
    const { rounds, seed, restEvery } = this.#options;
    for (let round = 1; round <= rounds; round++) {
      await this.#round(round, seeded(seed, round));
      if (round % restEvery === 0 || round === rounds) await this.#rest(seeded(seed, round, 1));
    }
    const { record, receiver } = this.#given;
    const acknowledged = record.orders.filter(({ answer }) => answer).length;
    const events = receiver.inboxes.get('everything')!.taken.size;
    return { outages: this.#outages, acknowledged, events };
  }

  async #round(round: number, random: Random): Promise<void> {
    const { rounds, strikeOf, tell } = this.#options;
    const { world, load, record, strike, repair } = this.#given;
    const plan = planRound(random, strikeOf(round, random));
    const pulse = Pulse.start({ record, url: world.gateway.url, key: world.key });
    const loading = new AbortController();
    const busy = load.runWhile(random, () => !loading.signal.aborted);
    const more = (count: number) => moreAnswers(record, count);
    try {
      await more(plan.afterAnswers);
      await strike(plan.strike);
      const { acknowledged } = pulse;
      await eventually(
        'payments are acknowledged again',
        () => pulse.acknowledged > acknowledged,
        backLimitMs,
      );
      await more(plan.untilReturn);
      await repair(plan.strike);
      await more(plan.untilReturn);
    } finally {
      loading.abort();
      await busy;
      this.#outages.push({ strike: plan.strike, seconds: await pulse.stop() });
    }
    const told = [...pulse.refused].map(([words, count]) => `${count} × ${words}`).join(', ');
    tell(
      `round ${round} of ${rounds}  ${plan.strike.padEnd(12)} ${this.#outages.at(-1)!.seconds.toFixed(2)} s without service; ${pulse.acknowledged} acknowledged, not: ${told || 'none'}`,
    );
    judge([...world.gateway.deaths, ...(await this.#looked(brokenNow))]);
  }

  /** Lets everything finish, then checks all promises. */
  async #rest(random: Random): Promise<void> {
    const { world, load } = this.#given;
    const startedMs = performance.now();
    judge(await world.look((database) => comeToRest({ load, database, random })));
    judge([...world.gateway.deaths, ...(await this.#looked(brokenAtRest))]);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    this.#options.tell(`at rest after ${seconds} s: all right`);
  }

  #looked(look: (evidence: Evidence) => Promise<string[]>): Promise<string[]> {
    const { world, record, receiver } = this.#given;
    const { payoutsFolder } = world;
    return world.look((database) => look({ record, receiver, database, payoutsFolder }));
  }
}

/** Allows for the outage, which delays answers. */
async function moreAnswers(record: OutsideRecord, count: number): Promise<void> {
  const before = record.answers;
  await eventually(`${count} more answers`, () => record.answers - before >= count, backLimitMs);
}
