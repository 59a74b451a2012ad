import type { AccountTransaction } from '../../integrations/operators/adapter.ts';

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
  | 'NOTHING'
  /** It is of a kind that is no customer's money, and under no reference of ours. */
  | 'OTHER'
  /** It is much older than what was asked for, and would have changed our records: nothing was done. */
  | 'LEFT_OUT';

/** How many, and how much of each currency, in minor units. */
export interface Total {
  count: number;
  sums: Map<string, bigint>;
}

type Kind = AccountTransaction['kind'];

/** How many transactions of one outcome are named, so that a person finds them at the operator. */
const mostNamed = 100;

/** What a walk has found, by what it was and what became of it. */
export class Tally {
  transactions = 0;
  /** Those that nothing was done about, each with what the operator says of it: the first hundred of each outcome. */
  readonly untouched: Record<'OTHER' | 'LEFT_OUT', AccountTransaction[]> = {
    OTHER: [],
    LEFT_OUT: [],
  };
  /** Rows of the list that are no transactions. */
  unreadable = 0;
  /** The first hundred of them. */
  readonly unreadableRows: string[] = [];
  #totals = new Map<string, Total>();

  add(transaction: AccountTransaction, outcome: Outcome): void {
    const { kind, currency, amountMinor } = transaction;
    this.transactions += 1;
    if (outcome === 'OTHER' || outcome === 'LEFT_OUT') {
      const named = this.untouched[outcome];
      if (named.length < mostNamed) named.push(transaction);
    }
    const key = `${kind} ${outcome}`;
    const total = this.#totals.get(key) ?? { count: 0, sums: new Map() };
    total.count += 1;
    if (currency !== null && amountMinor !== null) {
      total.sums.set(currency, (total.sums.get(currency) ?? 0n) + amountMinor);
    }
    this.#totals.set(key, total);
  }

  addUnreadable(name: string): void {
    this.unreadable += 1;
    if (this.unreadableRows.length < mostNamed) this.unreadableRows.push(name);
  }

  of(kind: Kind, outcome: Outcome): Total {
    return this.#totals.get(`${kind} ${outcome}`) ?? { count: 0, sums: new Map() };
  }
}
