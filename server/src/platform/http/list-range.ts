import type { TSchema } from 'typebox';
import { invalid } from '../errors/errors.ts';
import { firstMsFrom, lastMsUntil } from '../formats/instant.ts';
import type { ListPage } from '../postgres/list-page.ts';
import { type IdPrefix, idPattern } from '../values/ids.ts';
import { cursorOf, pageLimit, readCursor } from './lists.ts';
import { Type } from './type.ts';

const instant = (description: string) =>
  Type.Optional(
    Type.String({ format: 'date-time', description, examples: ['2026-11-21T00:00:00Z'] }),
  );

/** The query parameters of every list of `/v1`: a page, and a range of time. */
const rangeQuery = (pattern: string, rule: string) => ({
  limit: pageLimit,
  starting_after: cursorOf(pattern, rule, 'The id of the last item of the previous page.'),
  ending_before: cursorOf(
    pattern,
    rule,
    'The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.',
  ),
  created_gte: instant('Only those made at this instant or later.'),
  created_gt: instant('Only those made after this instant.'),
  created_lte: instant('Only those made at this instant or earlier.'),
  created_lt: instant('Only those made before this instant.'),
});

const ruleOf = (prefix: IdPrefix) => `must be an id that begins with ${prefix}_`;

/** The query of a list of `/v1` whose ids have this prefix; other parameters are refused. */
export function rangedListQuery<Filters extends Record<string, TSchema>>(
  prefix: IdPrefix,
  filters: Filters,
) {
  return rangedQuery(idPattern(prefix), ruleOf(prefix), filters);
}

/** The same for ids of several prefixes. @param rule explains the pattern, as in `must be an id` */
export function rangedQuery<Filters extends Record<string, TSchema>>(
  pattern: string,
  rule: string,
  filters: Filters,
) {
  const parameters = { ...rangeQuery(pattern, rule), ...filters };
  return Type.Object(parameters, { additionalProperties: false });
}

/** A filter that takes one value, or several that are separated by commas. */
export const severalOf = <Value extends TSchema>(value: Value) =>
  Type.Optional(Type.Array(value, { minItems: 1 }));

const mostKeys = 3;
const longestRangeMs = 31 * 24 * 60 * 60 * 1000;

/** The filter of lists whose objects have metadata. */
export const metadataFilter = Type.Optional(
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    maxProperties: mostKeys,
    description: `Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: \`metadata[order]=42\`. Up to ${mostKeys} keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days.`,
    examples: [{ order: '42' }],
  }),
);

/** The filter by metadata, if one is given. @throws VALIDATION_ERROR without a range of time that is short enough */
export function metadataOf(
  { metadata }: { metadata?: Record<string, string> },
  { createdFromMs, createdUntilMs }: ListPage,
): Record<string, string> | undefined {
  if (metadata === undefined) return undefined;
  if (createdFromMs === undefined || createdUntilMs === undefined)
    throw invalid(
      'created_gte',
      'must be given together with created_lte for a filter by metadata, at most 31 days apart',
    );
  if (createdUntilMs - createdFromMs > longestRangeMs)
    throw invalid(
      'created_gte',
      'must be at most 31 days before created_lte for a filter by metadata',
    );
  return metadata;
}

export interface RangeQuery {
  limit: number;
  starting_after?: string;
  ending_before?: string;
  created_gte?: string;
  created_gt?: string;
  created_lte?: string;
  created_lt?: string;
}

/** Reads the requested page. @throws VALIDATION_ERROR an ill-formed cursor, or two of them */
export function rangedPageOf(prefix: IdPrefix, query: RangeQuery): ListPage {
  const range = rangeOf(query);
  return {
    ...range,
    startingAfter: readCursor(prefix, 'starting_after', range.startingAfter),
    endingBefore: readCursor(prefix, 'ending_before', range.endingBefore),
  };
}

/** The same with the cursors as they were given. @throws VALIDATION_ERROR two of them */
export function rangeOf(query: RangeQuery): Required<ListPage> {
  const { limit, starting_after: startingAfter, ending_before: endingBefore } = query;
  if (startingAfter !== undefined && endingBefore !== undefined)
    throw invalid('ending_before', 'must not be given together with starting_after');
  return { limit, startingAfter, endingBefore, ...createdRange(query) };
}

/** The range of time that all four parameters leave, both ends included. */
function createdRange(query: RangeQuery) {
  const { created_gte, created_gt, created_lte, created_lt } = query;
  const from = [
    ...(created_gte === undefined ? [] : [firstMsFrom(created_gte)]),
    ...(created_gt === undefined ? [] : [lastMsUntil(created_gt) + 1]),
  ];
  const until = [
    ...(created_lte === undefined ? [] : [lastMsUntil(created_lte)]),
    ...(created_lt === undefined ? [] : [firstMsFrom(created_lt) - 1]),
  ];
  return {
    createdFromMs: from.length === 0 ? undefined : Math.max(...from),
    createdUntilMs: until.length === 0 ? undefined : Math.min(...until),
  };
}
