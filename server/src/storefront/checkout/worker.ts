import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import { type ExpireDependencies, expire } from './expire.ts';
import { claimDueSessions } from './store.ts';

const leaseLengthMs = 15_000;
const maxClaimed = 100;
/** Sessions come due after hours; a session of a minute may expire this much late. */
const maxIntervalMs = 10_000;

export interface CheckoutWorkerDependencies extends ExpireDependencies {
  log: Logger;
  /** Wakes the worker when a watch sees new rows. */
  idleIntervalMs?: number | undefined;
}

/** Expires sessions that are due; a session with an attempt in flight is due when the attempt has ended. */
export class CheckoutWorker {
  #dependencies: ExpireDependencies;
  #loop: Poller;

  constructor(dependencies: CheckoutWorkerDependencies) {
    this.#dependencies = dependencies;
    const { clock, log, idleIntervalMs } = dependencies;
    const claim = () => this.#claim();
    const intervals = { maxIntervalMs, idleIntervalMs };
    this.#loop = new Poller({ name: 'checkout', clock, log, claim, ...intervals });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  wake(atMs: number): void {
    this.#loop.wakeAt(atMs);
  }

  async #claim(): Promise<number> {
    const nowMs = this.#dependencies.clock.nowMs();
    const leaseMs = nowMs + leaseLengthMs;
    const sessions = await claimDueSessions(
      this.#dependencies.database,
      nowMs,
      leaseMs,
      maxClaimed,
    );
    if (sessions.length > 0) await expire(this.#dependencies, sessions);
    return sessions.length;
  }
}
