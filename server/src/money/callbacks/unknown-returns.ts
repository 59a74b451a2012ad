import type { CallbackContent } from '../../integrations/operators/adapter.ts';
import { findTransactionBooking } from '../../integrations/operators/bookings.ts';
import type { ReversalRequest } from '../../integrations/operators/operator.ts';
import { findAnyBooking } from '../../integrations/operators/outgoing-bookings.ts';
import { isName } from '../../integrations/operators/transaction-ids.ts';
import type { Payment } from '../payments/payment.ts';
import { findPayment } from '../payments/store.ts';
import type { OperatorCallback } from './store.ts';
import type { SubjectDependencies } from './subjects.ts';

/**
 * A refund or reversal that our records lack: they were restored from before it was requested. The callback only says
 * which debit to query. The amount that the operator says it returned of that debit cannot be refunded until a person
 * has closed the item.
 * @returns whether the operator has given a definite answer
 */
export async function findUnknownReturn(
  dependencies: SubjectDependencies,
  callback: OperatorCallback & { kind: ReversalRequest['kind'] },
  about: CallbackContent['about'],
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
    // If the operator does not state the returned amount, it may be the whole debit.
    amountMinor,
    currency,
    repeated: false,
    phoneOf: async () => payment.operatorPhone,
  });
  if (answer.kind !== 'succeeded') return answer.kind === 'failed';
  const { account } = await dependencies.operatorFor(callback).traits(callback);
  const key = { operator, account: account ?? '', operatorTxId: answer.operatorTxId };
  // It is booked as the return of something else, so it took nothing more.
  if (await findAnyBooking(dependencies.database, key)) return false;
  const minor = answer.amountMinor < amountMinor ? answer.amountMinor : amountMinor;
  const told = {
    operatorTxId: answer.operatorTxId,
    amountMinor: answer.amountMinor.toString(),
    currency,
    debitTxId,
  };
  const reserved = { paymentId: payment.id, amountMinor: minor.toString() };
  // The same item that `zimbo operators recover` makes.
  const subject = { tenantId, id: reference, operator };
  await dependencies.requestReview('REFUND', subject, {
    kind: 'UNKNOWN_REFERENCE',
    about: answer.operatorTxId,
    detail: { booked: 'nothing', told, reserved },
  });
  return true;
}

/** The payment of the debit; a debit in suspense is refunded to nobody. */
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
