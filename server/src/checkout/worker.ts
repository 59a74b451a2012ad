import type { Logger } from 'pino';
import { DueLoop } from '../platform/due-loop.ts';
import { type ExpireParts, expire } from './expire.ts';
import { claimDueSessions } from './store.ts';

const leaseLengthMs = 15_000;
const maxClaimed = 100;
/** Sessions come due after hours; a minute-long one may be late by this. */
const longestGapMs = 10_000;

/** Expires sessions whose time has come; one with an attempt in flight is due when that has ended. */
export class CheckoutWorker {
  #parts: ExpireParts;
  #loop: DueLoop;

  constructor(parts: ExpireParts & { log: Logger }) {
    this.#parts = parts;
    const { clock, log } = parts;
    const claim = () => this.#claim();
    this.#loop = new DueLoop({ name: 'checkout', clock, log, claim, longestGapMs });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  async #claim(): Promise<number> {
    const nowMs = this.#parts.clock.nowMs();
    const leaseMs = nowMs + leaseLengthMs;
    const sessions = await claimDueSessions(this.#parts.database, nowMs, leaseMs, maxClaimed);
    if (sessions.length > 0) await expire(this.#parts, sessions);
    return sessions.length;
  }
}
