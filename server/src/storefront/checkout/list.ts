import type { SessionStatus } from '../../money/payments/session-slot.ts';
import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { findByMetadata, type MetadataFilter } from '../../platform/postgres/find-by-metadata.ts';
import { addPage, type ListPage, orderOf, tableOf } from '../../platform/postgres/list-page.ts';
import { type Found, pageStatement } from '../../platform/postgres/page-bytes.ts';
import type { OwnedObject } from '../../tenants/merchants/find-owner.ts';
import { type StoredSession, storedColumns } from './read-session.ts';
import { sessionBytes } from './store.ts';

/** The filters of a list of sessions. */
export interface SessionFilter {
  /** Any of these. */
  status?: SessionStatus | readonly SessionStatus[] | undefined;
  customerId?: string | undefined;
  externalId?: string | undefined;
  /** The UUID of a payment: finds the session whose latest or earlier attempt it is. */
  paymentId?: string | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
}

function conditionsOf(tenantId: string, filter: SessionFilter, page: ListPage): Conditions {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  addPage(asked, page);
  // The length tells PostgreSQL that the index of customers suffices.
  asked.where('customer_id = ? AND length(customer_id) <= 255', filter.customerId);
  asked.where('external_id = ?', filter.externalId);
  asked.where(sessionOfPayment, filter.paymentId);
  return asked;
}

/** The ids of the sessions on a page that also have this metadata. @throws VALIDATION_ERROR too much to search */
export function findSessionsByMetadata(
  database: Database,
  tenantId: string,
  filter: SessionFilter,
  page: ListPage,
  metadata: MetadataFilter,
): Promise<string[]> {
  const asked = conditionsOf(tenantId, filter, page);
  asked.oneOf('status', filter.status);
  return findByMetadata(database, { table: 'checkout_sessions', asked, metadata, page });
}

/** Newest first; a page before a session, oldest first. Returns one row more than the limit if there are more. */
export function listSessions(
  database: Queryable,
  tenantId: string,
  filter: SessionFilter,
  page: ListPage,
): Promise<(StoredSession & Found)[]> {
  const asked = conditionsOf(tenantId, filter, page);
  const ways = asked.each('status', filter.status);
  const text = pageStatement({
    columns: storedColumns,
    table: tableOf(asked, 'checkout_sessions', filter.ids),
    where: asked.text,
    ways,
    order: orderOf(page),
    bytes: sessionBytes,
  });
  return database.query({ text }, asked.values);
}

/**
 * The newest sessions of an order that are not paid, of any tenant: for the gateway's staff, who do not know the
 * tenant. The payment of a paid one names the order too.
 */
export function findUnpaidOfOrder(database: Queryable, externalId: string): Promise<OwnedObject[]> {
  const text = `
SELECT asked.id, t.merchant_id AS "merchantId", m.name AS "merchantName", t.mode
FROM tenants t JOIN merchants m ON m.id = t.merchant_id CROSS JOIN LATERAL (
  SELECT id, status FROM checkout_sessions
  WHERE tenant_id = t.id AND external_id = $1 ORDER BY id DESC LIMIT 5
) AS asked
WHERE asked.status <> 'COMPLETED'
ORDER BY asked.id DESC LIMIT 100`;
  return database.query<OwnedObject>({ text }, [externalId]);
}

const sessionOfPayment = `id = (
  SELECT checkout_session_id FROM payments WHERE payments.tenant_id = $1 AND payments.id = ?
)`;
