import { setImmediate as turn } from 'node:timers/promises';
import type { Random } from '../torture/random.ts';
import { fraction } from './chances.ts';

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

interface Step {
  actor: Actor;
  label: string;
  run(): Promise<void> | void;
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

/**
 * One step at a time, chosen by the seed. Whatever a simulated process waits for (a statement, an
 * answer of an operator, a timer) is a step that waits here; the one that is picked runs alone until
 * nothing of it is left to run. When no step is ready, the time goes on to the next timer.
 */
export class Scheduler {
  nowMs: number;
  steps = 0;
  freezing: Freezing = { share: 0, longestMs: 0 };
  /** Hears of each step that was held up. */
  onFreeze: (actor: Actor, label: string, forMs: number) => void = () => {};
  #random: Random;
  #ready: Step[] = [];
  #later = new Timetable<Step>();
  #stepsAtOnce = 0;

  constructor(startMs: number, random: Random) {
    this.nowMs = startMs;
    this.#random = random;
  }

  /** Waits for its turn, then works alone. */
  turn<T>(who: Actor, label: string, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        let hear: () => void;
        try {
          const result = await work();
          hear = () => resolve(result);
        } catch (error) {
          hear = () => reject(error);
        }
        // What was done is done; that its process does not go on yet is another matter.
        const heard: Step = { actor: who, label: `the result of ${label}`, run: hear };
        if (this.#freezes(heard)) this.#holdUp(heard);
        else if (!who.isDead) hear();
      };
      this.#ready.push({ actor: who, label, run });
    });
  }

  /** Runs something after so long; gives what calls it off. */
  after(who: Actor, waitMs: number, label: string, run: () => Promise<void> | void): () => void {
    const step: Step = { actor: who, label, run };
    this.#later.add(this.nowMs + Math.max(0, Math.ceil(waitMs)), step);
    return () => {
      step.isCalledOff = true;
    };
  }

  /** Goes on until it is told to stop, or there is nothing left to wait for. */
  async run(isDone: () => boolean): Promise<void> {
    await settled();
    while (!isDone()) {
      const step = this.#next();
      if (!step) return;
      await step.run();
      this.steps += 1;
      await settled();
    }
  }

  #next(): Step | undefined {
    for (;;) {
      for (const step of this.#later.until(this.nowMs)) this.#ready.push(step);
      const step = this.#pick();
      if (!step) {
        const nextMs = this.#later.nextMs();
        if (nextMs === undefined) return undefined;
        this.nowMs = nextMs;
        this.#stepsAtOnce = 0;
        continue;
      }
      const { isDead, frozenUntilMs } = step.actor;
      if (step.isCalledOff || isDead) continue;
      if (frozenUntilMs > this.nowMs) this.#later.add(frozenUntilMs, step);
      else if (this.#freezes(step)) this.#holdUp(step);
      else return this.#counted(step);
    }
  }

  #counted(step: Step): Step {
    this.#stepsAtOnce += 1;
    if (this.#stepsAtOnce > maxStepsAtOnce) throw new Error(`it turns in circles: ${step.label}`);
    return step;
  }

  #pick(): Step | undefined {
    if (this.#ready.length === 0) return undefined;
    const index = this.#random.below(this.#ready.length);
    const step = this.#ready[index];
    const last = this.#ready.pop()!;
    if (index < this.#ready.length) this.#ready[index] = last;
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
    this.#later.add(this.nowMs + forMs, step);
  }
}

/** Batchers gather for one turn of the event loop; what that sets going takes another at most. */
async function settled(): Promise<void> {
  await turn();
  await turn();
}

/** What is to happen when, in the order of instants and then of arrival: a binary heap. */
class Timetable<Item> {
  #entries: { atMs: number; number: number; item: Item }[] = [];
  #count = 0;

  nextMs(): number | undefined {
    return this.#entries[0]?.atMs;
  }

  *until(nowMs: number): Generator<Item> {
    while (this.#entries.length > 0 && this.#entries[0]!.atMs <= nowMs) yield this.#take();
  }

  add(atMs: number, item: Item): void {
    const entries = this.#entries;
    entries.push({ atMs, number: this.#count++, item });
    let index = entries.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #take(): Item {
    const first = this.#entries[0]!;
    const last = this.#entries.pop()!;
    if (this.#entries.length > 0) {
      this.#entries[0] = last;
      this.#sink();
    }
    return first.item;
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < this.#entries.length && this.#isBefore(child, least)) least = child;
      }
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #isBefore(left: number, right: number): boolean {
    const [a, b] = [this.#entries[left]!, this.#entries[right]!];
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);
  }

  #swap(left: number, right: number): void {
    const entry = this.#entries[left]!;
    this.#entries[left] = this.#entries[right]!;
    this.#entries[right] = entry;
  }
}
