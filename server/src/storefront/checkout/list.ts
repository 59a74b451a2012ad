import type { SessionStatus } from '../../money/payments/session-slot.ts';
import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { type Found, pageStatement } from '../../platform/postgres/page-bytes.ts';
import { type StoredSession, storedColumns } from './read-session.ts';
import { sessionBytes } from './store.ts';

/** The filters of a list of sessions. */
export interface SessionFilter {
  status?: SessionStatus | undefined;
  customerId?: string | undefined;
  externalId?: string | undefined;
  /** The UUID of a payment: finds the session whose latest or earlier attempt it is. */
  paymentId?: string | undefined;
}

/** Newest first. Returns one row more than the limit if there are more. */
export function listSessions(
  database: Queryable,
  tenantId: string,
  filter: SessionFilter,
  page: { limit: number; startingAfter?: string | undefined },
): Promise<(StoredSession & Found)[]> {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  asked.where('id < ?', page.startingAfter);
  asked.where('status = ?', filter.status);
  // The length tells PostgreSQL that the index of customers suffices.
  asked.where('customer_id = ? AND length(customer_id) <= 255', filter.customerId);
  asked.where('external_id = ?', filter.externalId);
  asked.where(sessionOfPayment, filter.paymentId);
  const text = pageStatement({
    columns: storedColumns,
    table: 'checkout_sessions',
    where: asked.text,
    limit: '$2',
    bytes: sessionBytes,
  });
  return database.query({ text }, asked.values);
}

const sessionOfPayment = `id = (
  SELECT checkout_session_id FROM payments WHERE payments.tenant_id = $1 AND payments.id = ?
)`;
