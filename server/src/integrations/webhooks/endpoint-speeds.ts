/**
 * How fast an attempt at an endpoint ended, with any status: quickly, slowly, or only when most of the time was up.
 * `unsent` says nothing about the endpoint.
 */
export type Outcome = 'quick' | 'slow' | 'hung' | 'unsent';

const maxRemembered = 10_000;

/** Remembers how fast endpoints answer, and so how many requests each may have under way. */
export class EndpointSpeeds {
  #first: number;
  #most: number;
  /** How many requests may be under way, for endpoints that have answered. */
  #allowed = new Map<string, number>();
  #last = new Map<string, Exclude<Outcome, 'unsent'>>();

  constructor(first: number, most: number) {
    this.#first = first;
    this.#most = most;
  }

  /** Whether its last attempt ended quickly. A new endpoint is not known to be quick. */
  isQuick(endpointId: string): boolean {
    return this.#last.get(endpointId) === 'quick';
  }

  allowed(endpointId: string): number {
    if (this.#last.get(endpointId) === 'hung') return 1;
    return this.#allowed.get(endpointId) ?? this.#first;
  }

  learn(endpointId: string, outcome: Outcome): void {
    if (outcome === 'unsent') return;
    const allowed = this.allowed(endpointId);
    if (this.#last.size >= maxRemembered) {
      this.#allowed.clear();
      this.#last.clear();
    }
    this.#last.set(endpointId, outcome);
    if (outcome === 'hung') this.#allowed.delete(endpointId);
    else if (outcome === 'slow') this.#allowed.set(endpointId, allowed);
    else this.#allowed.set(endpointId, Math.min(allowed + 1, this.#most));
  }
}
