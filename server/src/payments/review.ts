import type { OperatorAnswer } from '../operators/operator.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import { isClosedWithoutDebit, isOpen, type Payment } from './payment.ts';
import { paymentColumns } from './store.ts';

const listText = `
SELECT ${paymentColumns} FROM payments
WHERE due_at IS NOT NULL AND sent_at < $1
  AND status IN ('OPERATOR_PENDING', 'USER_CONFIRMING', 'CANCELLED', 'EXPIRED')
ORDER BY sent_at`;

/**
 * The payments of all tenants that were sent before an instant (in milliseconds since 1970), and of
 * which the operator has said nothing definite since: a person must ask it.
 */
export function paymentsForReview(database: Queryable, sentBeforeMs: number): Promise<Payment[]> {
  return database.query<Payment>({ text: listText }, [timestamp(sentBeforeMs)]);
}

/** By its id alone: whoever runs the command line knows no tenants. */
export async function findPaymentById(
  database: Queryable,
  id: string,
): Promise<Payment | undefined> {
  const text = `SELECT ${paymentColumns} FROM payments WHERE id = $1`;
  return (await database.query<Payment>({ text }, [id]))[0];
}

/** Whether the outcome of a payment is still open at the operator, so that a person may tell it. */
export function isUnresolved(payment: Payment): boolean {
  const isWatched = isOpen(payment.status) || isClosedWithoutDebit(payment.status);
  return isWatched && payment.sentAtMs !== null && payment.dueAtMs !== null;
}

/** What the operator told a person. An amount is in minor units. */
export type Finding = { operatorTxId: string; amountMinor: bigint } | 'not debited';

/** What a person found out counts as word from the operator. */
export function answerOfFinding(finding: Finding): OperatorAnswer {
  if (finding !== 'not debited') return { kind: 'succeeded', ...finding };
  // Nobody confirmed it in time, whatever the reason was.
  return { kind: 'failed', failureCode: 'CONFIRMATION_TIMEOUT' };
}
