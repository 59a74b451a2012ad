import type { Queryable } from '../../platform/postgres/database.ts';
import type { Mode } from './api-key.ts';

/** Tables whose rows a tenant owns, and whose key begins with the tenant. */
export type OwnedTable =
  | 'api_keys'
  | 'checkout_sessions'
  | 'events'
  | 'payment_links'
  | 'products'
  | 'webhook_endpoints';

/** Whose an object is. */
export interface OwnedObject {
  id: string;
  merchantId: string;
  merchantName: string;
  mode: Mode;
}

/**
 * The owner of the object with this id: for the gateway's staff, who do not know the tenant. Along the key of each
 * tenant in turn, since no index is by the id alone.
 */
export function findOwner(
  database: Queryable,
  table: OwnedTable,
  id: string,
): Promise<OwnedObject[]> {
  const text = `
SELECT owned.id, t.merchant_id AS "merchantId", m.name AS "merchantName", t.mode
FROM tenants t JOIN merchants m ON m.id = t.merchant_id CROSS JOIN LATERAL (
  SELECT id FROM ${table} WHERE tenant_id = t.id AND id = $1 LIMIT 1
) AS owned
LIMIT 1`;
  return database.query<OwnedObject>({ text }, [id]);
}
