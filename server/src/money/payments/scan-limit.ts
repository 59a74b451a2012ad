import { type DomainError, invalid } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { countItems } from '../totals/read.ts';
import type { PaymentFilter } from './list.ts';

/** The most payments scanned for one page; scanning them takes some tens of milliseconds. */
export const maxLookedThrough = 100_000;

/**
 * Whether to refuse a search that would scan more payments than that: amounts have no index, and rare matches are
 * found late. The totals count the payments without a scan. Where the totals mislead, as for an operator last used
 * long ago, the statement time-out is the remaining limit.
 * @returns a VALIDATION_ERROR which says what to narrow; undefined if the search is allowed
 */
export async function refusalOf(
  database: Queryable,
  tenantId: string,
  filter: PaymentFilter,
  limit: number,
): Promise<DomainError | undefined> {
  const { customerId, externalId, operatorPhone, operator, currency } = filter;
  if (customerId !== undefined || externalId !== undefined || operatorPhone !== undefined)
    return undefined;
  const isByAmount = filter.amountFromMinor !== undefined || filter.amountUntilMinor !== undefined;
  if (!isByAmount && operator === undefined && currency === undefined) return undefined;
  const range = { fromMs: filter.createdFromMs, untilMs: filter.createdUntilMs };
  const { all, matching } = await countItems(database, tenantId, { ...range, operator, currency });
  if (all <= maxLookedThrough) return undefined;
  const lookedThrough = isByAmount ? all : (limit * all) / Math.max(matching, 1);
  if (lookedThrough <= maxLookedThrough) return undefined;
  return invalid(
    'dates',
    `must be closer together: ${all} payments were made between them, and a search can scan at most ${maxLookedThrough}`,
  );
}
