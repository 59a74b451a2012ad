import type { OperatorAnswer, OperatorName } from '../../integrations/operators/operator.ts';
import { findAnyBooking } from '../../integrations/operators/outgoing-bookings.ts';
import { isSameName } from '../../integrations/operators/transaction-ids.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Finding } from './review-item.ts';

/** A refund or a reversal, which has a returning transaction of its own. */
interface GivenBack {
  id: string;
  paymentId: string;
  operator: OperatorName;
  /** The operator's transaction id of the debit. */
  operatorTxId: string;
}

/**
 * The case for a person if the operator's returning transaction is booked for something else, incoming or outgoing,
 * or is the debit itself; undefined: neither.
 * @param account ours at the operator; null: simulated
 */
export async function clashOf(
  database: Queryable,
  { id, paymentId, operator, operatorTxId: debitTxId }: GivenBack,
  { operatorTxId, amountMinor }: OperatorAnswer & { kind: 'succeeded' },
  account: string | null,
): Promise<Finding | undefined> {
  const told = { operatorTxId, amountMinor: amountMinor.toString() };
  const clash = (booked: object): Finding => {
    return { kind: 'CLASH', about: operatorTxId, detail: { booked, told } };
  };
  if (isSameName(operatorTxId, debitTxId)) return clash({ kind: 'DEBIT', paymentId });
  if (account === null) return undefined;
  const key = { operator, account, operatorTxId };
  const booking = await findAnyBooking(database, key);
  const isOurs = booking && 'subjectId' in booking && booking.subjectId === id;
  return booking && !isOurs ? clash(booking) : undefined;
}
