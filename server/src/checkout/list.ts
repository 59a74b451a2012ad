import type { Queryable } from '../platform/database.ts';
import { type Found, pageStatement } from '../platform/page-bytes.ts';
import type { CheckoutSession, SessionStatus } from './session.ts';
import { sessionBytes, sessionColumns } from './store.ts';

/** What a list of sessions may be narrowed to. */
export interface SessionFilter {
  status?: SessionStatus | undefined;
  customerId?: string | undefined;
  /** The UUID of a payment: the session that it is an attempt of, the latest or an earlier one. */
  paymentId?: string | undefined;
}

/** Newest first; one row more than the limit tells whether there are more. */
export function listSessions(
  database: Queryable,
  tenantId: string,
  filter: SessionFilter,
  page: { limit: number; startingAfter?: string | undefined },
): Promise<(CheckoutSession & Found)[]> {
  const values: unknown[] = [tenantId, page.limit + 1];
  const conditions = ['tenant_id = $1'];
  const where = (condition: string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition.replace('?', `$${values.length}`));
  };
  where('id < ?', page.startingAfter);
  where('status = ?', filter.status);
  // The length says to PostgreSQL that the index of customers will do.
  where('customer_id = ? AND length(customer_id) <= 255', filter.customerId);
  where(sessionOfPayment, filter.paymentId);
  const text = pageStatement({
    columns: sessionColumns,
    table: 'checkout_sessions',
    where: conditions.join(' AND '),
    limit: '$2',
    bytes: sessionBytes,
  });
  return database.query({ text }, values);
}

const sessionOfPayment = `id = (
  SELECT checkout_session_id FROM payments WHERE payments.tenant_id = $1 AND payments.id = ?
)`;
