import type { ByteBudget } from '../../platform/memory/byte-budget.ts';
import { type RoomListener, WantOfRoom } from '../../platform/memory/memory-waiters.ts';
import type { Delivery } from './delivery-store.ts';
import { EndpointSpeeds, type Outcome } from './endpoint-speeds.ts';

export type { Outcome } from './endpoint-speeds.ts';

/** Endpoints not known to be quick share half of the room. */
const careShare = 1 / 2;
/** For an endpoint that answers quickly, the waiting deliveries as a multiple of those sent at once. */
const claimedAhead = 10;
/** The memory of a delivery besides its body. */
const overheadBytes = 1024;

export interface QueueLimits {
  /** The initial limit of an endpoint; each quick answer adds one, up to `perEndpoint`. */
  firstPerEndpoint: number;
  perEndpoint: number;
  perTenant: number;
  /** The limit of all test tenants together: the rest of `overall` is reserved for live ones. */
  test: number;
  overall: number;
  /** How many deliveries of one endpoint may wait in memory. */
  waitingPerEndpoint: number;
  /** Room for this many bytes is worth a claim. */
  claimedPerTenantBytes: number;
}

/** Learns that there is room for deliveries that were left in the table. */
interface QueueListener extends RoomListener {
  ofEndpoint(endpointId: string): void;
}

const nobody: QueueListener = { ofEndpoint() {}, ofTenant() {}, ofAll() {} };

interface Queue {
  running: number;
  waiting: Delivery[];
}

/** Sends under way: all of them, and those whose endpoint is not known to be quick. */
interface Count {
  all: number;
  careful: number;
}

interface TenantQueues extends Count {
  tenantId: string;
  mode: 'live' | 'test';
  queues: Map<string, Queue>;
}

/**
 * One queue for each endpoint, so that a slow or dead one never delays another. Tenants take turns, and within a
 * tenant its endpoints: more endpoints do not mean more turns. Endpoints that are not known to answer quickly share
 * half of the slots of their tenant and of all; one that hangs keeps one delivery under way as a probe until it
 * answers.
 */
export class EndpointQueues {
  #limits: QueueLimits;
  #send: (delivery: Delivery) => Promise<Outcome>;
  #speeds: EndpointSpeeds;
  /** The tenant that was just served goes to the back. */
  #tenants = new Map<string, TenantQueues>();
  #counts = { live: { all: 0, careful: 0 }, test: { all: 0, careful: 0 } };
  #bytes: ByteBudget;
  #running = new Set<Promise<void>>();
  #stopped = false;
  /** Endpoints with enough waiting deliveries, although more of theirs may be due. */
  #passedOver = new Set<string>();
  #listener: QueueListener;
  #want: WantOfRoom;

  /**
   * @param bytes the limit of memory, for waiting deliveries and sends under way.
   * @param listener learns which tenants and endpoints claims skipped, once there is room again.
   */
  constructor(
    limits: QueueLimits,
    bytes: ByteBudget,
    send: (delivery: Delivery) => Promise<Outcome>,
    listener: QueueListener = nobody,
  ) {
    this.#limits = limits;
    this.#listener = listener;
    this.#want = new WantOfRoom(bytes, limits.claimedPerTenantBytes, listener);
    this.#send = send;
    this.#speeds = new EndpointSpeeds(
      Math.min(limits.firstPerEndpoint, limits.perEndpoint),
      limits.perEndpoint,
    );
    this.#bytes = bytes;
  }

  /**
   * Whether events that are about to be written may be dispatched in memory: each of their tenants has room for at
   * least one delivery at each endpoint in memory. Deliveries that do not fit after all are refused by {@link add}.
   */
  hasRoomFor(events: readonly { tenantId: string; body: string }[]): boolean {
    if (this.room('live') <= 0) return false;
    const neededBytes = new Map<string, number>();
    for (const event of events) {
      const needed = neededBytes.get(event.tenantId) ?? 0;
      neededBytes.set(event.tenantId, needed + bytesOf(event));
    }
    if (neededBytes.size === 0) return true;
    return [...neededBytes].some(([tenantId, needed]) => {
      const tenant = this.#tenants.get(tenantId);
      return !tenant || needed * tenant.queues.size <= this.roomFor(tenant);
    });
  }

  /** False if there is no room: then another process must be able to take it. */
  add(delivery: Delivery): boolean {
    const waiting = this.#tenants.get(delivery.tenantId)?.queues.get(delivery.endpointId)?.waiting;
    if (this.#stopped || (waiting?.length ?? 0) >= this.#limits.waitingPerEndpoint) return false;
    if (bytesOf(delivery) > this.roomFor(delivery)) return false;
    this.addClaimed(delivery);
    return true;
  }

  /** For a delivery that was claimed because there was room. */
  addClaimed(delivery: Delivery): void {
    if (this.#stopped) return;
    const { tenantId, endpointId, mode } = delivery;
    let tenant = this.#tenants.get(tenantId);
    if (!tenant) {
      tenant = { tenantId, mode, queues: new Map(), all: 0, careful: 0 };
      this.#tenants.set(tenantId, tenant);
    }
    const queue = tenant.queues.get(endpointId) ?? { running: 0, waiting: [] };
    tenant.queues.set(endpointId, queue);
    queue.waiting.push(delivery);
    this.#bytes.take(delivery, bytesOf(delivery));
    if (this.#tenantMayRun(tenant) && this.#queueMayRun(tenant, endpointId, queue)) {
      this.#runNext(tenant, endpointId, queue);
    }
    if (queue.waiting.length >= this.#enoughFor(endpointId)) this.#passedOver.add(endpointId);
  }

  /** How many more bytes the tenant may have in memory. */
  roomFor(owner: Pick<Delivery, 'tenantId' | 'mode'>): number {
    return this.#bytes.roomFor(owner);
  }

  /** How many more bytes all tenants of a mode may have in memory. */
  room(mode: 'live' | 'test'): number {
    return this.#bytes.left(mode);
  }

  /** Tenants and endpoints without room now: claims skip them, and the listener learns when they have room. */
  full(): { tenantIds: string[]; endpointIds: string[] } {
    const tenantIds: string[] = [];
    const endpointIds: string[] = [];
    for (const tenant of this.#tenants.values()) {
      if (this.roomFor(tenant) < this.#limits.claimedPerTenantBytes) {
        tenantIds.push(tenant.tenantId);
      } else {
        for (const [id, { waiting }] of tenant.queues) {
          if (waiting.length >= this.#enoughFor(id)) endpointIds.push(id);
        }
      }
    }
    for (const id of endpointIds) this.#passedOver.add(id);
    for (const id of tenantIds) this.#want.note(id);
    return { tenantIds, endpointIds };
  }

  /** Whether a mode has no room now; if so, the listener learns when it has. */
  isFull(mode: 'live' | 'test'): boolean {
    const isFull = this.room(mode) < this.#limits.claimedPerTenantBytes;
    if (isFull) this.#want.noteMode(mode);
    return isFull;
  }

  /** Records that a claim has skipped a delivery, so that the listener learns of room for it. */
  isPassedOver({ tenantId, endpointId }: Pick<Delivery, 'tenantId' | 'endpointId'>): boolean {
    return this.#want.has(tenantId) || this.#passedOver.has(endpointId);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  #tenantMayRun({ all, mode }: TenantQueues): boolean {
    const { perTenant, test, overall } = this.#limits;
    const counts = this.#counts;
    return (
      !this.#stopped &&
      all < perTenant &&
      counts.live.all + counts.test.all < overall &&
      (mode === 'live' || counts.test.all < test)
    );
  }

  #queueMayRun({ careful, mode }: TenantQueues, endpointId: string, { running }: Queue): boolean {
    if (running >= this.#speeds.allowed(endpointId)) return false;
    if (this.#speeds.isQuick(endpointId)) return true;
    const { perTenant, test, overall } = this.#limits;
    const counts = this.#counts;
    return (
      careful < perTenant * careShare &&
      counts.live.careful + counts.test.careful < overall * careShare &&
      (mode === 'live' || counts.test.careful < test * careShare)
    );
  }

  #runNext(tenant: TenantQueues, endpointId: string, queue: Queue): void {
    const delivery = queue.waiting.shift()!;
    // A served queue goes to the back of the line, so that room in the tenant or overall is shared in turns.
    tenant.queues.delete(endpointId);
    tenant.queues.set(endpointId, queue);
    this.#tenants.delete(tenant.tenantId);
    this.#tenants.set(tenant.tenantId, tenant);
    queue.running += 1;
    const isCareful = !this.#speeds.isQuick(endpointId);
    this.#count(tenant, isCareful, 1);
    const run = this.#send(delivery).then((outcome) => {
      queue.running -= 1;
      this.#count(tenant, isCareful, -1);
      this.#bytes.take(delivery, -bytesOf(delivery));
      this.#speeds.learn(endpointId, outcome);
      this.#running.delete(run);
      if (queue.running === 0 && queue.waiting.length === 0) tenant.queues.delete(endpointId);
      if (tenant.queues.size === 0) this.#tenants.delete(tenant.tenantId);
      this.#serveAll();
      this.#tellOfRoom(tenant, endpointId, queue);
      this.#want.gaveBack(tenant, !this.#tenants.has(tenant.tenantId));
    });
    this.#running.add(run);
  }

  /** One delivery of each tenant in turn, until no tenant may send more. */
  #serveAll(): void {
    for (const tenant of this.#tenants.values()) {
      if (this.#running.size >= this.#limits.overall) return;
      this.#serveOne(tenant);
    }
  }

  #serveOne(tenant: TenantQueues): void {
    if (!this.#tenantMayRun(tenant)) return;
    for (const [endpointId, queue] of tenant.queues) {
      if (queue.waiting.length === 0 || !this.#queueMayRun(tenant, endpointId, queue)) continue;
      this.#runNext(tenant, endpointId, queue);
      return;
    }
  }

  /** As many wait as are sent while a claim brings more. For a slow endpoint, no more than are sent to it at once. */
  #enoughFor(endpointId: string): number {
    const allowed = this.#speeds.allowed(endpointId);
    const enough = this.#speeds.isQuick(endpointId) ? allowed * claimedAhead : allowed;
    return Math.min(enough, this.#limits.waitingPerEndpoint);
  }

  #tellOfRoom({ tenantId }: TenantQueues, endpointId: string, { waiting }: Queue): void {
    if (!this.#passedOver.has(endpointId) || waiting.length >= this.#enoughFor(endpointId)) return;
    this.#passedOver.delete(endpointId);
    // If the tenant has no room, its endpoints all learn of room together.
    if (this.#want.has(tenantId)) return;
    this.#listener.ofEndpoint(endpointId);
  }

  #count(tenant: TenantQueues, isCareful: boolean, change: number): void {
    for (const count of [tenant, this.#counts[tenant.mode]]) {
      count.all += change;
      if (isCareful) count.careful += change;
    }
  }
}

/** An estimate of the text's length in UTF-8: nearly always the number of its characters. */
function bytesOf({ body }: Pick<Delivery, 'body'>): number {
  return body.length + overheadBytes;
}
