/** How many calls in a row must go unanswered until an operator counts as down. */
const maxFailures = 5;

/** How many requests in a row an operator must refuse until the fault is taken for ours. */
const maxRefusedRequests = 3;

/** Why calls pause: nothing came back, or the operator refuses us for a fault of ours (credentials, rate). */
export type PauseReason = 'UNANSWERED' | 'REFUSES_US';

/** Calls to an operator that are held back. All in milliseconds since 1970. */
export interface Pause {
  reason: PauseReason;
  /** Since when, however often it was prolonged. */
  sinceMs: number;
  /** When a call may be tried again; in the past while nothing has come of the try. */
  untilMs: number;
}

/**
 * Keeps us from calling an operator that is down: after some calls without an answer, or as soon as a
 * fault of ours is known to make calls useless, there is a pause. After it a call is tried.
 */
export class CircuitBreaker {
  #pauseMs: number;
  #failures = 0;
  #refusedRequests = new Set<string>();
  #openUntilMs: number | null = null;
  #openedMs: number | null = null;
  #reason: PauseReason = 'UNANSWERED';
  #trialMs: number | null = null;

  /** @param pauseMs how long a pause is, in milliseconds */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  isOpen(nowMs: number): boolean {
    return this.#openUntilMs !== null && nowMs < this.#openUntilMs;
  }

  /** The pause that has begun, and that no call has ended yet; null: there is none. */
  currentPause(): Pause | null {
    if (this.#openUntilMs === null || this.#openedMs === null) return null;
    return { reason: this.#reason, sinceMs: this.#openedMs, untilMs: this.#openUntilMs };
  }

  /**
   * When new work may be sent, or null: now. After a pause one caller gets null, as a trial, and the
   * others wait for what becomes of it.
   */
  heldUntilMs(nowMs: number): number | null {
    if (this.#openUntilMs === null) return null;
    if (nowMs < this.#openUntilMs) return this.#openUntilMs;
    if (this.#trialMs !== null && nowMs < this.#trialMs + this.#pauseMs) {
      return this.#trialMs + this.#pauseMs;
    }
    this.#trialMs = nowMs;
    return null;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#refusedRequests.clear();
    this.#openUntilMs = null;
    this.#openedMs = null;
    this.#trialMs = null;
  }

  /** A call went unanswered. @returns whether that began the pause, so that it is reported once */
  failed(nowMs: number): boolean {
    this.#failures += 1;
    return this.#failures >= maxFailures && this.#pause('UNANSWERED', nowMs, 0);
  }

  /**
   * The operator refuses us: begins or prolongs a pause.
   * @param request the request that is refused, where that may be for its own sake: a customer who was asked too often
   * must not hold up all others, so a few requests must be refused in a row
   */
  refused(nowMs: number, atLeastMs = 0, request?: string): void {
    if (request !== undefined) this.#refusedRequests.add(request);
    const isOfOne = request !== undefined && this.#refusedRequests.size < maxRefusedRequests;
    if (isOfOne && this.#openUntilMs === null) return;
    this.#pause('REFUSES_US', nowMs, atLeastMs);
  }

  #pause(reason: PauseReason, nowMs: number, atLeastMs: number): boolean {
    const wasClosed = this.#openUntilMs === null;
    this.#reason = reason;
    this.#openedMs ??= nowMs;
    this.#openUntilMs = nowMs + Math.max(this.#pauseMs, atLeastMs);
    this.#trialMs = null;
    this.#refusedRequests.clear();
    return wasClosed;
  }
}
