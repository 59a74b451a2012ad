import type { World } from './dependencies.ts';
import { type Gateway, openGateway } from './gateway.ts';
import type { People } from './people.ts';
import { between } from './random-values.ts';
import { newActor } from './scheduler.ts';
import type { Staff } from './staff.ts';

/**
 * Injects faults into gateways and their database (kills, freezes, set-backs), and knows which
 * gateways are up.
 */
export class FaultInjector {
  readonly actor = newActor('fate');
  #world: World;
  #staff: Staff;
  #people: Pick<People, 'repeatLostRefunds'>;
  #gateways: (Gateway | undefined)[] = [];
  #starts = 0;
  #open = 0;

  constructor(world: World, staff: Staff, people: Pick<People, 'repeatLostRefunds'>) {
    this.#world = world;
    this.#staff = staff;
    this.#people = people;
  }

  /** No fault or recovery is still planned. */
  get isIdle(): boolean {
    return this.#open === 0;
  }

  /** A gateway that takes requests, as a load balancer would pick one. */
  anyGateway(): Gateway | undefined {
    const up = this.#gateways.filter((gateway) => gateway !== undefined);
    return up.length === 0 ? undefined : this.#world.random.pick(up);
  }

  plan(): void {
    const { dials, random } = this.#world;
    for (const index of dials.gateways.keys()) this.#start(index);
    const randomTime = () => between(random, 2_000, dials.rushMs + 60_000);
    for (let kill = 0; kill < dials.kills; kill++) {
      this.#schedule(randomTime(), () => this.#kill(random.below(dials.gateways.length)));
    }
    for (let freeze = 0; freeze < dials.frozenGateways; freeze++) {
      this.#schedule(randomTime(), () => this.#freeze(random.below(dials.gateways.length)));
    }
    for (let setBack = 0; setBack < dials.setBacks; setBack++) {
      this.#schedule(randomTime(), () => this.#takeSnapshot());
    }
  }

  #schedule(waitMs: number, inject: () => Promise<void> | void): void {
    this.#open += 1;
    const run = () => {
      this.#open -= 1;
      return inject();
    };
    this.#world.scheduler.after(this.actor, waitMs, 'fate', run, 'alone');
  }

  #start(index: number): void {
    const { dials, trace } = this.#world;
    if (this.#gateways[index]) return;
    this.#starts += 1;
    const name = `gateway ${index + 1}`;
    const actor = newActor(this.#starts > dials.gateways.length ? `${name}'` : name, true);
    const gateway = openGateway({ world: this.#world, dials: dials.gateways[index]!, actor });
    this.#gateways[index] = gateway;
    trace.add(actor.name, 'starts');
    void gateway.start();
  }

  #kill(index: number, longestMs = 10_000): void {
    const { trace, random } = this.#world;
    const gateway = this.#gateways[index];
    if (!gateway) return;
    gateway.actor.isDead = true;
    this.#gateways[index] = undefined;
    trace.add(gateway.actor.name, 'is killed');
    this.#schedule(between(random, 500, longestMs), () => this.#start(index));
  }

  #freeze(index: number): void {
    const { trace, random, scheduler } = this.#world;
    const gateway = this.#gateways[index];
    if (!gateway) return;
    const forMs = between(random, 1_000, 40_000);
    gateway.actor.frozenUntilMs = scheduler.nowMs + forMs;
    trace.add(gateway.actor.name, `freezes for ${forMs / 1_000} s`);
  }

  async #takeSnapshot(): Promise<void> {
    const { store, trace, random, checks } = this.#world;
    trace.add('the database', 'is as it will be set back to');
    await store.takeSnapshot();
    checks.onSnapshot();
    this.#schedule(between(random, 300, 15_000), () => this.#setBack());
  }

  /** A restore kills the gateways; after a fail-over they keep running with their memory. */
  async #setBack(): Promise<void> {
    const { store, trace, random, checks } = this.#world;
    const isRestore = random.chance(0.5);
    if (isRestore) for (const index of this.#gateways.keys()) this.#kill(index, 120_000);
    trace.add('the database', `is set back: ${isRestore ? 'a restore' : 'a fail-over'}`);
    await checks.whileSetBack(() => store.setBack());
    this.#staff.holdBackFiles();
    // Until nothing is overdue, and answers in flight have arrived.
    this.#people.repeatLostRefunds('while nobody has recovered');
    this.#schedule(400_000, () => {
      // Not awaited, because its statements are steps themselves.
      void this.#recover();
    });
  }

  async #recover(): Promise<void> {
    this.#open += 1;
    await this.#staff.recover();
    this.#people.repeatLostRefunds('afterwards');
    this.#open -= 1;
  }
}
