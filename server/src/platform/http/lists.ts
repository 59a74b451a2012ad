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
  const items: (string | readonly Piece[])[] = [];
  const size = new PageSize();
  for (const row of rows.slice(0, limit)) {
    items.push(jsonOf(row));
    if (size.isBeyond(pageBytes, items) && items.length > 1) {
      items.pop();
      break;
    }
  }
  if (endingBefore !== undefined) items.reverse();
  const count = items.length;
  // The size of these rows is the estimate for the next page.
  const { request } = reply as Partial<FastifyReply>;
  if (request) request.rowCount = count;
  const found = (rows[0] as Found | undefined)?.rowsFound ?? rows.length;
  sendJson(reply, ...joined('{"data":[', items, `],"hasMore":${found > count}}`));
  return reply;
}

/** The bytes of a growing page, counted only where they matter: counting copies a text. */
class PageSize {
  #atMost = 0;
  #bytes = 0;
  #counted = 0;

  /** @param items those of the last call, and one more */
  isBeyond(limit: number, items: readonly (string | readonly Piece[])[]): boolean {
    const last = items.at(-1)!;
    // A character of a string takes at most three bytes.
    this.#atMost += typeof last === 'string' ? 3 * last.length : bytesOf(last);
    if (this.#atMost <= limit) return false;
    for (; this.#counted < items.length; this.#counted++)
      this.#bytes += bytesOf([items[this.#counted]!].flat());
    return this.#bytes > limit;
  }
}

/** A text of this length is a piece of its own. */
const chunkLength = 64 * 1024;

/** In as few pieces as are sent well: small items as one text. */
function joined(start: string, items: readonly (string | readonly Piece[])[], end: string) {
  const pieces: Piece[] = [];
  let text = start;
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    if (index > 0) text += ',';
    const isText = typeof item === 'string';
    if (isText) text += item;
    if (isText && text.length < chunkLength) continue;
    pieces.push(text, ...(isText ? [] : item));
    text = '';
  }
  pieces.push(text + end);
  return pieces;
}

/** Returns the UUID of an id in a path; an ill-formed id is a 404. */
export function pathId(prefix: IdPrefix, value: string, noun: string): string {
  const uuid = parseId(prefix, value);
  // A path without the id is a 404 too.
  if (value === '') throw noSuchRoute();
  if (uuid === undefined) throw notFound(noun);
  return uuid;
}
