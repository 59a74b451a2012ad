import { between } from './chances.ts';
import type { World } from './dependencies.ts';
import type { Desk } from './desk.ts';
import { type Gateway, openGateway } from './gateway.ts';
import type { People } from './people.ts';
import { newActor } from './scheduler.ts';

/** What befalls gateways and their database: kills, freezes, set-backs; and who is up. */
export class Fates {
  readonly actor = newActor('fate');
  #world: World;
  #desk: Desk;
  #people: Pick<People, 'repeatLostRefunds'>;
  #gateways: (Gateway | undefined)[] = [];
  #starts = 0;
  #open = 0;

  constructor(world: World, desk: Desk, people: Pick<People, 'repeatLostRefunds'>) {
    this.#world = world;
    this.#desk = desk;
    this.#people = people;
  }

  /** Nothing more will happen by itself. */
  get isIdle(): boolean {
    return this.#open === 0;
  }

  /** A gateway that takes requests: which of them, the load balancer chooses. */
  anyGateway(): Gateway | undefined {
    const up = this.#gateways.filter((gateway) => gateway !== undefined);
    return up.length === 0 ? undefined : this.#world.random.pick(up);
  }

  plan(): void {
    const { dials, random } = this.#world;
    for (const index of dials.gateways.keys()) this.#start(index);
    const someTime = () => between(random, 2_000, dials.rushMs + 60_000);
    for (let kill = 0; kill < dials.kills; kill++) {
      this.#later(someTime(), () => this.#kill(random.below(dials.gateways.length)));
    }
    for (let freeze = 0; freeze < dials.frozenGateways; freeze++) {
      this.#later(someTime(), () => this.#freeze(random.below(dials.gateways.length)));
    }
    for (let setBack = 0; setBack < dials.setBacks; setBack++) {
      this.#later(someTime(), () => this.#keep());
    }
  }

  #later(waitMs: number, befall: () => Promise<void> | void): void {
    this.#open += 1;
    const run = () => {
      this.#open -= 1;
      return befall();
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
    trace.tell(actor.name, 'starts');
    void gateway.start();
  }

  #kill(index: number, longestMs = 10_000): void {
    const { trace, random } = this.#world;
    const gateway = this.#gateways[index];
    if (!gateway) return;
    gateway.actor.isDead = true;
    this.#gateways[index] = undefined;
    trace.tell(gateway.actor.name, 'is killed');
    this.#later(between(random, 500, longestMs), () => this.#start(index));
  }

  #freeze(index: number): void {
    const { trace, random, scheduler } = this.#world;
    const gateway = this.#gateways[index];
    if (!gateway) return;
    const forMs = between(random, 1_000, 40_000);
    gateway.actor.frozenUntilMs = scheduler.nowMs + forMs;
    trace.tell(gateway.actor.name, `freezes for ${forMs / 1_000} s`);
  }

  async #keep(): Promise<void> {
    const { store, trace, random } = this.#world;
    trace.tell('the database', 'is as it will be set back to');
    await store.keep();
    this.#later(between(random, 300, 15_000), () => this.#setBack());
  }

  /** A restore ends the gateways; in a fail-over they go on with what they remember. */
  async #setBack(): Promise<void> {
    const { store, trace, random, checks } = this.#world;
    const isRestore = random.chance(0.5);
    if (isRestore) for (const index of this.#gateways.keys()) this.#kill(index, 120_000);
    trace.tell('the database', `is set back: ${isRestore ? 'a restore' : 'a fail-over'}`);
    await checks.whileSetBack(() => store.setBack());
    this.#desk.holdBackFiles();
    // When nothing is overdue, and what was on its way has arrived.
    this.#people.repeatLostRefunds('while nobody has recovered');
    this.#later(400_000, () => {
      // Its statements are steps of their own, so nothing waits for it here.
      void this.#recover();
    });
  }

  async #recover(): Promise<void> {
    this.#open += 1;
    await this.#desk.recover();
    this.#people.repeatLostRefunds('afterwards');
    this.#open -= 1;
  }
}
