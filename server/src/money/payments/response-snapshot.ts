import { notFound } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Payment } from './payment.ts';
import { findPayment } from './store.ts';

/** What of a payment changes, as it was in an answer; from that and the row the answer is made again. */
export const keptOf = (payment: Payment) => ({
  status: payment.status,
  operatorTxId: payment.operatorTxId,
  failureCode: payment.failureCode,
  failureMessage: payment.failureMessage,
  updatedAtMs: payment.updatedAtMs,
});

/** The payment as it was in an answer, with what has been erased since left out. */
export async function paymentThen(
  database: Database,
  { tenantId, id }: { tenantId: string; id: string },
  kept: object,
): Promise<Payment> {
  const payment = await findPayment(database, tenantId, id);
  if (!payment) throw notFound('payment');
  return { ...payment, ...(kept as ReturnType<typeof keptOf>) };
}
