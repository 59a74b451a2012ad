import type { Queryable } from '../postgres/database.ts';
import { rowsQuery } from '../postgres/query.ts';
import { type FoundRecords, searchRecords } from './search.ts';
import type { RecordFilter } from './store.ts';

export type MerchantFilter = Omit<RecordFilter, 'merchantId'>;

/**
 * Lists the changes to a merchant and its two tenants, newest first; one row beyond the limit shows that there are
 * more.
 */
export function listMerchantRecords(
  database: Queryable,
  merchantId: string,
  filter: MerchantFilter,
  page: { limit: number; beforeId?: string | undefined },
): Promise<FoundRecords> {
  return searchRecords(database, { ...filter, merchantId }, page);
}

/** The names of people, by their ids: for people who were removed, only the id is left. */
export const namesOfPeople = rowsQuery<{ id: string; name: string }, [ids: readonly string[]]>({
  name: 'people.names',
  text: 'SELECT id, name FROM people WHERE id = ANY ($1::uuid[])',
});
