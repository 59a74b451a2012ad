import { invalid } from '../errors/errors.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { isOutOfTime, limitTime } from '../postgres/limit-time.ts';
import { rangedListQuery } from './list-range.ts';

const mostMs = 1_000;

/** They choose a piece of the key, whatever the objects are. */
const placesOfPage = Object.keys(rangedListQuery('pi', {}).properties);

/**
 * Reads a page of a list of `/v1`. Few filters have an index, and together they may match only a few objects among
 * very many, so a page has a limit of time.
 * @param unlimited the parameters that the list had before it had this limit: with one value each, they may take as
 * long as any statement
 * @throws VALIDATION_ERROR the objects are too far apart to be found in time
 */
export async function readInTime<Row>(
  database: Database,
  query: object,
  unlimited: readonly string[],
  read: (queryable: Queryable) => Promise<Row[]>,
): Promise<Row[]> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  // Without a filter only the database can be slow: the client need not ask for anything else.
  if (given.every(([name]) => placesOfPage.includes(name))) return read(database);
  const isFree = mayTakeLong(given, unlimited);
  try {
    return await (isFree ? read(database) : limitTime(database, mostMs, read));
  } catch (error) {
    throw isOutOfTime(error) ? tooSlow() : error;
  }
}

function mayTakeLong(
  given: readonly [name: string, value: unknown][],
  unlimited: readonly string[],
): boolean {
  const isOne = (value: unknown) => !Array.isArray(value) || value.length === 1;
  return given.every(
    ([name, value]) => ['limit', 'starting_after', ...unlimited].includes(name) && isOne(value),
  );
}

const tooSlow = () =>
  invalid(
    'created_gte',
    'must be later, or created_lte earlier: too few of the objects between them match the other filters to be found in time',
  );
