import { invalid } from '../errors.ts';
import type { Queryable } from '../postgres/database.ts';
import { countItems } from '../totals/read.ts';
import type { PaymentFilter } from './list.ts';

/** As many payments are looked through for one page; they take some tens of milliseconds. */
export const maxLookedThrough = 100_000;

/**
 * Refuses what would look through more payments than that: amounts have no index, and what few of many payments
 * have is found late. The totals know how many there are without looking. The statement's time-out is what is
 * left where they are misled, as when an operator was last used long ago.
 * @throws VALIDATION_ERROR which says what to narrow
 */
export async function requireNarrow(
  database: Queryable,
  tenantId: string,
  filter: PaymentFilter,
  limit: number,
): Promise<void> {
  const { customerId, externalId, operatorPhone, operator, currency } = filter;
  if (customerId !== undefined || externalId !== undefined || operatorPhone !== undefined) return;
  const isByAmount = filter.amountFromMinor !== undefined || filter.amountUntilMinor !== undefined;
  if (!isByAmount && operator === undefined && currency === undefined) return;
  const range = { fromMs: filter.createdFromMs, untilMs: filter.createdUntilMs };
  const { all, matching } = await countItems(database, tenantId, { ...range, operator, currency });
  if (all <= maxLookedThrough) return;
  const lookedThrough = isByAmount ? all : (limit * all) / Math.max(matching, 1);
  if (lookedThrough <= maxLookedThrough) return;
  throw invalid(
    'dates',
    `must be closer together: ${all} payments were made between them, and at most ${maxLookedThrough} can be looked through`,
  );
}
