import type { OperatorAnswer, OperatorName } from '../../integrations/operators/operator.ts';
import { findAnyBooking } from '../../integrations/operators/outgoing-bookings.ts';
import { isSameName } from '../../integrations/operators/transaction-ids.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Finding } from './review-item.ts';

/** A refund, a reversal or a disbursement, which has an outgoing transaction of its own. */
interface Outgoing {
  id: string;
  operator: OperatorName;
  /** The debit that it returns, with the operator's transaction id; undefined: none. */
  debit: { paymentId: string; operatorTxId: string } | undefined;
}

/**
 * The case for a person if the operator's outgoing transaction is booked for something else, incoming or outgoing,
 * or is the debit itself; undefined: neither.
 * @param account ours at the operator; null: simulated
 */
export async function clashOf(
  database: Queryable,
  { id, operator, debit }: Outgoing,
  { operatorTxId, amountMinor }: OperatorAnswer & { kind: 'succeeded' },
  account: string | null,
): Promise<Finding | undefined> {
  const told = { operatorTxId, amountMinor: amountMinor.toString() };
  const clash = (booked: object): Finding => {
    return { kind: 'CLASH', about: operatorTxId, detail: { booked, told } };
  };
  if (debit && isSameName(operatorTxId, debit.operatorTxId)) {
    return clash({ kind: 'DEBIT', paymentId: debit.paymentId });
  }
  if (account === null) return undefined;
  const key = { operator, account, operatorTxId };
  const booking = await findAnyBooking(database, key);
  const isOurs = booking && 'subjectId' in booking && booking.subjectId === id;
  return booking && !isOurs ? clash(booking) : undefined;
}
