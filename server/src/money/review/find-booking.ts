import { findTransactionBooking } from '../../integrations/operators/bookings.ts';
import type { OperatorName } from '../../integrations/operators/operator.ts';
import { findOutgoingBooking } from '../../integrations/operators/outgoing-bookings.ts';
import { spellingsOf } from '../../integrations/operators/transaction-ids.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { SubjectKind } from './review-item.ts';

/** The object that an operator's transaction is booked for. */
export interface Use {
  kind: SubjectKind;
  id: string;
  /** It debited a customer; otherwise it returned something. */
  isDebit: boolean;
}

/** Returns from before their transactions were booked, and simulated ones. */
const givenBackText = `
SELECT 'REFUND' AS kind, id, false AS "isDebit" FROM refunds
WHERE operator = $1 AND operator_refund_id = ANY ($2)
UNION ALL
SELECT 'REVERSAL', id, false FROM reversals WHERE operator = $1 AND operator_reversal_id = ANY ($2)
LIMIT 1`;

/**
 * The booking of an operator's transaction, so that a typing mistake is noticed.
 * @param accounts ours at the operator; none: simulated
 */
export async function useOf(
  database: Queryable,
  operator: OperatorName,
  accounts: readonly string[],
  operatorTxId: string,
): Promise<Use | undefined> {
  for (const account of accounts) {
    const key = { operator, account, operatorTxId };
    const booking = await findTransactionBooking(database, key);
    if (booking) return { kind: 'PAYMENT', id: booking.paymentId, isDebit: true };
    const outgoing = await findOutgoingBooking(database, key);
    if (outgoing) return { kind: outgoing.kind, id: outgoing.subjectId, isDebit: false };
  }
  const values = [operator, spellingsOf(operatorTxId)];
  return (await database.query<Use>({ text: givenBackText }, values))[0];
}
