import type { Queryable } from '../postgres/database.ts';
import type { Reversal } from './reversal.ts';
import { reversalColumns } from './store.ts';

/**
 * For the gateway's staff: wrong debits of all tenants, newest first. Their ids are derived, so the order is that of
 * their instants. One row more than the limit shows whether there are more.
 */
export function listReversals(
  database: Queryable,
  page: { limit: number; status?: string | undefined; startingAfter?: string | undefined },
): Promise<Reversal[]> {
  const text = `
SELECT ${reversalColumns} FROM reversals
WHERE ($1::text IS NULL OR status = $1)
  AND ($2::uuid IS NULL OR (created_at, id) < (
    SELECT last.created_at, last.id FROM tenants t JOIN reversals last ON last.tenant_id = t.id AND last.id = $2))
ORDER BY created_at DESC, id DESC LIMIT $3`;
  const values = [page.status ?? null, page.startingAfter ?? null, page.limit + 1];
  return database.query<Reversal>({ text }, values);
}
