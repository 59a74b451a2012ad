import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { invalid, noSuchRoute, notFound } from '../errors/errors.ts';
import type { Piece } from '../formats/large-text.ts';
import type { ListPage } from '../postgres/list-page.ts';
import { type Found, pageBytes } from '../postgres/page-bytes.ts';
import { type IdPrefix, idPattern, parseId } from '../values/ids.ts';
import { textOf } from './schema.ts';
import { bytesOf, sendJson } from './send-json.ts';
import { Type } from './type.ts';

export const defaultLimit = 20;

export const pageLimit = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: defaultLimit,
  description: 'How many items a page may hold.',
});

/** A query parameter that names the place of a page in a list. */
export const cursorOf = (pattern: string, rule: string, description: string) =>
  Type.Optional(textOf(pattern, rule, { description }));

/** The query parameters of every list. */
const pageQuery = (prefix: IdPrefix) => ({
  limit: pageLimit,
  starting_after: cursorOf(
    idPattern(prefix),
    `must be an id that begins with ${prefix}_`,
    'The id of the last item of the previous page.',
  ),
});

/**
 * The query of a list of objects with this id prefix; other parameters are refused. Lists of `/v1` have more
 * parameters (list-range.ts).
 */
export function listQuery<Filters extends Record<string, TSchema>>(
  prefix: IdPrefix,
  filters: Filters,
) {
  return Type.Object({ ...pageQuery(prefix), ...filters }, { additionalProperties: false });
}

/** The envelope of a list. */
export function listOf<Item extends TSchema>(item: Item) {
  const { title } = item as { title?: string };
  return Type.Object(
    {
      data: Type.Array(item),
      hasMore: Type.Boolean({ description: 'Whether there is another page in this direction.' }),
    },
    title === undefined ? {} : { title: `${title}List` },
  );
}

/** Parses the requested page; an ill-formed cursor is a 400. */
export function pageOf(
  prefix: IdPrefix,
  { limit, starting_after: after }: { limit: number; starting_after?: string },
): { limit: number; startingAfter: string | undefined } {
  return { limit, startingAfter: readCursor(prefix, 'starting_after', after) };
}

/** The UUID of a cursor, if one is given. @throws VALIDATION_ERROR an ill-formed one */
export function readCursor(
  prefix: IdPrefix,
  name: string,
  value: string | undefined,
): string | undefined {
  const uuid = value === undefined ? undefined : parseId(prefix, value);
  if (value !== undefined && uuid === undefined)
    throw invalid(name, `must be an id that begins with ${prefix}_`);
  return uuid;
}

/**
 * Sends a page, given one row more than its limit, newest first. A page that would exceed the maximum number of bytes
 * ends early, and says that there are more.
 * @param rows in the order in which they were read: oldest first if the page ends before a row
 * @param jsonOf returns the JSON text of a row, whole or in pieces
 */
export function sendPage<Reply extends Parameters<typeof sendJson>[0], Row>(
  reply: Reply,
  rows: readonly Row[],
  { limit, endingBefore }: Pick<ListPage, 'limit' | 'endingBefore'>,
  jsonOf: (row: Row) => string | readonly Piece[],
): Reply {
  const items: Piece[][] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const item = [jsonOf(row)].flat();
    bytes += bytesOf(item);
    if (items.length > 0 && bytes > pageBytes) break;
    items.push(item);
  }
  if (endingBefore !== undefined) items.reverse();
  const count = items.length;
  const pieces = items.flatMap((item, index) => (index === 0 ? item : [',', ...item]));
  // The size of these rows is the estimate for the next page.
  const { request } = reply as Partial<FastifyReply>;
  if (request) request.rowCount = count;
  const found = (rows[0] as Found | undefined)?.rowsFound ?? rows.length;
  sendJson(reply, '{"data":[', ...pieces, `],"hasMore":${found > count}}`);
  return reply;
}

/** Returns the UUID of an id in a path; an ill-formed id is a 404. */
export function pathId(prefix: IdPrefix, value: string, noun: string): string {
  const uuid = parseId(prefix, value);
  // A path without the id is a 404 too.
  if (value === '') throw noSuchRoute();
  if (uuid === undefined) throw notFound(noun);
  return uuid;
}
