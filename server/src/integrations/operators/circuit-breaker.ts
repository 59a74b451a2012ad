/** How many calls in a row must go unanswered until an operator counts as down. */
const maxFailures = 5;

/** How many requests in a row an operator must refuse before we assume that the fault is ours. */
const maxRefusedRequests = 3;

/** Why calls pause: the operator did not answer, or refuses us for a fault of ours (credentials, rate). */
export type PauseReason = 'UNANSWERED' | 'REFUSES_US';

/** A pause of calls to an operator. All in milliseconds since 1970. */
export interface Pause {
  reason: PauseReason;
  /** When the pause began, however often it was prolonged. */
  sinceMs: number;
  /** When a call may be tried again; in the past until the trial has a result. */
  untilMs: number;
}

/**
 * Stops calls to an operator that is down: after some calls without an answer, or as soon as a known fault of ours
 * makes calls useless, calls pause. After the pause one call is tried.
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

  /** The present pause, which no call has ended yet; null: there is none. */
  currentPause(): Pause | null {
    if (this.#openUntilMs === null || this.#openedMs === null) return null;
    return { reason: this.#reason, sinceMs: this.#openedMs, untilMs: this.#openUntilMs };
  }

  /**
   * When new work may be sent, or null: now. After a pause one caller gets null, as a trial, and the others wait for
   * its result.
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

  /**
   * Records a call without an answer.
   * @returns whether that began a pause, so that it is reported once
   */
  failed(nowMs: number): boolean {
    this.#failures += 1;
    return this.#failures >= maxFailures && this.#pause('UNANSWERED', nowMs, 0);
  }

  /**
   * The operator refuses us: begins or prolongs a pause.
   * @param request the refused request, if the refusal may concern only that request: a customer who was prompted too
   * often must not block all others, so a few requests must be refused in a row
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
