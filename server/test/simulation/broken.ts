/** The promises that every seed must keep, by the name that a failure tells. */
export const invariants = {
  books:
    'what each customer paid, minus what came back, is what the ledger has of it, or is listed for a person',
  'one-booking':
    'no operator transaction counts twice: as the debit of two payments, as one that is credited and reversed by us, or for two returns',
  confirmed:
    'a debit that the operator has confirmed is booked or listed for a person at once, and does not expire',
  'refunded-once': 'one wish for a refund gives its amount back once, also across a restore',
  recovery: '`zimbo operators recover` succeeds over no list that it has not read whole',
  lease:
    'no request to an operator begins outside a lease that covers it, or for a row that is closed',
  watched: 'no payment that was ever sent is unwatched and unlisted without a definite answer',
  payout: 'one unit of money is in at most one payout file that counts',
  claims: 'a claim takes no more rows than its limit',
  ledger: 'the ledger agrees with itself, and with the simulated operators of test mode',
  rest: 'everything comes to rest',
} as const;
export type Invariant = keyof typeof invariants;

/** An invariant was broken. */
export class Broken extends Error {
  readonly invariant: Invariant;
  /** Names in the trace. */
  readonly names: readonly string[];

  constructor(invariant: Invariant, message: string, names: readonly string[]) {
    super(message);
    this.invariant = invariant;
    this.names = names;
  }
}
