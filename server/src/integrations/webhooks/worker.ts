import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import { createSemaphore } from '../../platform/jobs/semaphore.ts';
import type { ByteBudget } from '../../platform/memory/byte-budget.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { pageBytes } from '../../platform/postgres/page-bytes.ts';
import { type Clock, isReliable } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import type { Subscription } from '../events/append.ts';
import type { DeliveryDispatcher } from '../events/dispatch.ts';
import type { NewEvent } from '../events/event.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import { DeliveryReleaser } from './delivery-releaser.ts';
import {
  claimDueDeliveries,
  type Delivery,
  type DeliveryAttempt,
  givenUp,
  waitForEndpoint,
} from './delivery-store.ts';
import { EndpointQueues, type Outcome, type QueueLimits } from './endpoint-queues.ts';
import { type DisabledEndpoint, EndpointHealth } from './health.ts';
import { nextAttemptDelayMs } from './retry.ts';
import type { Sender, SendResult } from './send.ts';
import { deliveryHeaders, secretsAt } from './signature.ts';
import type { Target, TargetCache } from './target-cache.ts';
import type { TenantModes } from './tenant-modes.ts';

export interface WebhookWorkerDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  /** Receivers compare signatures with their own clocks, so these use the machine's time. */
  wallClock: Clock;
  log: Logger;
  sender: Sender;
  targets: TargetCache;
  modes: TenantModes;
  memory: ByteBudget;
  /** How long an attempt may take. */
  attemptTimeoutMs: number;
  /** From 0 to 1, for the spread of the intervals. */
  random: () => number;
  onAttempt: (result: SendResult, mode: 'live' | 'test') => void;
  onDisabled: (disabled: DisabledEndpoint) => void;
  /** Wakes the worker when a watch sees new rows. */
  idleIntervalMs?: number | undefined;
}

/** Fractions of an attempt's time limit. A slower attempt holds a slot that others could use, whatever the answer. */
const slowShare = 1 / 15;
const hungShare = 1 / 3;
const maxClaimed = 500;

const queueLimits: QueueLimits = {
  firstPerEndpoint: 2,
  perEndpoint: 24,
  perTenant: 64,
  test: 256,
  overall: 512,
  waitingPerEndpoint: 2_000,
  claimedPerTenantBytes: pageBytes / 32,
};

/** The tenants and endpoints that have room again. */
interface Drained {
  endpointIds: Set<string>;
  tenantIds: Set<string>;
}

const noneDrained = (): Drained => ({ endpointIds: new Set(), tenantIds: new Set() });

/** Signs and sends deliveries: those dispatched in memory, and those in the table. */
export class WebhookWorker implements DeliveryDispatcher {
  #dependencies: WebhookWorkerDependencies;
  /** Longer than several attempts, so that no other process sends meanwhile. */
  #leaseLengthMs: number;
  /** The rest of the lease must be long enough for a whole attempt. */
  #attemptReserveMs: number;
  #queues: EndpointQueues;
  #loop: Poller;
  #recorder: AttemptRecorder;
  #releaser: DeliveryReleaser;
  #started = false;
  /** One claim at a time: the next may take only the room that the last has left. */
  #claimInTurn = createSemaphore(1);
  /** Tenants and endpoints that may have more due. */
  #drained = noneDrained();
  #refilling: Promise<void> | undefined;

  constructor(dependencies: WebhookWorkerDependencies) {
    this.#dependencies = dependencies;
    this.#leaseLengthMs = dependencies.attemptTimeoutMs * 3;
    this.#attemptReserveMs = Math.round((dependencies.attemptTimeoutMs * 4) / 3);
    const deliver = (delivery: Delivery) => this.#deliver(delivery);
    this.#queues = new EndpointQueues(queueLimits, dependencies.memory, deliver, {
      ofEndpoint: (id) => this.#refill('endpointIds', id),
      ofTenant: (id) => this.#refill('tenantIds', id),
      ofAll: () => this.wake(),
    });
    const { clock, ids, log, database, idleIntervalMs } = dependencies;
    const health = new EndpointHealth({
      database,
      clock,
      ids,
      log,
      onDisabled: (disabled) => {
        this.endpointChanged(disabled.endpointId);
        dependencies.onDisabled(disabled);
      },
    });
    const claim = () => this.#claim();
    this.#loop = new Poller({ name: 'deliveries', clock, log, claim, idleIntervalMs });
    const onDueAgain = (atMs: number) => this.#loop.wakeAt(atMs);
    this.#recorder = new AttemptRecorder({ database, clock, log, health, onDueAgain });
    this.#releaser = new DeliveryReleaser({
      database,
      log,
      leaseLengthMs: this.#leaseLengthMs,
      onReleased: (deliveries) => this.#wakeFor(deliveries),
    });
  }

  start(): void {
    this.#started = true;
    this.#loop.start();
  }

  /** Work under way is finished; rows waiting in memory come due again when their leases end. */
  async stop(): Promise<void> {
    this.#started = false;
    await this.#loop.stop();
    await this.#refilling;
    await this.#queues.stop();
    await this.#recorder.stop();
    await this.#releaser.stop();
  }

  leaseMs(nowMs: number, events: readonly NewEvent[]): number {
    const hasRoom = this.#queues.hasRoomFor(events) && !this.#releaser.isBehind();
    const takes = this.#started && hasRoom && isReliable(this.#dependencies.clock);
    return takes ? nowMs + this.#leaseLengthMs : nowMs;
  }

  accept(subscriptions: Subscription[], events: readonly NewEvent[], dueAtMs: number): void {
    if (!this.#started || subscriptions.length === 0) return;
    if (dueAtMs <= this.#dependencies.clock.nowMs()) {
      this.#wakeFor(subscriptions);
      return;
    }
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const subscription of subscriptions) {
      const event = byId.get(subscription.eventId);
      if (!event) continue;
      const { body, sequence } = event;
      const { tenantId } = event;
      this.#dependencies.modes.tell(tenantId, (mode) => {
        const delivery = { ...subscription, mode, body, sequence, attemptCount: 0, dueAtMs };
        if (!this.#queues.add(delivery)) this.#releaser.release(delivery);
      });
    }
  }

  /**
   * Deliveries in the table that are due. Skipped tenants and endpoints learn of room; for any other there may be
   * some.
   */
  #wakeFor(deliveries: readonly Pick<Delivery, 'tenantId' | 'endpointId'>[]): void {
    if (!deliveries.every((delivery) => this.#queues.isPassedOver(delivery))) this.wake();
  }

  wake(atMs = this.#dependencies.clock.nowMs()): void {
    this.#loop.wakeAt(atMs);
  }

  /** An endpoint was changed or deleted in this process: all later requests respect that. */
  endpointChanged(endpointId: string): void {
    this.#dependencies.targets.forget(endpointId);
    this.wake();
  }

  /** Claims more for skipped tenants and endpoints: they must not wait until the next poll. */
  #refill(kind: keyof Drained, id: string): void {
    this.#drained[kind].add(id);
    this.#refilling ??= this.#claimDrained().finally(() => {
      this.#refilling = undefined;
    });
  }

  async #claimDrained(): Promise<void> {
    const { clock, log } = this.#dependencies;
    const isDone = () => this.#drained.endpointIds.size + this.#drained.tenantIds.size === 0;
    try {
      while (!isDone() && this.#started && isReliable(clock)) {
        const drained = this.#drained;
        this.#drained = noneDrained();
        const taken = await this.#claim(drained);
        // There may be more, and room for them.
        if (taken > 0) for (const id of drained.tenantIds) this.#drained.tenantIds.add(id);
      }
    } catch (error) {
      log.warn({ err: error }, 'could not look for more deliveries of an endpoint');
    }
  }

  /**
   * @param drained claims only for these; if absent, for all.
   * @returns how many it claimed
   */
  #claim(drained?: Drained): Promise<number> {
    return this.#claimInTurn(() => this.#claimNow(drained));
  }

  async #claimNow(drained: Drained | undefined): Promise<number> {
    const isTestFull = this.#queues.isFull('test');
    if (this.#queues.isFull('live')) return 0;
    const room = this.#queues.room(isTestFull ? 'live' : 'test');
    const nowMs = this.#dependencies.clock.nowMs();
    const full = this.#queues.full();
    const only = drained && {
      endpointIds: [...drained.endpointIds],
      tenantIds: [...drained.tenantIds].filter((id) => !full.tenantIds.includes(id)),
    };
    if (only && only.endpointIds.length + only.tenantIds.length === 0) return 0;
    const deliveries = await claimDueDeliveries(this.#dependencies.database, {
      nowMs,
      leaseMs: nowMs + this.#leaseLengthMs,
      limit: maxClaimed,
      // As much stays free as is taken, so that large deliveries leave room for small ones.
      bytes: Math.floor(Math.min(pageBytes, room / 2)),
      bytesPerTenant: queueLimits.claimedPerTenantBytes,
      ...(only && { only }),
      full: { ...full, test: isTestFull },
    });
    for (const delivery of deliveries) this.#queues.addClaimed(delivery);
    return deliveries.length;
  }

  /** Resolves when the endpoint has answered: recording must not delay its next delivery. */
  async #deliver(delivery: Delivery): Promise<Outcome> {
    const { clock, log } = this.#dependencies;
    if (!isReliable(clock)) return 'unsent';
    if (clock.nowMs() > delivery.dueAtMs - this.#attemptReserveMs) {
      this.#releaser.release(delivery);
      return 'unsent';
    }
    try {
      const target = await this.#dependencies.targets.get(delivery);
      if (target?.state === 'ACTIVE') {
        const attempt = await this.#send(delivery, target);
        this.#recorder.record(attempt);
        return this.#outcomeOf(attempt);
      }
      if (target?.state === 'DISABLED') await this.#wait(delivery);
      else this.#recorder.record(givenUp(delivery, clock.nowMs()));
    } catch (error) {
      log.warn({ err: error, event: delivery.eventId }, 'a delivery failed and will be retried');
    }
    return 'unsent';
  }

  #outcomeOf({ detail }: DeliveryAttempt): Outcome {
    const share = (detail?.durationMs ?? 0) / this.#dependencies.attemptTimeoutMs;
    if (share >= hungShare) return 'hung';
    return share >= slowShare ? 'slow' : 'quick';
  }

  async #wait(delivery: Delivery): Promise<void> {
    const nowMs = this.#dependencies.clock.nowMs();
    const waits = await waitForEndpoint(this.#dependencies.database, delivery, nowMs);
    if (!waits) this.#loop.wakeAt(nowMs);
  }

  async #send(delivery: Delivery, target: Target): Promise<DeliveryAttempt> {
    const { clock, wallClock, sender, random, onAttempt } = this.#dependencies;
    const { tenantId, body, endpointId, eventId, sequence } = delivery;
    // Signed again for each attempt, since receivers refuse a signature older than five minutes.
    const startedMs = clock.nowMs();
    const timestampSeconds = Math.floor(wallClock.nowMs() / 1_000);
    const secrets = secretsAt(target, startedMs);
    const headers = deliveryHeaders({ ...secrets, eventId, sequence, timestampSeconds, body });
    const { url, mode } = target;
    const result = await sender.send({ tenantId, endpointId, url, mode, headers, body });
    onAttempt(result, mode);
    const attemptCount = delivery.attemptCount + 1;
    const atMs = clock.nowMs();
    const { statusCode, error } = result;
    const { durationMs, responseSnippet: response } = result;
    const at = new Date(startedMs).toISOString();
    const detail = { at, statusCode, durationMs, error, response };
    // The version as sent, which may be newer than the one at its creation.
    // Its body is no longer needed, and recording the attempt may have to wait for the database.
    const sent = { ...delivery, body: '', endpointVersion: target.version };
    const common = { delivery: sent, attemptCount, statusCode, error, atMs, detail };
    if (result.delivered) return { ...common, status: 'SUCCEEDED', dueAtMs: null };
    const delayMs = nextAttemptDelayMs(attemptCount, random(), result.retryAfterMs);
    if (delayMs === undefined) return { ...common, status: 'FAILED', dueAtMs: null };
    return { ...common, status: 'PENDING', dueAtMs: atMs + delayMs };
  }
}
