import type { Clock } from '../../server/src/platform/process/clock.ts';
import type { Faults } from './faults.ts';
import type { ListClock } from './listing.ts';
import type { Times } from './outcomes.ts';
import type { Party } from './requests.ts';
import type { Store } from './store.ts';

export interface ProviderSettings extends Times {
  /** The client's own account, which debits are credited to. */
  account: Party;
  currencies: readonly string[];
  /** How often a client may ask by the provider's id of a request. */
  pollLimit: number;
  /** What becomes of a request that was heard before: it gets its state or an error, or is done again. */
  duplicates: 'state' | 'error' | 'again';
  /** A repeated reversal is refused for the state of its debit, before anybody looks for duplicates. */
  stateFirst: boolean;
  lateCallbackMs: number;
  /** How long what is queued is unknown. */
  queueMs: number;
  /** What some debits, and some callbacks, have on top of the amount that was asked for. */
  feeMinor: bigint;
  /** The longest part of the list of transactions that one answer gives. */
  mostListed: number;
  /** By which it writes dates of that list: hours behind or ahead, or local without a zone. */
  listClock: ListClock;
}

export interface ProviderDependencies {
  store: Store;
  settings: ProviderSettings;
  faults: Faults;
  clock: Clock;
  newId: () => string;
}
