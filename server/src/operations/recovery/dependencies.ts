import type { AccountTransaction } from '../../integrations/operators/adapter.ts';
import type {
  OperatorName,
  OperatorNotification,
  OperatorTraits,
} from '../../integrations/operators/operator.ts';
import type { PaymentTiming } from '../../money/payments/decide.ts';
import type { CreateReversal } from '../../money/reversals/create.ts';
import type { RequestReview } from '../../money/review/request-review.ts';
import type { ReviewSubject } from '../../money/review/subjects.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { BookedReturn, BookedTransaction } from './bookings.ts';

/** What takes the operator’s word for payments, refunds or reversals. */
export interface NotificationHandler {
  notify(notification: OperatorNotification): Promise<void>;
}

export interface RecoverDependencies {
  database: Database;
  clock: Clock;
  timing: PaymentTiming;
  operator: OperatorName;
  traits: OperatorTraits & { account: string };
  /** Of the account; where there is only one, it is that of what tells none. */
  currencies: readonly string[];
  payments: NotificationHandler;
  refunds: NotificationHandler;
  reversals: NotificationHandler;
  reverse: CreateReversal;
  requestReview: RequestReview;
  /** Makes the tenant of debits that our records lack, where it is not there yet. */
  ensureUnassigned(): Promise<void>;
  /** From when the operator was asked, in milliseconds since 1970. */
  sinceMs: number;
  /** Only tells what would become of each. */
  isDryRun: boolean;
}

/** A transaction that succeeded, of an amount and currency that can be booked. */
export type Moved = AccountTransaction & { amountMinor: bigint; currency: 'CVE' | 'AOA' };

/** What our records have of the transactions that are looked at together. */
export interface Known {
  bookings: Map<string, BookedTransaction>;
  /** Booked as given back under another reference than theirs, or none; by their canonical names. */
  givenBack: Map<string, BookedReturn>;
  subjects: Map<string, ReviewSubject>;
  /** What debits of the list are about to be booked as, by their canonical names. */
  expected: ReadonlyMap<string, BookedTransaction>;
}
