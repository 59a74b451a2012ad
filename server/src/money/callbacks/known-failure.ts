import type { OperatorAnswer } from '../../integrations/operators/operator.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { refundedMinorOf } from '../payments/refunded-amount.ts';
import { findFailedDebit } from '../review/store.ts';
import type { KnownSubject } from './handle.ts';
import type { OperatorCallback } from './store.ts';

/**
 * Whether a callback about a failed or reversed debit, which is booked, tells a person nothing new: the operator has
 * reported the same in its own answer, which is listed, or our refunds return the whole debit.
 */
export async function isFailureSeen(
  database: Queryable,
  { tenantId, reference: paymentId, kind }: OperatorCallback,
  { outcome, amountMinor }: KnownSubject,
  answer: OperatorAnswer | undefined,
): Promise<boolean> {
  if (kind !== 'DEBIT' || outcome !== 'SUCCEEDED' || answer?.kind !== 'failed') return false;
  if (await findFailedDebit(database, tenantId, paymentId)) return true;
  if (!answer.isReversed) return false;
  return (await refundedMinorOf(database, { tenantId, paymentId })) >= amountMinor;
}
