import { setImmediate as turn } from 'node:timers/promises';
import type { Random } from '../torture/random.ts';
import { fraction } from './chances.ts';
import { Timetable } from './timetable.ts';

/** A process of the world, as far as the scheduler knows it: it can be frozen, and it can die. */
export interface Actor {
  name: string;
  /** Nothing of it goes on before. */
  frozenUntilMs: number;
  /** What still waits for it is forgotten. */
  isDead: boolean;
  /** Whether its single steps may be held up; the world around the gateways never is. */
  mayFreeze: boolean;
}

export const newActor = (name: string, mayFreeze = false): Actor => ({
  name,
  frozenUntilMs: 0,
  isDead: false,
  mayFreeze,
});

/** What may run together: statements, or what asks nobody outside of the process; or nothing beside it. */
type Kind = 'statement' | 'event' | 'alone';

interface Step {
  actor: Actor;
  label: string;
  kind: Kind;
  /** May promise a function: what is to be done when all that ran together is done. */
  run(): unknown;
  wasFrozen?: true;
  isCalledOff?: true;
}

export interface Freezing {
  /** The chance of each step to be held up, before it or before its result is heard. */
  share: number;
  longestMs: number;
  /** Only steps of such a name. */
  label?: string | undefined;
}

/** More steps than any instant can need: something turns in circles. */
const maxStepsAtOnce = 50_000;

/** How many steps are taken at most before any of them is heard. */
const mostTogether = [1, 8, 64] as const;

/**
 * Whatever a simulated process waits for (a statement, an answer of an operator, a timer) is a step that
 * waits here. The seed chooses which comes next, and how many come before the first of them is heard, as
 * from the sockets of a busy process; then nothing goes on until nothing of these is left to run. When no
 * step is ready, the time goes on to the next timer.
 */
export class Scheduler {
  nowMs: number;
  steps = 0;
  freezing: Freezing = { share: 0, longestMs: 0 };
  /** Hears of each step that was held up. */
  onFreeze: (actor: Actor, label: string, forMs: number) => void = () => {};
  #random: Random;
  #tickMs: number;
  #ready = { statement: [] as Step[], other: [] as Step[] };
  #later = new Timetable<Step>();
  #stepsAtOnce = 0;

  /** @param tickMs how far apart instants are at least */
  constructor(startMs: number, random: Random, tickMs = 1) {
    this.nowMs = startMs;
    this.#random = random;
    this.#tickMs = tickMs;
  }

  /** Waits for its turn, then works; alone, unless it is a single statement. */
  turn<T>(
    who: Actor,
    label: string,
    work: () => Promise<T>,
    kind: 'statement' | 'alone' = 'alone',
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        const hear = await work().then(
          (result) => () => resolve(result),
          (error) => () => reject(error),
        );
        // What was done is done; that its process does not go on yet is another matter.
        const heard: Step = {
          actor: who,
          label: `the result of ${label}`,
          kind: 'event',
          run: hear,
        };
        return () => {
          if (this.#freezes(heard)) this.#holdUp(heard);
          else if (!who.isDead) hear();
        };
      };
      this.#ready[kind === 'statement' ? kind : 'other'].push({ actor: who, label, kind, run });
    });
  }

  /** Runs something after so long; gives what calls it off. */
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

  /** Whether something else is to happen at this instant. */
  get isBusyNow(): boolean {
    this.#callDue();
    return this.#ready.statement.length + this.#ready.other.length > 0;
  }

  /** Goes on until it is told to stop, or there is nothing left to wait for. */
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
    // Begun one after another: statements are on their way to the database at once.
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

  /** The first step of the next instant at which there is one. */
  #nextInstant(): Step | undefined {
    while (this.#later.first) {
      this.nowMs = this.#later.first.atMs;
      this.#stepsAtOnce = 0;
      const step = this.#next();
      if (step) return step;
    }
    return undefined;
  }

  /** Undefined when nothing is left to do at this instant. */
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
    const later = this.#later;
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
    if (this.#stepsAtOnce > maxStepsAtOnce) throw new Error(`it turns in circles: ${step.label}`);
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
    // As many short ones as long ones.
    const forMs = Math.ceil(this.freezing.longestMs ** fraction(this.#random));
    this.onFreeze(step.actor, step.label, forMs);
    this.#add(forMs, step);
  }

  #add(waitMs: number, step: Step): void {
    const atMs = this.nowMs + Math.max(0, waitMs);
    this.#later.add(Math.ceil(atMs / this.#tickMs) * this.#tickMs, step);
  }
}

/** Batchers gather for one turn of the event loop; what that sets going takes another at most. */
async function settled(): Promise<void> {
  await turn();
  await turn();
}
