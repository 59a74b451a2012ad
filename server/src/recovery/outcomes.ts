import type { AccountTransaction } from '../operators/adapter.ts';

/** What became of one transaction of an operator when it was held against our records. */
export type Outcome =
  /** Our records had it. */
  | 'KNOWN'
  /** It is the debit of a payment, the refund or the reversal that we had asked for: it is booked now. */
  | 'BOOKED'
  /** A debit that came too late, twice or with another amount: it is in suspense, and goes back. */
  | 'REVERSED'
  /** A debit whose reference our records lack: it is in suspense until a person decides. */
  | 'HELD'
  /** It does not fit our records: nothing was changed, and it is listed for a person. */
  | 'LISTED'
  /** The operator has not finished it. */
  | 'OPEN'
  /** It failed, so no money moved. */
  | 'NOTHING';

/** How many, and how much of each currency, in minor units. */
export interface Total {
  count: number;
  sums: Map<string, bigint>;
}

type Kind = AccountTransaction['kind'];

/** What a walk has found, by what it was and what became of it. */
export class Tally {
  transactions = 0;
  /** Rows of the list that are no transactions. */
  unreadable = 0;
  #totals = new Map<string, Total>();

  add({ kind, currency, amountMinor }: AccountTransaction, outcome: Outcome): void {
    this.transactions += 1;
    const key = `${kind} ${outcome}`;
    const total = this.#totals.get(key) ?? { count: 0, sums: new Map() };
    total.count += 1;
    if (currency !== null && amountMinor !== null) {
      total.sums.set(currency, (total.sums.get(currency) ?? 0n) + amountMinor);
    }
    this.#totals.set(key, total);
  }

  of(kind: Kind, outcome: Outcome): Total {
    return this.#totals.get(`${kind} ${outcome}`) ?? { count: 0, sums: new Map() };
  }
}
