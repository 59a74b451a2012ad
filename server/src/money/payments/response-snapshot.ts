import { notFound } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Payment } from './payment.ts';
import { findPayment } from './store.ts';

/** The changing fields of a payment, as they were in a response; the response is rebuilt from these and the row. */
export const keptOf = (payment: Payment) => ({
  status: payment.status,
  operatorTxId: payment.operatorTxId,
  failureCode: payment.failureCode,
  failureMessage: payment.failureMessage,
  updatedAtMs: payment.updatedAtMs,
});

/** The payment as it was in a response, without data erased since. */
export async function paymentThen(
  database: Database,
  { tenantId, id }: { tenantId: string; id: string },
  kept: object,
): Promise<Payment> {
  const payment = await findPayment(database, tenantId, id);
  if (!payment) throw notFound('payment');
  return { ...payment, ...(kept as ReturnType<typeof keptOf>) };
}
