import { offeredOperators } from '../../../integrations/operators/check.ts';
import { findCurrencies } from '../../../money/ledger/currencies.ts';
import { type Currency, currencies } from '../../../platform/values/money.ts';
import type { MerchantContext } from '../request-context.ts';

/**
 * The currencies of a shop, its own first: those that it has been paid in. A new shop gets those that operators
 * offer it.
 */
export async function shopCurrencies(visit: MerchantContext): Promise<readonly Currency[]> {
  const used = await findCurrencies(visit.services.database, visit.tenantId);
  if (used.length > 0) return used;
  const offered = currencies.filter(
    (each) => offeredOperators(visit.services.checkOperator, visit.mode, each).length > 0,
  );
  return offered.length > 0 ? offered : currencies;
}
