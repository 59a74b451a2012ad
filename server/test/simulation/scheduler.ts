import { setImmediate as turn } from 'node:timers/promises';
import type { Random } from '../torture/random.ts';
import { EventQueue } from './event-queue.ts';
import { fraction } from './random-values.ts';

/** What the scheduler knows of a simulated process: it can freeze, and it can die. */
export interface Actor {
  name: string;
  /** Frozen until then. */
  frozenUntilMs: number;
  /** All its waiting steps are dropped. */
  isDead: boolean;
  /** Whether its steps may stall; steps of the world around the gateways never do. */
  mayFreeze: boolean;
}

export const newActor = (name: string, mayFreeze = false): Actor => ({
  name,
  frozenUntilMs: 0,
  isDead: false,
  mayFreeze,
});

/** What may run together: statements, steps that stay inside the process, or nothing. */
type Kind = 'statement' | 'event' | 'alone';

interface Step {
  actor: Actor;
  label: string;
  kind: Kind;
  /** May return a function, to run once all steps of this batch are done. */
  run(): unknown;
  wasFrozen?: true;
  isCalledOff?: true;
}

export interface Freezing {
  /** The probability that a step stalls, before it runs or before its result arrives. */
  share: number;
  longestMs: number;
  /** Only steps of this name stall. */
  label?: string | undefined;
}

/** More steps than any instant can need: reaching this limit means an endless loop. */
const maxStepsAtOnce = 50_000;

/** How many steps run at most before any of their results arrives. */
const mostTogether = [1, 8, 64] as const;

/**
 * Whenever a simulated process waits (for a statement, an operator's answer, a timer), a step waits
 * here. The seed chooses the next steps, and how many of them run before the first result arrives,
 * as from the sockets of a busy process; then all work that these results trigger finishes. If no
 * step is ready, time advances to the next timer.
 */
export class Scheduler {
  nowMs: number;
  steps = 0;
  freezing: Freezing = { share: 0, longestMs: 0 };
  /** Called for each stalled step. */
  onFreeze: (actor: Actor, label: string, forMs: number) => void = () => {};
  #random: Random;
  #tickMs: number;
  #ready = { statement: [] as Step[], other: [] as Step[] };
  #future = new EventQueue<Step>();
  #stepsAtOnce = 0;

  /** @param tickMs the least distance between instants */
  constructor(startMs: number, random: Random, tickMs = 1) {
    this.nowMs = startMs;
    this.#random = random;
    this.#tickMs = tickMs;
  }

  /** Waits for its turn, then runs the work; alone, unless the work is a single statement. */
  turn<T>(
    who: Actor,
    label: string,
    work: () => Promise<T>,
    kind: 'statement' | 'alone' = 'alone',
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        const deliver = await work().then(
          (result) => () => resolve(result),
          (error) => () => reject(error),
        );
        // The work is done, but its process may still stall before it continues.
        const result: Step = {
          actor: who,
          label: `the result of ${label}`,
          kind: 'event',
          run: deliver,
        };
        return () => {
          if (this.#freezes(result)) this.#holdUp(result);
          else if (!who.isDead) deliver();
        };
      };
      this.#ready[kind === 'statement' ? kind : 'other'].push({ actor: who, label, kind, run });
    });
  }

  /** Runs a function after a delay; returns a function that cancels it. */
  after(
    actor: Actor,
    waitMs: number,
    label: string,
    run: () => Promise<void> | void,
    kind: 'event' | 'alone' = 'event',
  ): () => void {
    const step: Step = { actor, label, kind, run };
    this.#add(waitMs, step);
    return () => {
      step.isCalledOff = true;
    };
  }

  /** Whether this instant has further steps. */
  get isBusyNow(): boolean {
    this.#callDue();
    return this.#ready.statement.length + this.#ready.other.length > 0;
  }

  /** Runs until it is stopped, or nothing is left to wait for. */
  async run(isDone: () => boolean): Promise<void> {
    await settled();
    while (!isDone()) {
      const first = this.#next() ?? this.#nextInstant();
      if (!first) return;
      await this.#runTogether(first);
      await settled();
    }
  }

  async #runTogether(first: Step): Promise<void> {
    const most = first.kind === 'alone' ? 1 : this.#random.pick(mostTogether);
    const line = this.#ready[first.kind === 'statement' ? 'statement' : 'other'];
    // Started one after another, so that several statements are on their way to the database at
    // once.
    const running = [first.run()];
    while (running.length < most) {
      const step = this.#nextOf(line);
      if (!step) break;
      if (step.kind === 'alone') {
        line.push(step);
        break;
      }
      running.push(step.run());
    }
    this.steps += running.length;
    for (const finish of await Promise.all(running)) if (typeof finish === 'function') finish();
  }

  /** The first step of the next instant that has one. */
  #nextInstant(): Step | undefined {
    while (this.#future.first) {
      this.nowMs = this.#future.first.atMs;
      this.#stepsAtOnce = 0;
      const step = this.#next();
      if (step) return step;
    }
    return undefined;
  }

  /** Undefined when this instant has no further step. */
  #next(): Step | undefined {
    for (;;) {
      this.#callDue();
      const { statement, other } = this.#ready;
      const count = statement.length + other.length;
      if (count === 0) return undefined;
      const step = this.#nextOf(this.#random.below(count) < other.length ? other : statement);
      if (step) return step;
    }
  }

  #callDue(): void {
    const later = this.#future;
    while (later.first && later.first.atMs <= this.nowMs) {
      const step = later.take();
      this.#ready[step.kind === 'statement' ? 'statement' : 'other'].push(step);
    }
  }

  #nextOf(line: Step[]): Step | undefined {
    while (line.length > 0) {
      const step = this.#pick(line);
      const { isDead, frozenUntilMs } = step.actor;
      if (step.isCalledOff || isDead) continue;
      if (frozenUntilMs > this.nowMs) this.#add(frozenUntilMs - this.nowMs, step);
      else if (this.#freezes(step)) this.#holdUp(step);
      else return this.#counted(step);
    }
    return undefined;
  }

  #counted(step: Step): Step {
    this.#stepsAtOnce += 1;
    if (this.#stepsAtOnce > maxStepsAtOnce) throw new Error(`endless loop: ${step.label}`);
    return step;
  }

  #pick(line: Step[]): Step {
    const index = this.#random.below(line.length);
    const step = line[index]!;
    const last = line.pop()!;
    if (index < line.length) line[index] = last;
    return step;
  }

  #freezes({ actor, label, wasFrozen }: Step): boolean {
    const { share, label: only = '' } = this.freezing;
    const may = share > 0 && actor.mayFreeze && !wasFrozen && label.includes(only);
    return may && this.#random.chance(share);
  }

  #holdUp(step: Step): void {
    step.wasFrozen = true;
    // Long stalls are as frequent as short ones.
    const forMs = Math.ceil(this.freezing.longestMs ** fraction(this.#random));
    this.onFreeze(step.actor, step.label, forMs);
    this.#add(forMs, step);
  }

  #add(waitMs: number, step: Step): void {
    const atMs = this.nowMs + Math.max(0, waitMs);
    this.#future.add(Math.ceil(atMs / this.#tickMs) * this.#tickMs, step);
  }
}

/**
 * Batchers collect for one turn of the event loop; the work that they start needs at most another.
 */
async function settled(): Promise<void> {
  await turn();
  await turn();
}
