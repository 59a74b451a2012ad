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

/** Applies the operator’s answers to payments, refunds, reversals or disbursements. */
export interface NotificationHandler {
  notify(notification: OperatorNotification): Promise<void>;
}

export interface RecoverDependencies {
  database: Database;
  clock: Clock;
  timing: PaymentTiming;
  operator: OperatorName;
  traits: OperatorTraits & { account: string };
  /** The operator's account; if there is only one, entries without an account belong to it. */
  currencies: readonly string[];
  payments: NotificationHandler;
  refunds: NotificationHandler;
  reversals: NotificationHandler;
  disbursements: NotificationHandler;
  reverse: CreateReversal;
  requestReview: RequestReview;
  /** Creates the tenant for debits without a record, if it does not exist. */
  ensureUnassigned(): Promise<void>;
  /** When the operator was asked, in milliseconds since 1970. */
  sinceMs: number;
  /** Only reports the outcomes, without changing anything. */
  isDryRun: boolean;
}

/** A successful transaction whose amount and currency can be booked. */
export type Moved = AccountTransaction & { amountMinor: bigint; currency: 'CVE' | 'AOA' };

/** Our records of a group of transactions. */
export interface Known {
  bookings: Map<string, BookedTransaction>;
  /** Transactions booked as returned under another reference, or none; by canonical name. */
  returned: Map<string, BookedReturn>;
  subjects: Map<string, ReviewSubject>;
  /** What debits in the list are about to be booked as, by canonical name. */
  expected: ReadonlyMap<string, BookedTransaction>;
}
