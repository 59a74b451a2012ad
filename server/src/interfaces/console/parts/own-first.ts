import { type Currency, currencies } from '../../../platform/values/money.ts';
import type { MerchantContext } from '../request-context.ts';

type Owner = Pick<MerchantContext, 'ownCurrency'>;

/** What a page lists by currency, with the merchant's own currency first. */
export const ownFirst = <Row extends { currency: string }>(
  { ownCurrency }: Owner,
  rows: readonly Row[],
): Row[] => rows.toSorted((one, other) => rank(one, ownCurrency) - rank(other, ownCurrency));

const rank = ({ currency }: { currency: string }, ownCurrency: Currency | null) =>
  currency === ownCurrency ? 0 : 1;

/** All currencies to choose from, the merchant's own first. */
export const ownCurrencies = (owner: Owner): Currency[] =>
  ownFirst(
    owner,
    currencies.map((currency) => ({ currency })),
  ).map(({ currency }) => currency);
