import { last4Of, spacedNumber } from '../../../platform/formats/account-number.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { AccountDetails } from '../../../tenants/merchants/bank-account.ts';
import type { RequestContext } from '../request-context.ts';
import { accountWords } from './bank-account.words.ts';
import { given } from './format.ts';

/** The last digits of an account number. */
export const accountEnd = (accountNumber: string): Html =>
  html`<code>…${last4Of(accountNumber)}</code>`;

/**
 * The names and values of a bank account, for `facts`. Only people who may change accounts see
 * whole numbers.
 */
export function accountFacts(
  { language }: Pick<RequestContext, 'language'>,
  { currency, accountNumber, holder, bic }: AccountDetails,
  isWhole: boolean,
): (readonly [string, Html | string | null | undefined])[] {
  const words = accountWords[language];
  const number = isWhole
    ? html`<code>${spacedNumber(accountNumber)}</code>`
    : accountEnd(accountNumber);
  return [
    [words.currency, currency],
    [words.account, number],
    [words.holder, given(holder)],
    [words.bic, bic],
  ];
}
