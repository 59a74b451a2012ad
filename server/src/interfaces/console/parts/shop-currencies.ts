import { offeredOperators } from '../../../integrations/operators/check.ts';
import { findCurrencies } from '../../../money/ledger/currencies.ts';
import type { Currency } from '../../../platform/values/money.ts';
import type { MerchantContext } from '../request-context.ts';
import { ownCurrencies } from './own-first.ts';

/**
 * The currencies of a shop, its own first: that one, and those that it has been paid in. A new shop without an own
 * currency gets those that operators offer it.
 */
export async function shopCurrencies(visit: MerchantContext): Promise<readonly Currency[]> {
  const all = ownCurrencies(visit);
  const used = await findCurrencies(visit.services.database, visit.tenantId);
  const own = all.filter((each) => each === visit.ownCurrency || used.includes(each));
  if (own.length > 0) return own;
  const { checkOperator } = visit.services;
  const offered = all.filter(
    (each) => offeredOperators(checkOperator, visit.mode, each).length > 0,
  );
  return offered.length > 0 ? offered : all;
}
