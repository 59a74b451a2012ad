import { Conditions } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { firstUuidAt, formatId } from '../values/ids.ts';
import { type ListedRecord, patternOf, type RecordFilter } from './store.ts';

export interface FoundRecords {
  /** Newest first; one more than the limit shows that there are more. */
  records: ListedRecord[];
  /** The id at which an incomplete search stopped; undefined if the search reached the end. */
  lookedThrough: string | undefined;
}

/** However rare the matches are, a page reads at most this many records of each source. */
const mostLookedThrough = 5_000;

const columns = 'id, tenant_id, at, actor, origin, action, subject, before, after, detail';

/** Reads the newest of the source along its index, then filters them by the remaining conditions. */
const textOf = (source: string, rest: string, most: number) => `
WITH source AS (${source}),
looked AS MATERIALIZED (SELECT * FROM source ORDER BY id DESC LIMIT ${most})
SELECT r.id, r.tenant_id AS "tenantId", r.at AS "atMs", r.actor, r.origin, r.action, r.subject, r.before,
  r.after, r.detail, t.merchant_id AS "merchantId", t.mode, bound.count AS "lookedAt", bound.last AS "lookedThrough"
FROM (SELECT count(*)::integer AS count, min(id::text)::uuid AS last FROM looked) AS bound
LEFT JOIN (SELECT * FROM looked WHERE ${rest} ORDER BY id DESC LIMIT $1) AS r ON true
LEFT JOIN tenants t ON t.id = r.tenant_id
ORDER BY r.id DESC`;

/** The changes to a merchant and its two tenants. */
function sourceOfMerchant(merchantId: string, range: Conditions, most: number): string {
  const [id, name] = [range.value(merchantId), range.value(formatId('me', merchantId))];
  return `
  SELECT looked.* FROM tenants AS tenant
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM audit_records
    WHERE tenant_id = tenant.id AND ${range.text}
    ORDER BY id DESC LIMIT ${most}
  ) AS looked
  WHERE tenant.merchant_id = ${id}
  UNION ALL
  SELECT * FROM (
    SELECT ${columns} FROM audit_records
    WHERE tenant_id IS NULL AND coalesce(detail ->> 'merchant', subject) = ${name} AND ${range.text}
    ORDER BY id DESC LIMIT ${most}
  ) AS looked
`;
}

const sourceOfAll = (range: string, most: number) => `
  SELECT ${columns} FROM audit_records WHERE ${range} ORDER BY id DESC LIMIT ${most}
`;

const fields = ['subject', 'actor', 'action'] as const;

/**
 * Searches the audit log, of everything or of one merchant. Each entry point has an index that ends with the id, so the
 * newest are read first: by merchant, or by a complete subject, actor or action. All other conditions filter these
 * records.
 */
export async function searchRecords(
  database: Queryable,
  filter: RecordFilter,
  page: { limit: number; beforeId?: string | undefined },
): Promise<FoundRecords> {
  const { sinceMs, untilMs, merchantId } = filter;
  const range = new Conditions([page.limit + 1], 'true');
  range.where('id < ?', page.beforeId);
  range.where('id >= ?', sinceMs === undefined ? undefined : firstUuidAt(sinceMs));
  range.where('id < ?', untilMs === undefined ? undefined : firstUuidAt(untilMs));
  const isWhole = (field: (typeof fields)[number]) =>
    filter[field] !== undefined && (field === 'subject' || !filter[field].includes('*'));
  const way = merchantId === undefined ? fields.find(isWhole) : undefined;
  if (way !== undefined) range.where(`${way} = ?`, filter[way]);
  const left = fields.filter((field) => field !== way && filter[field] !== undefined);
  const most = left.length > 0 ? Math.max(mostLookedThrough, page.limit + 1) : page.limit + 1;
  const source =
    merchantId === undefined
      ? sourceOfAll(range.text, most)
      : sourceOfMerchant(merchantId, range, most);
  const rest = new Conditions(range.values, 'true');
  for (const field of left) {
    if (isWhole(field)) rest.where(`${field} = ?`, filter[field]);
    else rest.where(`${field} LIKE ?`, patternOf(filter[field]));
  }
  type Row = ListedRecord & { lookedAt: number; lookedThrough: string | null };
  const text = textOf(source, rest.text, most);
  const rows = await database.query<Row>({ text }, rest.values);
  const records = rows
    .filter(({ id }) => id !== null)
    .map(({ lookedAt: _at, lookedThrough: _through, ...record }) => record);
  const { lookedAt = 0, lookedThrough = null } = rows[0] ?? {};
  const isCut = records.length <= page.limit && lookedAt === most;
  return { records, lookedThrough: isCut && lookedThrough !== null ? lookedThrough : undefined };
}

const pageRows = 1_000;

/** All matching records, newest first, in pages: each statement is short, however rare the matches are. */
export async function* recordPages(
  database: Queryable,
  filter: RecordFilter,
): AsyncGenerator<ListedRecord[]> {
  let beforeId: string | undefined;
  do {
    const found: FoundRecords = await searchRecords(database, filter, {
      limit: pageRows,
      beforeId,
    });
    const { records, lookedThrough } = found;
    const page = records.slice(0, pageRows);
    yield page;
    beforeId = records.length > pageRows ? page.at(-1)!.id : lookedThrough;
  } while (beforeId !== undefined);
}
