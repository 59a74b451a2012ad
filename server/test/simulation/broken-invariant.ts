/** The invariants of every seed, by the name that a failure reports. */
export const invariants = {
  books:
    'for each customer, the ledger has what they paid minus what came back, or lists the difference for a person',
  'one-booking':
    'no operator transaction counts twice: as the debit of two payments, as both credited and reversed, or for two returns',
  confirmed:
    'a gateway books a confirmed debit, or lists it for a person, at once, and never lets it expire',
  'refunded-once':
    'a refund that a merchant wants once returns its amount once, even across a restore',
  'disbursed-once':
    'no payee is paid twice for one idempotency key, even across a restore, and none is cancelled after it was sent',
  balance:
    'no new disbursement takes the balance of its merchant below zero, and a settlement leaves what its merchant keeps',
  recovery: '`zimbo operators recover` never succeeds on a list that it has not read in full',
  lease: 'no request to an operator begins without a lease that covers it, or for a closed row',
  watched:
    'until its answer is definite, a gateway watches or lists every payment that it has sent',
  payout: 'at most one valid payout file contains a unit of money',
  claims: 'no claim takes more rows than its limit',
  ledger: 'the ledger agrees with itself, and with the simulated operators of test mode',
  rest: 'everything comes to rest',
} as const;
export type Invariant = keyof typeof invariants;

export class BrokenInvariant extends Error {
  readonly invariant: Invariant;
  /** As the trace names them. */
  readonly names: readonly string[];

  constructor(invariant: Invariant, message: string, names: readonly string[]) {
    super(message);
    this.invariant = invariant;
    this.names = names;
  }
}
