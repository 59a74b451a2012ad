import type { Delivery } from './delivery-store.ts';

interface Lane {
  running: number;
  waiting: Delivery[];
}

export interface LaneLimits {
  perEndpoint: number;
  perTenant: number;
  overall: number;
  /** How many deliveries of one endpoint may wait in memory. */
  waitingPerEndpoint: number;
  /** How many may wait in all. A lane takes no more than is left free, so that some always is. */
  waitingOverall: number;
}

/**
 * One lane an endpoint, so that a slow or dead one never delays another: each has its own number of
 * deliveries under way, and so has each tenant. Lanes take turns.
 */
export class Lanes {
  #limits: LaneLimits;
  #send: (delivery: Delivery) => Promise<void>;
  #lanes = new Map<string, Lane>();
  #runningByTenant = new Map<string, number>();
  #running = new Set<Promise<void>>();
  #waiting = 0;
  #stopped = false;

  constructor(limits: LaneLimits, send: (delivery: Delivery) => Promise<void>) {
    this.#limits = limits;
    this.#send = send;
  }

  /** False where the lane has no room: the delivery comes due again when its lease ends. */
  add(delivery: Delivery): boolean {
    const lane = this.#lanes.get(delivery.endpointId) ?? { running: 0, waiting: [] };
    if (this.#stopped || lane.waiting.length >= this.#room()) return false;
    this.#lanes.set(delivery.endpointId, lane);
    lane.waiting.push(delivery);
    this.#waiting += 1;
    this.#fill(delivery.endpointId, lane);
    return true;
  }

  /** Endpoints whose lanes are filled: a claim passes them over. */
  full(): string[] {
    const full: string[] = [];
    for (const [endpointId, lane] of this.#lanes) {
      if (lane.waiting.length >= this.#limits.perEndpoint) full.push(endpointId);
    }
    return full;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  #room(): number {
    const { waitingPerEndpoint, waitingOverall } = this.#limits;
    return Math.min(waitingPerEndpoint, waitingOverall - this.#waiting);
  }

  #fill(endpointId: string, lane: Lane): void {
    while (!this.#stopped && lane.waiting.length > 0 && this.#mayRun(lane)) {
      this.#waiting -= 1;
      this.#run(endpointId, lane, lane.waiting.shift()!);
    }
  }

  #mayRun(lane: Lane): boolean {
    const tenantId = lane.waiting[0]!.tenantId;
    return (
      lane.running < this.#limits.perEndpoint &&
      (this.#runningByTenant.get(tenantId) ?? 0) < this.#limits.perTenant &&
      this.#running.size < this.#limits.overall
    );
  }

  #run(endpointId: string, lane: Lane, delivery: Delivery): void {
    // Whoever is served stands last in line, so that room in the tenant or overall goes round.
    this.#lanes.delete(endpointId);
    this.#lanes.set(endpointId, lane);
    lane.running += 1;
    this.#countTenant(delivery.tenantId, 1);
    const run = this.#send(delivery).finally(() => {
      lane.running -= 1;
      this.#countTenant(delivery.tenantId, -1);
      this.#running.delete(run);
      if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(endpointId);
      this.#fillNext();
    });
    this.#running.add(run);
  }

  #fillNext(): void {
    for (const [endpointId, lane] of this.#lanes) {
      if (lane.waiting.length === 0 || !this.#mayRun(lane)) continue;
      this.#fill(endpointId, lane);
      return;
    }
  }

  #countTenant(tenantId: string, change: number): void {
    const count = (this.#runningByTenant.get(tenantId) ?? 0) + change;
    if (count === 0) this.#runningByTenant.delete(tenantId);
    else this.#runningByTenant.set(tenantId, count);
  }
}
