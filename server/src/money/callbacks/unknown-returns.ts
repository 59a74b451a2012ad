import type { Told } from '../../integrations/operators/adapter.ts';
import { findTransactionBooking } from '../../integrations/operators/bookings.ts';
import type { ReversalRequest } from '../../integrations/operators/operator.ts';
import { findAnyBooking } from '../../integrations/operators/outgoing-bookings.ts';
import { isName } from '../../integrations/operators/transaction-ids.ts';
import type { Payment } from '../payments/payment.ts';
import { findPayment } from '../payments/store.ts';
import type { OperatorCallback } from './store.ts';
import type { SubjectDependencies } from './subjects.ts';

/**
 * A refund or reversal that our records know nothing of: they were set back since it was asked for. The callback only
 * says which debit to ask about. What the operator says went back of that debit cannot be refunded until a person has
 * closed the item.
 * @returns whether the operator has given a definite answer
 */
export async function findUnknownReturn(
  dependencies: SubjectDependencies,
  callback: OperatorCallback & { kind: ReversalRequest['kind'] },
  about: Told['about'],
): Promise<boolean> {
  const debitTxId = about?.debitTxId;
  if (!isName(debitTxId)) return false;
  const { tenantId, reference, operator, kind } = callback;
  const payment = await paymentOf(dependencies, callback, debitTxId);
  if (!payment) return false;
  const { amountMinor, currency } = payment;
  const answer = await dependencies.operatorFor(callback).queryReversal({
    kind,
    tenantId,
    reference,
    operator,
    operatorTxId: debitTxId,
    // Of a return whose amount the operator does not tell it may be all.
    amountMinor,
    currency,
    repeated: false,
    phoneOf: async () => payment.operatorPhone,
  });
  if (answer.kind !== 'succeeded') return answer.kind === 'failed';
  const { account } = await dependencies.operatorFor(callback).traits(callback);
  const key = { operator, account: account ?? '', operatorTxId: answer.operatorTxId };
  // It is booked as what gave back something else, so it took nothing more.
  if (await findAnyBooking(dependencies.database, key)) return false;
  const minor = answer.amountMinor < amountMinor ? answer.amountMinor : amountMinor;
  const told = {
    operatorTxId: answer.operatorTxId,
    amountMinor: answer.amountMinor.toString(),
    currency,
    debitTxId,
  };
  const reserved = { paymentId: payment.id, amountMinor: minor.toString() };
  // The same item as `zimbo operators recover` makes of it.
  const subject = { tenantId, id: reference, operator };
  await dependencies.requestReview('REFUND', subject, {
    kind: 'UNKNOWN_REFERENCE',
    about: answer.operatorTxId,
    detail: { booked: 'nothing', told, reserved },
  });
  return true;
}

/** The payment whose debit it is; one in suspense is refunded to nobody. */
async function paymentOf(
  dependencies: SubjectDependencies,
  callback: OperatorCallback,
  operatorTxId: string,
): Promise<Payment | undefined> {
  const { tenantId, operator } = callback;
  const { account } = await dependencies.operatorFor(callback).traits(callback);
  const key = { operator, account: account ?? '', operatorTxId };
  const { database } = dependencies;
  const booking = await findTransactionBooking(database, key);
  if (booking?.kind !== 'DEBIT' || booking.tenantId !== tenantId) return undefined;
  return findPayment(database, tenantId, booking.paymentId);
}
