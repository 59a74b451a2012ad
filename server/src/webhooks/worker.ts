import type { Logger } from 'pino';
import type { Subscription } from '../events/append.ts';
import type { NewEvent } from '../events/event.ts';
import type { DeliveryHandover } from '../events/handover.ts';
import { Batcher } from '../platform/batching.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import { type Clock, isReliable } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueLoop } from '../platform/due-loop.ts';
import { pageBytes } from '../platform/page-bytes.ts';
import {
  type Attempt,
  claimDueDeliveries,
  type Delivery,
  recordAttempts,
  waitForEndpoint,
} from './delivery-store.ts';
import { type DisabledEndpoint, EndpointHealth } from './health.ts';
import { type LaneLimits, Lanes, type Outcome } from './lanes.ts';
import { nextAttemptDelayMs } from './retry.ts';
import type { Sender, SendResult } from './send.ts';
import { deliveryHeaders, secretsAt } from './signature.ts';
import type { Target, TargetCache } from './target-cache.ts';
import type { TenantModes } from './tenant-modes.ts';

export interface WebhookWorkerParts {
  database: Database;
  clock: Clock;
  /** What receivers compare signatures with is a clock of their own, so these go by the machine's. */
  wallClock: Clock;
  log: Logger;
  sender: Sender;
  targets: TargetCache;
  modes: TenantModes;
  memory: ByteBudget;
  /** How long an attempt may take. */
  attemptTimeoutMs: number;
  /** From 0 to 1, for the spread of the gaps. */
  random: () => number;
  onAttempt: (result: SendResult, mode: 'live' | 'test') => void;
  onDisabled: (disabled: DisabledEndpoint) => void;
}

/** Parts of the time that an attempt may take. One that takes so long holds a place which others could use, whatever the answer. */
const slowShare = 1 / 15;
const hungShare = 1 / 3;
const maxClaimed = 500;
/** A tenant has room for a claim while it has room for so much, and gets no more in one. */
const claimedPerTenantBytes = pageBytes / 32;

const laneLimits: LaneLimits = {
  firstPerEndpoint: 2,
  perEndpoint: 24,
  perTenant: 64,
  test: 256,
  overall: 512,
  waitingPerEndpoint: 2_000,
};

/** Signs and sends deliveries: those handed over in memory, and those that lie in the table. */
export class WebhookWorker implements DeliveryHandover {
  #parts: WebhookWorkerParts;
  /** Holds several attempts, so that nobody else sends meanwhile. */
  #leaseLengthMs: number;
  /** What is left of the lease must hold a whole attempt. */
  #attemptReserveMs: number;
  #lanes: Lanes;
  #loop: DueLoop;
  #records: Batcher<Attempt, undefined>;
  #started = false;
  #recording = new Set<Promise<void>>();

  constructor(parts: WebhookWorkerParts) {
    this.#parts = parts;
    this.#leaseLengthMs = parts.attemptTimeoutMs * 3;
    this.#attemptReserveMs = Math.round((parts.attemptTimeoutMs * 4) / 3);
    this.#lanes = new Lanes(laneLimits, parts.memory, (delivery) => this.#deliver(delivery));
    const { clock, log, database } = parts;
    const health = new EndpointHealth({
      database,
      log,
      onDisabled: (disabled) => {
        this.endpointChanged(disabled.endpointId);
        parts.onDisabled(disabled);
      },
    });
    this.#loop = new DueLoop({ name: 'deliveries', clock, log, claim: () => this.#claim() });
    this.#records = new Batcher({
      maxItems: 256,
      maxInFlight: 1,
      keyOf: ({ delivery }) => delivery.tenantId + delivery.endpointId + delivery.eventId,
      ownerOf: ({ delivery }) => delivery.tenantId,
      write: async (attempts) => {
        await recordAttempts(database, attempts);
        await health.note(attempts);
        return attempts.map(() => undefined);
      },
    });
  }

  start(): void {
    this.#started = true;
    this.#loop.start();
  }

  /** What is under way is finished; what waits in memory comes due again when its lease ends. */
  async stop(): Promise<void> {
    this.#started = false;
    await this.#loop.stop();
    await this.#lanes.stop();
    await Promise.all(this.#recording);
  }

  leaseMs(nowMs: number): number {
    const hasRoom = this.#lanes.room('live') > 0;
    const takes = this.#started && hasRoom && isReliable(this.#parts.clock);
    return takes ? nowMs + this.#leaseLengthMs : nowMs;
  }

  accept(subscriptions: Subscription[], events: readonly NewEvent[], dueAtMs: number): void {
    if (!this.#started || dueAtMs <= this.#parts.clock.nowMs()) return;
    if (subscriptions.length === 0) return;
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const subscription of subscriptions) {
      const event = byId.get(subscription.eventId);
      if (!event) continue;
      const { body, sequence } = event;
      const { tenantId } = event;
      this.#parts.modes.tell(tenantId, (mode) =>
        this.#lanes.add({ ...subscription, mode, body, sequence, attemptCount: 0, dueAtMs }),
      );
    }
  }

  wake(): void {
    this.#loop.wakeAt(this.#parts.clock.nowMs());
  }

  /** An endpoint was changed or deleted in this process: what is sent from now on heeds it. */
  endpointChanged(endpointId: string): void {
    this.#parts.targets.forget(endpointId);
    this.wake();
  }

  async #claim(): Promise<number> {
    const isTestFull = this.#lanes.room('test') < claimedPerTenantBytes;
    const room = this.#lanes.room(isTestFull ? 'live' : 'test');
    if (room < claimedPerTenantBytes) return 0;
    const nowMs = this.#parts.clock.nowMs();
    const full = this.#lanes.full(claimedPerTenantBytes);
    const deliveries = await claimDueDeliveries(this.#parts.database, {
      nowMs,
      leaseMs: nowMs + this.#leaseLengthMs,
      limit: maxClaimed,
      // As much stays free as is taken, so that large deliveries leave room for small ones.
      bytes: Math.floor(Math.min(pageBytes, room / 2)),
      bytesPerTenant: claimedPerTenantBytes,
      full: { ...full, test: isTestFull },
    });
    for (const delivery of deliveries) this.#lanes.addClaimed(delivery);
    return deliveries.length;
  }

  /** Ends when the endpoint has answered: recording that must not hold up its next delivery. */
  async #deliver(delivery: Delivery): Promise<Outcome> {
    const { clock, log } = this.#parts;
    const isLate = clock.nowMs() > delivery.dueAtMs - this.#attemptReserveMs;
    if (isLate || !isReliable(clock)) return 'unsent';
    try {
      const target = await this.#parts.targets.get(delivery);
      if (target?.state === 'ACTIVE') {
        const attempt = await this.#send(delivery, target);
        this.#record(attempt);
        return this.#outcomeOf(attempt);
      }
      if (target?.state === 'DISABLED') await this.#wait(delivery);
      else this.#record(givenUp(delivery, clock.nowMs()));
    } catch (error) {
      log.warn({ err: error, event: delivery.eventId }, 'a delivery waits for its next try');
    }
    return 'unsent';
  }

  #outcomeOf({ detail }: Attempt): Outcome {
    const share = (detail?.durationMs ?? 0) / this.#parts.attemptTimeoutMs;
    if (share >= hungShare) return 'hung';
    return share >= slowShare ? 'slow' : 'quick';
  }

  async #wait(delivery: Delivery): Promise<void> {
    const nowMs = this.#parts.clock.nowMs();
    const waits = await waitForEndpoint(this.#parts.database, delivery, nowMs);
    if (!waits) this.#loop.wakeAt(nowMs);
  }

  #record(attempt: Attempt): void {
    const { log } = this.#parts;
    const { dueAtMs, delivery } = attempt;
    const recording = this.#records.submit(attempt).then(
      () => {
        if (dueAtMs !== null) this.#loop.wakeAt(dueAtMs);
      },
      // Unrecorded, it comes due again when its lease ends: delivered twice rather than never.
      (error: unknown) =>
        log.warn({ err: error, event: delivery.eventId }, 'an attempt could not be recorded'),
    );
    this.#recording.add(recording);
    void recording.finally(() => this.#recording.delete(recording));
  }

  async #send(delivery: Delivery, target: Target): Promise<Attempt> {
    const { clock, wallClock, sender, random, onAttempt } = this.#parts;
    const { body, endpointId, eventId, sequence } = delivery;
    // Signed afresh at each attempt, since receivers refuse a signature older than five minutes.
    const startedMs = clock.nowMs();
    const timestampSeconds = Math.floor(wallClock.nowMs() / 1_000);
    const secrets = secretsAt(target, startedMs);
    const headers = deliveryHeaders({ ...secrets, eventId, sequence, timestampSeconds, body });
    const { url, mode } = target;
    const result = await sender.send({ endpointId, url, mode, headers, body });
    onAttempt(result, mode);
    const attemptCount = delivery.attemptCount + 1;
    const atMs = clock.nowMs();
    const { statusCode, error } = result;
    const { durationMs, responseSnippet: response } = result;
    const at = new Date(startedMs).toISOString();
    const detail = { at, statusCode, durationMs, error, response };
    // As it was sent, which may be newer than as it was born.
    // Its body is needed no more, and what is to be recorded may have to wait for the database.
    const sent = { ...delivery, body: '', endpointVersion: target.version };
    const common = { delivery: sent, attemptCount, statusCode, error, atMs, detail };
    if (result.delivered) return { ...common, status: 'SUCCEEDED', dueAtMs: null };
    const delayMs = nextAttemptDelayMs(attemptCount, random(), result.retryAfterMs);
    if (delayMs === undefined) return { ...common, status: 'FAILED', dueAtMs: null };
    return { ...common, status: 'PENDING', dueAtMs: atMs + delayMs };
  }
}

function givenUp(delivery: Delivery, atMs: number): Attempt {
  return {
    delivery,
    status: 'FAILED',
    dueAtMs: null,
    attemptCount: delivery.attemptCount,
    statusCode: null,
    error: 'the endpoint was deleted',
    atMs,
  };
}
