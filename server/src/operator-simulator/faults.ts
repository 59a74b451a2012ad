/** What can become of a request, in place of an answer in time. */
export const requestFaults = {
  'lost-request': 'the request never arrives: silence, and nothing is done',
  'answer-lost': 'what was asked for is done, then silence',
  'error-5xx': 'an error 500 or 503, before or after what was asked for is done',
  slow: 'the answer takes --slow-ms',
  'wrong-content-type': 'what was asked for is done, and the answer is an HTML page',
  reset: 'the connection is reset, before or after what was asked for is done',
} as const;

/** What can become of the callback of an outcome. */
export const callbackFaults = {
  'lost-callback': 'it is never sent',
  'duplicate-callback': 'it is sent twice',
  'reordered-callback': 'an older one, which still says "pending", comes after it',
  'late-callback': 'it is sent after --late-callback-ms',
} as const;

export type RequestFault = keyof typeof requestFaults;
export type CallbackFault = keyof typeof callbackFaults;
export type Rates = Partial<Record<RequestFault | CallbackFault, number>>;

const names = [...Object.keys(requestFaults), ...Object.keys(callbackFaults)];

/** @throws Error in words for a person, where the text is not like `answer-lost=0.05,slow=0.1` */
export function parseFaults(text: string): Rates {
  const rates: Record<string, number> = {};
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [name = '', share = ''] = part.trim().split('=');
    if (!names.includes(name)) {
      throw new Error(
        `${JSON.stringify(name)} is no fault. There are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`,
      );
    }
    if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(share)) {
      throw new Error(`${name} needs a share from 0 to 1, as in ${name}=0.05.`);
    }
    rates[name] = Number(share);
  }
  for (const kinds of [requestFaults, callbackFaults]) {
    const sum = Object.keys(kinds).reduce((total, name) => total + (rates[name] ?? 0), 0);
    if (sum > 1.000_001) {
      throw new Error(`The shares of ${Object.keys(kinds).join(', ')} add up to more than 1.`);
    }
  }
  return rates;
}

/** Chooses faults; the same seed chooses the same for the same requests in the same order. */
export class Faults {
  /** How often each has happened since the start. */
  readonly played: Partial<Record<RequestFault | CallbackFault, number>> = {};
  #rates: Rates;
  #state: number;

  constructor(rates: Rates, seed: number) {
    this.#rates = rates;
    this.#state = seed >>> 0;
  }

  ofRequest(): RequestFault | undefined {
    return this.#one(Object.keys(requestFaults) as RequestFault[]);
  }

  ofCallback(): CallbackFault | undefined {
    return this.#one(Object.keys(callbackFaults) as CallbackFault[]);
  }

  /** Whether a fault that can come before or after the effect comes before it. */
  isBefore(): boolean {
    return this.#next() < 0.5;
  }

  #one<Name extends RequestFault | CallbackFault>(kinds: readonly Name[]): Name | undefined {
    let left = this.#next();
    for (const name of kinds) {
      left -= this.#rates[name] ?? 0;
      if (left >= 0) continue;
      this.played[name] = (this.played[name] ?? 0) + 1;
      return name;
    }
    return undefined;
  }

  /** The generator "mulberry32". */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
