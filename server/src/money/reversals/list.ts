import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import type { Reversal } from './reversal.ts';
import { reversalColumns } from './store.ts';

interface Page {
  limit: number;
  status?: string | undefined;
  startingAfter?: string | undefined;
  /** The instant of the previous page's last item, if that is in another database. */
  afterMs?: number | undefined;
}

/**
 * For the gateway's staff: wrong debits of all tenants, newest first. Their ids are derived, so they are sorted by
 * their instants. Returns one row more than the limit if there are more.
 */
export function listReversals(
  database: Queryable,
  { limit, status, startingAfter, afterMs }: Page,
): Promise<Reversal[]> {
  const text = `
SELECT ${reversalColumns} FROM reversals
WHERE ($1::text IS NULL OR status = $1)
  AND ($2::uuid IS NULL OR (created_at, id) < (coalesce($4::timestamptz, (
    SELECT last.created_at FROM tenants t JOIN reversals last ON last.tenant_id = t.id AND last.id = $2)), $2))
ORDER BY created_at DESC, id DESC LIMIT $3`;
  const values = [status ?? null, startingAfter ?? null, limit + 1, timestamp(afterMs ?? null)];
  return database.query<Reversal>({ text }, values);
}
