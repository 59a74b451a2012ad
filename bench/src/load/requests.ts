import type { LoadJob } from './job.ts';
import { httpRequest } from './raw-client.ts';

/** Stands for a number in a request that is never sent twice, except to repeat it: as long as the number. */
export const numberHere = '@@@@@@@@@@@@';

/** As late as a client that had no answer would try again; by then the first one has been answered. */
const repeatedAfter = 500;

/**
 * What the load sends, as text for the socket: its requests in turn, again and again. In those that have a
 * place for a number, each gets one of its own, so that every key is new; of `repeatEvery` sent, one is
 * an earlier one to the byte.
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
