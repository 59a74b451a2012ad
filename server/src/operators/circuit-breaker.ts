/** How many calls in a row must go unanswered until an operator counts as down. */
const maxFailures = 5;

/**
 * Keeps us from calling an operator that is down: after some calls without an answer, or as soon as a
 * fault of ours is known to make calls useless, there is a pause. After it a call is tried.
 */
export class CircuitBreaker {
  #pauseMs: number;
  #failures = 0;
  #openUntilMs: number | null = null;
  #trialMs: number | null = null;

  /** @param pauseMs how long a pause is, in milliseconds */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  isOpen(nowMs: number): boolean {
    return this.#openUntilMs !== null && nowMs < this.#openUntilMs;
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
    this.#openUntilMs = null;
    this.#trialMs = null;
  }

  /** A call went unanswered. @returns whether that began the pause, so that it is reported once */
  failed(nowMs: number): boolean {
    this.#failures += 1;
    return this.#failures >= maxFailures && this.pause(nowMs);
  }

  /** Begins or prolongs a pause. @returns whether there was none */
  pause(nowMs: number, atLeastMs = 0): boolean {
    const wasClosed = this.#openUntilMs === null;
    this.#openUntilMs = nowMs + Math.max(this.#pauseMs, atLeastMs);
    this.#trialMs = null;
    return wasClosed;
  }
}
