import { firstUuidAt, formatId } from '../ids.ts';
import { Conditions } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { rowsQuery } from '../postgres/query.ts';
import type { StoredRecord } from './digest.ts';
import type { RecordFilter } from './store.ts';

export type MerchantFilter = Omit<RecordFilter, 'merchantId'>;

export interface MerchantRecord extends StoredRecord {
  mode: 'live' | 'test' | null;
}

export interface MerchantRecords {
  records: MerchantRecord[];
  /** The id up to which was looked; undefined where that was the last one. */
  lookedThrough: string | undefined;
}

/** However rare what is looked for is, a page costs no more than to read so many of each of three sources. */
const mostLookedThrough = 5_000;

const columns = 'id, tenant_id, at, actor, origin, action, subject, before, after, detail';

/** The newest of each source along its index, then those of them that meet the rest of the conditions. */
const textOf = (range: string, rest: string, most: number) => `
WITH source AS (
  SELECT tenant.mode, looked.* FROM tenants AS tenant
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM audit_records
    WHERE tenant_id = tenant.id AND ${range}
    ORDER BY id DESC LIMIT ${most}
  ) AS looked
  WHERE tenant.merchant_id = $1
  UNION ALL
  SELECT NULL, looked.* FROM (
    SELECT ${columns} FROM audit_records
    WHERE tenant_id IS NULL AND coalesce(detail ->> 'merchant', subject) = $2 AND ${range}
    ORDER BY id DESC LIMIT ${most}
  ) AS looked
),
looked AS MATERIALIZED (SELECT * FROM source ORDER BY id DESC LIMIT ${most})
SELECT r.id, r.tenant_id AS "tenantId", r.at AS "atMs", r.actor, r.origin, r.action, r.subject, r.before,
  r.after, r.detail, r.mode, bound.count AS "lookedAt", bound.last AS "lookedThrough"
FROM (SELECT count(*)::integer AS count, min(id::text)::uuid AS last FROM looked) AS bound
LEFT JOIN (SELECT * FROM looked WHERE ${rest} ORDER BY id DESC LIMIT $3) AS r ON true
ORDER BY r.id DESC`;

/** What was done to a merchant and to its two tenants, newest first; one row more than the limit shows that there are more. */
export async function listMerchantRecords(
  database: Queryable,
  merchantId: string,
  filter: MerchantFilter,
  page: { limit: number; beforeId?: string | undefined },
): Promise<MerchantRecords> {
  const { sinceMs, untilMs, actor, action, subject } = filter;
  const values = [merchantId, formatId('me', merchantId), page.limit + 1];
  const range = new Conditions(values, 'true');
  range.where('id < ?', page.beforeId);
  range.where('id >= ?', sinceMs === undefined ? undefined : firstUuidAt(sinceMs));
  range.where('id < ?', untilMs === undefined ? undefined : firstUuidAt(untilMs));
  const rest = new Conditions(range.values, 'true');
  rest.where('actor = ?', actor);
  rest.where('action = ?', action);
  rest.where('subject = ?', subject);
  type Row = MerchantRecord & { lookedAt: number; lookedThrough: string | null };
  const isNarrowed = [actor, action, subject].some((each) => each !== undefined);
  const most = isNarrowed ? mostLookedThrough : page.limit + 1;
  const text = textOf(range.text, rest.text, most);
  const rows = await database.query<Row>({ text }, rest.values);
  const records = rows.filter(({ id }) => id !== null);
  const { lookedAt = 0, lookedThrough = null } = rows[0] ?? {};
  const isCut = records.length <= page.limit && lookedAt === most;
  return { records, lookedThrough: isCut && lookedThrough !== null ? lookedThrough : undefined };
}

/** The names of people, by their ids: of whoever is not there any more, the id alone is left. */
export const namesOfPeople = rowsQuery<{ id: string; name: string }, [ids: readonly string[]]>({
  name: 'people.names',
  text: 'SELECT id, name FROM people WHERE id = ANY ($1::uuid[])',
});
