import type { AccountTransaction } from '../../integrations/operators/adapter.ts';

/** The outcome of comparing one transaction of an operator with our records. */
export type Outcome =
  /** Our records already had it. */
  | 'KNOWN'
  /** The debit, refund or reversal that we requested: it is booked now. */
  | 'BOOKED'
  /** A late or second debit, or one of a wrong amount: it is in suspense, and goes back. */
  | 'REVERSED'
  /** A debit whose reference is missing in our records: it is in suspense until a person decides. */
  | 'HELD'
  /** It contradicts our records: nothing was changed, and it is listed for a person. */
  | 'LISTED'
  /** The operator has not finished it. */
  | 'OPEN'
  /** It failed, so no money moved. */
  | 'NOTHING'
  /** Its kind does not involve customers' money, and it has no reference of ours. */
  | 'OTHER'
  /** It is much older than the requested period, and would have changed our records: nothing was done. */
  | 'LEFT_OUT';

/** How many, and the sum in each currency, in minor units. */
export interface Total {
  count: number;
  sums: Map<string, bigint>;
}

type Kind = AccountTransaction['kind'];

/** How many transactions of one outcome are named, so that a person finds them at the operator. */
const mostNamed = 100;

/** The findings of a recovery, by kind and outcome. */
export class Tally {
  transactions = 0;
  /** Transactions that changed nothing, each with the operator's data: the first hundred of each outcome. */
  readonly untouched: Record<'OTHER' | 'LEFT_OUT', AccountTransaction[]> = {
    OTHER: [],
    LEFT_OUT: [],
  };
  /** Rows of the list that are not transactions. */
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
