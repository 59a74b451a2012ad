import type { LiveOperatorName } from '../config/operator-catalogue.ts';
import type { CallOutcome } from './adapter.ts';

/** How many calls in a row must go unanswered until an operator counts as down: as many as begin a pause. */
const leastCalls = 5;

/** Which operators this process gets no answer from, until one answers. */
export class UnansweredCalls {
  #counts = new Map<LiveOperatorName, number>();

  note(operator: LiveOperatorName, outcome: CallOutcome): void {
    if (outcome === 'answered') this.#counts.delete(operator);
    else this.#counts.set(operator, (this.#counts.get(operator) ?? 0) + 1);
  }

  down(): LiveOperatorName[] {
    return [...this.#counts].filter(([, count]) => count >= leastCalls).map(([name]) => name);
  }
}
