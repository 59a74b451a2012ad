import { money } from '../../../storefront/checkout/page/money.ts';

export { parseAmount } from '../../../platform/text/amount-text.ts';

import type { RequestContext } from '../request-context.ts';

/** An amount in minor units in the reader's notation: `1.500,00`, or `1,500.00` in English. */
export const typedAmount = (
  { language }: Pick<RequestContext, 'language'>,
  amountMinor: bigint,
): string => money(amountMinor, '', language).trimEnd();
