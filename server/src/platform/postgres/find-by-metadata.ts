import { invalid } from '../errors/errors.ts';
import type { Conditions } from './conditions.ts';
import type { Database } from './database.ts';
import { isOutOfTime, limitTime } from './limit-time.ts';
import { type ListPage, orderOf } from './list-page.ts';

/** Exact texts by key: of strings, numbers, true and false. */
export type MetadataFilter = Readonly<Record<string, string>>;

/** Metadata has no index, so a search has limits. */
const mostRows = 50_000;
const mostBytes = 32 * 1024 * 1024;
const mostMs = 1_000;

const tooMuch = () =>
  invalid(
    'created_gte',
    `must be later, or created_lte earlier: a filter by metadata looks through at most ${mostRows} objects, 32 MiB of metadata and 1 s`,
  );

interface MetadataSearch {
  table: string;
  /** The conditions of the list for this page: `$1` is the tenant, `$2` one more than the limit. */
  asked: Conditions;
  metadata: MetadataFilter;
  page: ListPage;
}

/**
 * The ids of the rows of a page that also have this metadata; one more than the limit if there are more.
 * @throws VALIDATION_ERROR they are too far apart to be found
 */
export async function findByMetadata(
  database: Database,
  { table, asked, metadata, page }: MetadataSearch,
): Promise<string[]> {
  const text = searchText(table, asked, metadata, orderOf(page));
  const found = await limitTime(database, mostMs, (transaction) =>
    transaction.query<{ id: string; isEnd: boolean }>({ text }, asked.values),
  ).catch((error: unknown) => {
    throw isOutOfTime(error) ? tooMuch() : error;
  });
  if (found.some(({ isEnd }) => isEnd)) throw tooMuch();
  return found.map(({ id }) => id);
}

// The rows stream through the window, so that a full page ends the search. A length is known without reading the text.
const searchText = (
  table: string,
  asked: Conditions,
  metadata: MetadataFilter,
  order: 'DESC' | 'ASC',
) => {
  const rows = asked.text;
  const matches = Object.entries(metadata).map(([key, value]) => conditionOf(asked, key, value));
  return `
SELECT id, is_end AS "isEnd" FROM (
  SELECT id, metadata,
    row_number() OVER place > ${mostRows} OR sum(octet_length(metadata)) OVER place > ${mostBytes} AS is_end
  FROM (
    SELECT id, metadata FROM ${table} WHERE ${rows} ORDER BY id ${order} LIMIT ${mostRows + 1}
  ) AS row_of_page
  WINDOW place AS (ORDER BY id ${order} ROWS UNBOUNDED PRECEDING)
) AS looked_through
WHERE is_end OR (${matches.join(' AND ')})
ORDER BY id ${order} LIMIT $2`;
};

/**
 * JSON is parsed only where the text contains the pair, which is stored as JSON.stringify writes it. The type "json"
 * keeps the text of numbers.
 */
function conditionOf(asked: Conditions, key: string, value: string): string {
  const name = JSON.stringify(key);
  const contains = (text: string) => `position(${asked.value(text)}::text IN metadata) > 0`;
  const ways = [contains(`${name}:${JSON.stringify(value)}`)];
  if (/^(true|false|-?\d[\d.eE+-]*)$/.test(value)) ways.push(contains(`${name}:${value}`));
  const field = `${asked.value(key)}::text`;
  return `CASE WHEN ${ways.join(' OR ')} THEN
    json_typeof(metadata::json -> ${field}) IN ('string', 'number', 'boolean')
    AND metadata::json ->> ${field} = ${asked.value(value)} ELSE false END`;
}
