import type { LoadJob } from './job.ts';
import { httpRequest } from './raw-client.ts';

/**
 * A placeholder, as long as the number that replaces it. Numbers make each request unique, except
 * for repetitions.
 */
export const numberHere = '@@@@@@@@@@@@';

/** As late as a client would retry without an answer; the first request has been answered by then. */
const repeatedAfter = 500;

/**
 * The load's requests as text for the socket: in turn, repeatedly. Each request with a placeholder
 * gets a unique number, so that every key is new; one of `repeatEvery` requests repeats an earlier
 * one to the byte.
 */
export class Requests {
  readonly #texts: string[][];
  readonly #repeatEvery: number;
  #fresh = 0;
  #sent = 0;

  constructor({
    address,
    requests,
    repeatEvery,
  }: Pick<LoadJob, 'address' | 'requests' | 'repeatEvery'>) {
    const url = new URL(address);
    this.#texts = requests.map((request) => httpRequest(url, request).split(numberHere));
    this.#repeatEvery = repeatEvery ?? Number.POSITIVE_INFINITY;
  }

  next(): string {
    this.#sent += 1;
    const repeats = this.#sent % this.#repeatEvery === 0 && this.#fresh > repeatedAfter;
    return this.#at(repeats ? this.#fresh - repeatedAfter : this.#fresh++);
  }

  #at(number: number): string {
    const parts = this.#texts[number % this.#texts.length]!;
    if (parts.length === 1) return parts[0]!;
    return parts.join(String(number).padStart(numberHere.length, '0'));
  }
}
