import type { Delivery } from './delivery-store.ts';

/** Whether the endpoint answered, however badly, or let the time run out; `unsent` tells nothing of it. */
export type Outcome = 'answered' | 'hung' | 'unsent';

const probeShare = 1 / 4;
const maxRemembered = 10_000;

interface Lane {
  running: number;
  waiting: Delivery[];
}

export interface LaneLimits {
  /** What an endpoint begins with; each answer allows one more, up to `perEndpoint`. */
  firstPerEndpoint: number;
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
 * deliveries under way, and so has each tenant. Lanes take turns. An endpoint that hangs keeps one
 * delivery under way as a probe until it answers, and all that hang share a quarter of the room.
 */
export class Lanes {
  #limits: LaneLimits;
  #send: (delivery: Delivery) => Promise<Outcome>;
  /** How many may be under way, of endpoints that have answered. */
  #allowed = new Map<string, number>();
  #hanging = new Set<string>();
  #probing = 0;
  #probingByTenant = new Map<string, number>();
  #lanes = new Map<string, Lane>();
  #runningByTenant = new Map<string, number>();
  #running = new Set<Promise<void>>();
  #waiting = 0;
  #stopped = false;

  constructor(limits: LaneLimits, send: (delivery: Delivery) => Promise<Outcome>) {
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
      if (lane.waiting.length >= this.#allowedOf(endpointId)) full.push(endpointId);
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
    while (!this.#stopped && lane.waiting.length > 0 && this.#mayRun(endpointId, lane)) {
      this.#runNext(endpointId, lane);
    }
  }

  #mayRun(endpointId: string, lane: Lane): boolean {
    const tenantId = lane.waiting[0]!.tenantId;
    const { perTenant, overall } = this.#limits;
    return (
      lane.running < this.#allowedOf(endpointId) &&
      (this.#runningByTenant.get(tenantId) ?? 0) < perTenant &&
      this.#running.size < overall &&
      (!this.#hanging.has(endpointId) ||
        ((this.#probingByTenant.get(tenantId) ?? 0) < perTenant * probeShare &&
          this.#probing < overall * probeShare))
    );
  }

  #allowedOf(endpointId: string): number {
    if (this.#hanging.has(endpointId)) return 1;
    const { firstPerEndpoint, perEndpoint } = this.#limits;
    return this.#allowed.get(endpointId) ?? Math.min(firstPerEndpoint, perEndpoint);
  }

  #learn(endpointId: string, outcome: Outcome): void {
    if (outcome === 'unsent') return;
    if (this.#allowed.size + this.#hanging.size >= maxRemembered) {
      this.#allowed.clear();
      this.#hanging.clear();
    }
    if (outcome === 'hung') {
      this.#hanging.add(endpointId);
      this.#allowed.delete(endpointId);
    } else {
      const allowed = Math.min(this.#allowedOf(endpointId) + 1, this.#limits.perEndpoint);
      this.#hanging.delete(endpointId);
      this.#allowed.set(endpointId, allowed);
    }
  }

  #runNext(endpointId: string, lane: Lane): void {
    const delivery = lane.waiting.shift()!;
    this.#waiting -= 1;
    // Whoever is served stands last in line, so that room in the tenant or overall goes round.
    this.#lanes.delete(endpointId);
    this.#lanes.set(endpointId, lane);
    lane.running += 1;
    const { tenantId } = delivery;
    const isProbe = this.#hanging.has(endpointId);
    this.#count(tenantId, isProbe, 1);
    const run = this.#send(delivery).then((outcome) => {
      lane.running -= 1;
      this.#count(tenantId, isProbe, -1);
      this.#learn(endpointId, outcome);
      this.#running.delete(run);
      if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(endpointId);
      this.#fillNext();
    });
    this.#running.add(run);
  }

  #fillNext(): void {
    for (const [endpointId, lane] of this.#lanes) {
      if (this.#stopped || this.#running.size >= this.#limits.overall) return;
      if (lane.waiting.length > 0 && this.#mayRun(endpointId, lane))
        this.#runNext(endpointId, lane);
    }
  }

  #count(tenantId: string, isProbe: boolean, change: number): void {
    add(this.#runningByTenant, tenantId, change);
    if (!isProbe) return;
    this.#probing += change;
    add(this.#probingByTenant, tenantId, change);
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
