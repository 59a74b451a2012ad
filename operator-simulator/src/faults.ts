/** What can become of a request, in place of a prompt answer. */
export const requestFaults = {
  'lost-request': 'the request never arrives: no answer, and nothing is done',
  'answer-lost': 'the request is executed, but not answered',
  'error-5xx': 'a 500 or 503, before or after the request is executed',
  slow: 'the answer takes --slow-ms',
  'wrong-content-type': 'the request is executed, and answered with an HTML page',
  reset: 'the connection is reset, before or after the request is executed',
  'just-in-time': 'the answer comes --edge-ms before --client-timeout-ms has passed',
  'just-too-late': 'the answer comes --edge-ms after --client-timeout-ms has passed',
} as const;

/** What can become of a debit or reversal that was accepted. */
export const acceptanceFaults = {
  queued: 'it waits for --queue-ms; until then every query about it gets a 404',
  'other-amount': 'the debit is --fee-minor more than requested, wherever it is shown',
  'reused-id': 'the debit is shown with the transaction id of an earlier one',
  'repeated-return': 'the reversal is shown as an earlier one, and nothing goes back',
} as const;

/** How a transaction is written, wherever it is shown. Several can befall one transaction. */
export const mannerFaults = {
  'other-word': '"completed" in capitals or another word; "reversed" for a reversal',
  'other-notation': 'amounts as numbers, or capitals where none belong',
  'unclear-amount': 'an amount or currency that cannot be read',
  'strange-id': 'a transaction id with control characters or foreign letters',
} as const;

/** What precedes a callback, whatever else befalls it. */
export const junkFaults = {
  'junk-callbacks': 'ten callbacks that name other errors precede it',
} as const;

/** What can become of a query. */
export const queryFaults = {
  'stray-answer': 'a query about one request is answered about another',
} as const;

/** What can become of one page of the list of transactions. */
export const listFaults = {
  'list-ends-early': 'a later page is empty',
  'list-error': 'a later page is an error 503',
  'list-repeats': 'a later page begins with rows of the one before it',
  'list-skips': 'every seventh transaction is missing',
  'list-pages': 'the offset is taken for a page number',
  'list-counts-page': 'the count of available records is that of the page',
  'list-counts-more': 'that count is 5 too high',
  'list-counts-less': 'that count is half of what there is',
  'list-counts-nothing': 'there is no such count',
} as const;

/** What can become of the callback of an outcome. */
export const callbackFaults = {
  'lost-callback': 'it is never sent',
  'duplicate-callback': 'it is sent twice',
  'reordered-callback': 'an older one, which still says "pending", follows it',
  'late-callback': 'it is sent after --late-callback-ms',
  'fee-on-callback': 'its amount is --fee-minor too high; answers have the right amount',
  'contradictory-callback': 'one that says the opposite precedes it by a second',
} as const;

export type RequestFault = keyof typeof requestFaults;
export type AcceptanceFault = keyof typeof acceptanceFaults;
export type CallbackFault = keyof typeof callbackFaults;
export type MannerFault = keyof typeof mannerFaults;
export type ListFault = keyof typeof listFaults;
export type Fault =
  | RequestFault
  | AcceptanceFault
  | CallbackFault
  | MannerFault
  | ListFault
  | keyof typeof queryFaults
  | keyof typeof junkFaults;
/** The share of the requests, acceptances or callbacks that each fault befalls. */
export type Rates = Partial<Record<Fault, number>>;

/** At most one fault of each group befalls one request, acceptance, callback, query or list. */
const exclusiveGroups = [
  requestFaults,
  acceptanceFaults,
  callbackFaults,
  junkFaults,
  queryFaults,
  listFaults,
] as const;
export const faultGroups = [...exclusiveGroups, mannerFaults] as const;
const names = faultGroups.flatMap((group) => Object.keys(group));

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
  for (const kinds of exclusiveGroups) {
    const sum = Object.keys(kinds).reduce((total, name) => total + (rates[name] ?? 0), 0);
    if (sum > 1.000_001) {
      throw new Error(`The shares of ${Object.keys(kinds).join(', ')} add up to more than 1.`);
    }
  }
  return rates;
}

/**
 * Chooses faults; the same seed chooses the same for the same requests in the same order. Each group has
 * a generator of its own, so that a share in one of them changes nothing in the others.
 */
export class Faults {
  /** How often each has happened since the start. */
  readonly played: Partial<Record<Fault, number>> = {};
  #rates: Rates;
  #requests: () => number;
  #acceptances: () => number;
  #callbacks: () => number;
  #queries: () => number;
  #lists: () => number;
  #seed: number;
  /** What was counted of a transaction, which is shown often. */
  #written = new Set<string>();

  constructor(rates: Rates, seed: number) {
    this.#rates = rates;
    this.#requests = generator(seed);
    this.#acceptances = generator(seed + 1_000_003);
    this.#callbacks = generator(seed + 2_000_003);
    this.#queries = generator(seed + 3_000_003);
    this.#lists = generator(seed + 4_000_003);
    this.#seed = seed;
  }

  ofRequest(): RequestFault | undefined {
    return this.#one(Object.keys(requestFaults) as RequestFault[], this.#requests);
  }

  /** @param possible another that was chosen does not happen */
  ofAcceptance(possible: readonly AcceptanceFault[]): AcceptanceFault | undefined {
    const all = Object.keys(acceptanceFaults) as AcceptanceFault[];
    return this.#one(all, this.#acceptances, possible);
  }

  ofCallback(): CallbackFault | undefined {
    return this.#one(Object.keys(callbackFaults) as CallbackFault[], this.#callbacks);
  }

  /** Whether junk precedes a callback. */
  ofJunk(number: number): boolean {
    const befalls = generator(this.#seed + number * 37)() < (this.#rates['junk-callbacks'] ?? 0);
    if (befalls) this.#count('junk-callbacks');
    return befalls;
  }

  /** Whether a query is answered about another request, and which of so many. */
  ofQuery(others: number): number | undefined {
    const fault = this.#one(['stray-answer'], this.#queries, others > 0 ? ['stray-answer'] : []);
    return fault && Math.floor(this.#queries() * others);
  }

  /** Of a list and all of its pages, chosen with the first. */
  ofList(): ListFault | undefined {
    return this.#one(Object.keys(listFaults) as ListFault[], this.#lists);
  }

  /** How a transaction is written: the same whenever it is shown, also after a restart. */
  ofManner(number: number): MannerFault[] {
    const all = Object.keys(mannerFaults) as MannerFault[];
    return all.filter((name, index) => {
      const chance = generator(this.#seed + number * 31 + index * 1_000_033)();
      const befalls = chance < (this.#rates[name] ?? 0);
      if (befalls && !this.#written.has(`${name} ${number}`)) {
        this.#written.add(`${name} ${number}`);
        this.#count(name);
      }
      return befalls;
    });
  }

  #count(name: Fault): void {
    this.played[name] = (this.played[name] ?? 0) + 1;
  }

  /** Whether a fault that can come before or after the effect comes before it. */
  isBefore(): boolean {
    return this.#requests() < 0.5;
  }

  #one<Name extends Fault>(
    kinds: readonly Name[],
    next: () => number,
    possible: readonly Name[] = kinds,
  ): Name | undefined {
    let left = next();
    for (const name of kinds) {
      left -= this.#rates[name] ?? 0;
      if (left >= 0) continue;
      if (!possible.includes(name)) return undefined;
      this.#count(name);
      return name;
    }
    return undefined;
  }
}

/** The generator "mulberry32". */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
