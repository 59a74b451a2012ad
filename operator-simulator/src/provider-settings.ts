import type { Clock } from '../../server/src/platform/process/clock.ts';
import type { Faults } from './faults.ts';
import type { ListClock } from './listing.ts';
import type { Times } from './outcomes.ts';
import type { Party } from './requests.ts';
import type { Store } from './store.ts';

export interface ProviderSettings extends Times {
  /** The client's account, which debits are credited to, and disbursements are paid from. */
  account: Party;
  currencies: readonly string[];
  /** How often a client may query by the provider's id of a request. */
  pollLimit: number;
  /** The reaction to a repeated request: return its state, return an error, or execute it again. */
  duplicates: 'state' | 'error' | 'again';
  /** Reject a repeated reversal for the state of its debit, before looking for duplicates. */
  stateFirst: boolean;
  lateCallbackMs: number;
  /** How long a queued request is unknown. */
  queueMs: number;
  /** What the client's account holds at first, in each currency; null: it is never empty. In minor units. */
  floatMinor: bigint | null;
  /** The fee added to some debits, and to the amounts of some callbacks. */
  feeMinor: bigint;
  /** The largest page of the list of transactions. */
  mostListed: number;
  /** The clock of that list: hours behind or ahead, or local without a zone. */
  listClock: ListClock;
}

export interface ProviderDependencies {
  store: Store;
  settings: ProviderSettings;
  faults: Faults;
  clock: Clock;
  newId: () => string;
}
