import { withoutPhones } from '../../platform/audit/mask.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { last4Of, parseAccountNumber, parseBic } from '../../platform/formats/account-number.ts';
import { formatId } from '../../platform/values/ids.ts';
import { type Currency, currencies } from '../../platform/values/money.ts';

/** What of a bank account somebody says. */
export interface AccountDetails {
  currency: Currency;
  /** An IBAN or a NIB, without spaces. */
  accountNumber: string;
  holder: string;
  bic: string | null;
}

/** Where a merchant is paid out to in a currency, from a time on. Of it only the end ever changes. */
export interface BankAccount extends AccountDetails {
  merchantId: string;
  id: string;
  validFromMs: number;
  /** Null while it holds. */
  validUntilMs: number | null;
}

const longestHolder = 140;
/** Neither lines nor what is not seen, or turns the order of what is: a bank reads this, and nothing else. */
const unreadable = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * An account as it was typed, in the form in which it is stored.
 * @throws VALIDATION_ERROR names the field
 */
export function checkAccount(typed: {
  currency: string;
  accountNumber: string;
  holder: string;
  bic: string | null;
}): AccountDetails {
  const currency = currencies.find((each) => each === typed.currency);
  if (currency === undefined) throw invalid('currency', `must be one of ${currencies.join(', ')}`);
  const accountNumber = parseAccountNumber(typed.accountNumber);
  if (accountNumber === undefined) {
    throw invalid(
      'accountNumber',
      'must be an IBAN or a NIB of 21 digits, with right check digits',
    );
  }
  const holder = typed.holder.trim().normalize('NFC');
  if (holder === '' || holder.length > longestHolder || unreadable.test(holder)) {
    throw invalid('holder', `must have 1 to ${longestHolder} characters, in one line`);
  }
  // Whoever erases a phone finds none here, where nothing is ever changed.
  if (withoutPhones(holder) !== holder) throw invalid('holder', 'must not contain a phone number');
  const bic = typed.bic === null ? null : parseBic(typed.bic);
  if (bic === undefined) throw invalid('bic', 'must have 8 or 11 letters and digits');
  return { currency, accountNumber, holder, bic };
}

/** Whether they say the same. */
export const isSameAccount = (one: AccountDetails, other: AccountDetails): boolean =>
  one.currency === other.currency &&
  one.accountNumber === other.accountNumber &&
  one.holder === other.holder &&
  one.bic === other.bic;

/** For the audit log, which is never erased: no whole number, and nobody's name. */
export const maskedAccount = ({ currency, accountNumber, bic }: AccountDetails) => ({
  currency,
  account: `…${last4Of(accountNumber)}`,
  bic,
});

/**
 * As `/admin/v1` shows it.
 * @param isWhole whether the reader may see all of the number
 */
export const accountView = (account: BankAccount, isWhole: boolean) => ({
  id: formatId('ba', account.id),
  currency: account.currency,
  holder: account.holder,
  last4: last4Of(account.accountNumber),
  accountNumber: isWhole ? account.accountNumber : null,
  bic: account.bic,
  validFrom: new Date(account.validFromMs).toISOString(),
  validUntil: account.validUntilMs === null ? null : new Date(account.validUntilMs).toISOString(),
});
