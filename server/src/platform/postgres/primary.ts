import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Answer, HostProbe } from './host-probe.ts';
import { hostOf, urlsOf } from './hosts.ts';
import { isTransient } from './transient-errors.ts';

export interface PrimaryOptions {
  log?: Logger | undefined;
  /** Receives the primary's address whenever it changes. */
  onChange?: (url: string) => void;
}

/** How often a known primary is probed: a frozen one is noticed before requests time out. */
const watchIntervalMs = 1_000;
const searchIntervalMs = 200;
const answerLimitMs = 1_000;

/** The highest timeline that this process has seen, by database URL: no pool of the URL returns to a lower one. */
const highestTimelines = new Map<string, number>();

/** The latest answer of each host, in the order of the URL; undefined before the first. */
export type Answers = readonly (Answer | undefined)[];

/** No host takes writes; the code marks the error as transient. */
class NoPrimary extends Error {
  readonly code = 'ENOPRIMARY';
}

/**
 * The index of the host to write to: the writable host with the highest timeline, and among equals the current one. A
 * timeline below the highest one seen belongs to a replaced primary, which does not count. Before any timeline was
 * seen, all hosts must have answered.
 */
export function choosePrimary(
  answers: Answers,
  { highestTimeline, current }: { highestTimeline: number; current: number | undefined },
): number | undefined {
  if (highestTimeline === 0 && answers.includes(undefined)) return undefined;
  const timelineAt = (index: number) => {
    const answer = answers[index];
    return answer && 'timeline' in answer ? answer.timeline : 0;
  };
  const rank = (index: number) => timelineAt(index) + (index === current ? 0.5 : 0);
  return [...answers.keys()]
    .filter((index) => timelineAt(index) > 0 && timelineAt(index) >= highestTimeline)
    .toSorted((one, other) => rank(other) - rank(one))[0];
}

/** Knows which of several hosts is the primary, and probes all of them until it is closed. */
export class Primary {
  readonly #databaseUrl: string;
  readonly #urls: readonly string[];
  readonly #probes: readonly HostProbe[];
  readonly #options: PrimaryOptions;
  readonly #closing = new AbortController();
  #pause = new AbortController();
  #current: number | undefined;
  #isDoubted = true;
  /** The number of doubts so far: an answer from before the latest doubt is stale. */
  #doubts = 0;
  #reported = new Set<string>();
  #waiting = new Set<(outcome: string | Error) => void>();
  #reasons = '';
  #probing: Promise<void> | undefined;

  constructor(databaseUrl: string, options: PrimaryOptions) {
    this.#databaseUrl = databaseUrl;
    this.#urls = urlsOf(databaseUrl);
    this.#probes = this.#urls.map((url) => new HostProbe(url));
    this.#options = options;
  }

  /**
   * The address of the primary: immediately, unless a search is in progress.
   * @throws the hosts' reasons, if waiting does not help; after the limit, a transient error.
   */
  find(limitMs: number): string | Promise<string> {
    this.#probing ??= this.#probeUntilClosed();
    if (this.#current !== undefined && !this.#isDoubted) return this.#urls[this.#current]!;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const settle = (outcome: string | Error) => {
      clearTimeout(timer);
      this.#waiting.delete(settle);
      if (typeof outcome === 'string') resolve(outcome);
      else reject(outcome);
    };
    const timer = setTimeout(() => settle(this.#noPrimary()), limitMs);
    this.#waiting.add(settle);
    return promise;
  }

  /** A connection to the primary has broken, or the primary refused writes: probe it before sending anything else. */
  doubt(): void {
    if (this.#isDoubted) return;
    this.#isDoubted = true;
    this.#doubts++;
    this.#pause.abort();
  }

  get #highestTimeline(): number {
    return highestTimelines.get(this.#databaseUrl) ?? 0;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#pause.abort();
    for (const probe of this.#probes) probe.close();
    for (const settle of this.#waiting)
      settle(new Error('the connection to the database is closed'));
    await this.#probing;
  }

  async #probeUntilClosed(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#pause = new AbortController();
      await this.#probeAll();
      const isFound = this.#current !== undefined && !this.#isDoubted;
      const { signal } = this.#pause;
      await delay(isFound ? watchIntervalMs : searchIntervalMs, undefined, { signal }).catch(
        () => {},
      );
    }
  }

  async #probeAll(): Promise<void> {
    const answers: (Answer | undefined)[] = this.#urls.map(() => undefined);
    const doubts = this.#doubts;
    await Promise.all(
      this.#probes.map(async (probe, index) => {
        answers[index] = await probe.probe(answerLimitMs);
        if (!this.#closing.signal.aborted) this.#evaluate(answers, doubts);
      }),
    );
    const errors = answers.map((answer) =>
      answer && 'error' in answer ? answer.error : undefined,
    );
    this.#reasons = this.#urls
      .map((url, index) => `${hostOf(url)}: ${errors[index]?.message || 'replaced'}`)
      .join('; ');
    // Such as a wrong password, which stays wrong.
    const arePermanent = errors.every((error) => error && 'code' in error && !isTransient(error));
    if (arePermanent) for (const settle of this.#waiting) settle(errors[0]!);
  }

  /** Each answer may decide: nobody waits for a frozen host. */
  #evaluate(answers: Answers, doubts: number): void {
    const chosen = choosePrimary(answers, {
      highestTimeline: this.#highestTimeline,
      current: this.#current,
    });
    this.#reportReplaced(answers);
    if (chosen === undefined) {
      const isSilent = this.#current !== undefined && answers[this.#current] === undefined;
      if (!isSilent) this.#current = undefined;
      return;
    }
    highestTimelines.set(this.#databaseUrl, (answers[chosen] as { timeline: number }).timeline);
    const url = this.#urls[chosen]!;
    const isOther = this.#current !== chosen;
    this.#current = chosen;
    if (isOther) this.#options.onChange?.(url);
    if (!isOther && doubts !== this.#doubts) return;
    this.#isDoubted = false;
    for (const settle of this.#waiting) settle(url);
  }

  /** It was frozen, for example, while another host was promoted: its writes would be lost. */
  #reportReplaced(answers: Answers): void {
    for (const [index, answer] of answers.entries()) {
      const host = hostOf(this.#urls[index]!);
      if (!answer || 'error' in answer || answer.timeline >= this.#highestTimeline) continue;
      if (this.#reported.has(host)) continue;
      this.#reported.add(host);
      const { timeline } = answer;
      const words =
        'a replaced primary takes writes again; the gateway sends nothing there. Make it a standby';
      this.#options.log?.error({ host, timeline, newest: this.#highestTimeline }, words);
    }
  }

  #noPrimary(): Error {
    return new NoPrimary(
      `No host of DATABASE_URL takes writes: ${this.#reasons || 'no answer yet'}`,
    );
  }
}

/** For commands, which run once: longer than a host has to answer. */
const commandLimitMs = 10_000;

/**
 * The address for a single connection: with several hosts, the primary's.
 * @throws like {@link Primary.find}
 */
export async function primaryUrlOf(databaseUrl: string): Promise<string> {
  const [first, ...others] = urlsOf(databaseUrl);
  if (others.length === 0) return first!;
  const primary = new Primary(databaseUrl, {});
  try {
    return await primary.find(commandLimitMs);
  } finally {
    await primary.close();
  }
}
