import { withoutPhones } from '../../platform/audit/mask.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { last4Of, parseAccountNumber, parseBic } from '../../platform/formats/account-number.ts';
import { isVisible } from '../../platform/text/look-alikes.ts';
import { formatId } from '../../platform/values/ids.ts';
import { type Currency, currencies } from '../../platform/values/money.ts';

/** The details of a bank account as entered. */
export interface AccountDetails {
  currency: Currency;
  /** An IBAN or NIB, without spaces. */
  accountNumber: string;
  holder: string;
  bic: string | null;
}

/** The account for a merchant's payouts in a currency, from a time on. Only its end ever changes. */
export interface BankAccount extends AccountDetails {
  merchantId: string;
  id: string;
  validFromMs: number;
  /** Null while current. */
  validUntilMs: number | null;
}

const longestHolder = 140;
/** Line breaks, invisible characters and characters that reorder text, which a bank's system could misread. */
const unreadable = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Normalizes an entered account for storage.
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
      'must be an IBAN or a NIB of 21 digits with correct check digits',
    );
  }
  const holder = typed.holder.trim().normalize('NFC');
  if (!isVisible(holder) || holder.length > longestHolder || unreadable.test(holder)) {
    throw invalid('holder', `must have 1 to ${longestHolder} characters on one line`);
  }
  // Accounts never change, so an erasure could not remove a phone from here.
  if (withoutPhones(holder) !== holder) throw invalid('holder', 'must not contain a phone number');
  const bic = typed.bic === null ? null : parseBic(typed.bic);
  if (bic === undefined) throw invalid('bic', 'must have 8 or 11 letters and digits');
  return { currency, accountNumber, holder, bic };
}

/** Whether both describe the same account. */
export const isSameAccount = (one: AccountDetails, other: AccountDetails): boolean =>
  one.currency === other.currency &&
  one.accountNumber === other.accountNumber &&
  one.holder === other.holder &&
  one.bic === other.bic;

/** For the audit log, which is never erased: neither the whole number nor the holder's name. */
export const maskedAccount = ({ currency, accountNumber, bic }: AccountDetails) => ({
  currency,
  account: `…${last4Of(accountNumber)}`,
  bic,
});

/**
 * An account as `/admin/v1` shows it.
 * @param isWhole whether the reader may see the whole number
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
