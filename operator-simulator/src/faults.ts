/** Faults of a request, instead of a prompt answer. */
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

/** Faults of an accepted debit, reversal or disbursement. */
export const acceptanceFaults = {
  queued: 'it waits for --queue-ms; until then every query about it gets a 404',
  'other-amount':
    'the debit or disbursement is --fee-minor more than requested, wherever it is shown',
  'reused-id': 'the debit or disbursement is shown with the transaction id of an earlier one',
  'repeated-return': 'the reversal is shown as an earlier one, and nothing goes back',
} as const;

/** Faults in the notation of a transaction. A transaction can have several. */
export const notationFaults = {
  'other-word': '"completed" in capitals or another word; "reversed" for a reversal',
  'other-notation': 'amounts as numbers, or capitals where none belong',
  'unclear-amount': 'an amount or currency that cannot be read',
  'strange-id': 'a transaction id with control characters or foreign letters',
} as const;

/** A fault that precedes a callback, in addition to others. */
export const junkFaults = {
  'junk-callbacks': 'ten callbacks that name other errors precede it',
} as const;

/** A fault of a query. */
export const queryFaults = {
  'stray-answer': 'a query about one request is answered about another',
} as const;

/** Faults of one page of the list of transactions. */
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

/** Faults of the callback of an outcome. */
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
export type NotationFault = keyof typeof notationFaults;
export type ListFault = keyof typeof listFaults;
export type Fault =
  | RequestFault
  | AcceptanceFault
  | CallbackFault
  | NotationFault
  | ListFault
  | keyof typeof queryFaults
  | keyof typeof junkFaults;
/** The probability of each fault for a request, acceptance or callback. */
export type Rates = Partial<Record<Fault, number>>;

/** A request, acceptance, callback, query or list gets at most one fault of each group. */
const exclusiveGroups = [
  requestFaults,
  acceptanceFaults,
  callbackFaults,
  junkFaults,
  queryFaults,
  listFaults,
] as const;
export const faultGroups = [...exclusiveGroups, notationFaults] as const;
const names = faultGroups.flatMap((group) => Object.keys(group));

/** @throws Error in words for a person, unless the text looks like `answer-lost=0.05,slow=0.1` */
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
 * Chooses faults; the same seed makes the same choices for the same requests in the same order.
 * Each group has its own generator, so that its shares do not affect the others.
 */
export class Faults {
  /** How often each fault has happened since the start. */
  readonly played: Partial<Record<Fault, number>> = {};
  #rates: Rates;
  #requests: () => number;
  #acceptances: () => number;
  #callbacks: () => number;
  #queries: () => number;
  #lists: () => number;
  #seed: number;
  /** The faults already counted for a transaction, which is shown often. */
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

  /** @param possible the faults that can happen; any other choice does nothing */
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

  /** Whether the answer to a query is about another request, and which of the others. */
  ofQuery(others: number): number | undefined {
    const fault = this.#one(['stray-answer'], this.#queries, others > 0 ? ['stray-answer'] : []);
    return fault && Math.floor(this.#queries() * others);
  }

  /** The fault of a list with all its pages, chosen with the first page. */
  ofList(): ListFault | undefined {
    return this.#one(Object.keys(listFaults) as ListFault[], this.#lists);
  }

  /** The notation of a transaction: the same every time, even after a restart. */
  ofManner(number: number): NotationFault[] {
    const all = Object.keys(notationFaults) as NotationFault[];
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

  /** Whether a fault that can happen before or after the effect happens before. */
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
