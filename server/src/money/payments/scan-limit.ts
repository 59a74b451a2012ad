import { type DomainError, invalid } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { countItems } from '../totals/read.ts';
import { type PaymentFilter, paymentConditions } from './list.ts';

/** The most payments scanned for one page; scanning them takes some tens of milliseconds. */
export const maxLookedThrough = 100_000;

/** The most payments, the newest ones, in which a search looks for what no index finds, and a total counts. */
export const mostSearched = 50_000;

/** The same for the first look of a person, who then asks for older payments or sets dates. */
export const searchedAtFirst = 10_000;

/** Compares bytes: the text of an id costs three times as much per row. */
export const hasEndOfId = (end: string) => `substr(uuid_send(id), 12) = decode(${end}, 'hex')`;

/**
 * The id of the oldest payment that a scan of the newest ones reaches, read from the primary key; undefined if it
 * reaches all of them.
 */
export async function endOfScan(
  database: Queryable,
  tenantId: string,
  { createdFromMs, createdUntilMs }: Pick<PaymentFilter, 'createdFromMs' | 'createdUntilMs'>,
  { startingAfter, most = mostSearched }: { startingAfter?: string | undefined; most?: number },
): Promise<string | undefined> {
  const asked = paymentConditions(
    tenantId,
    { createdFromMs, createdUntilMs },
    { limit: 1, startingAfter },
  );
  const text = `SELECT id FROM payments WHERE ${asked.text} ORDER BY id DESC OFFSET ${asked.value(most - 1)} LIMIT $2`;
  const [last, next] = await database.query<{ id: string }>({ text }, asked.values);
  return next && last!.id;
}

/**
 * How many payments a list would scan, if these are too many for it: amounts have no index, and rare matches are
 * found late. The totals count the payments without a scan. Where the totals mislead, as for an operator last used
 * long ago, the statement time-out is the remaining limit.
 * @returns the number of payments in the range of time; undefined if the list is allowed
 */
export async function tooMany(
  database: Queryable,
  tenantId: string,
  filter: PaymentFilter,
  limit: number,
): Promise<number | undefined> {
  const { operator, currency } = filter;
  if (hasIndex(filter)) return undefined;
  const isByAmount = filter.amountFromMinor !== undefined || filter.amountUntilMinor !== undefined;
  if (!isByAmount && operator === undefined && currency === undefined) return undefined;
  const range = { fromMs: filter.createdFromMs, untilMs: filter.createdUntilMs };
  const { all, matching } = await countItems(database, tenantId, { ...range, operator, currency });
  if (all <= maxLookedThrough) return undefined;
  const lookedThrough = isByAmount ? all : (limit * all) / Math.max(matching, 1);
  return lookedThrough <= maxLookedThrough ? undefined : all;
}

const hasIndex = (filter: PaymentFilter): boolean =>
  [
    filter.customerId,
    filter.externalId,
    filter.operatorPhone,
    filter.checkoutSessionId,
    filter.ids,
  ].some((each) => each !== undefined);

/** Such a search's {@link tooMany}, as a VALIDATION_ERROR which says what to narrow. */
export async function refusalOf(
  database: Queryable,
  tenantId: string,
  filter: PaymentFilter,
  limit: number,
): Promise<DomainError | undefined> {
  const all = await tooMany(database, tenantId, filter, limit);
  if (all === undefined) return undefined;
  return invalid(
    'dates',
    `must be closer together: ${all} payments were made between them, and a search can scan at most ${maxLookedThrough}`,
  );
}
