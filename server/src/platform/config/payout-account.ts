import { parseAccountNumber, parseBic } from '../formats/account-number.ts';
import type { Currency } from '../values/money.ts';
import type { Kind } from './kinds.ts';

/** An account of the company that runs the gateway, from which payouts are paid. */
export interface PayoutAccount {
  /** An IBAN or a NIB, without spaces. */
  accountNumber: string;
  holder: string;
  bic: string | null;
}

export const payoutFormats = ['csv', 'pain.001'] as const;
/** The format of bank orders: CSV, or XML as in ISO 20022 pain.001.001.09. */
export type PayoutFormat = (typeof payoutFormats)[number];

export interface PayoutSettings {
  format: PayoutFormat;
  accounts: Partial<Record<Currency, PayoutAccount>>;
}

export const payoutAccount: Kind<PayoutAccount> = {
  rule: 'the number of an account (an IBAN, or a NIB of 21 digits), its holder, and a BIC if the bank requires one, separated by semicolons, with correct check digits',
  parse(text) {
    const [number, holder, bic, ...more] = text.split(';').map((part) => part.trim());
    const accountNumber = parseAccountNumber(number ?? '');
    const parsedBic = bic ? parseBic(bic) : null;
    if (accountNumber === undefined || !holder || parsedBic === undefined || more.length > 0) {
      return undefined;
    }
    const isReadable = holder.length <= 140 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(holder);
    return isReadable
      ? { accountNumber, holder: holder.normalize('NFC'), bic: parsedBic }
      : undefined;
  },
};

interface PayoutValues {
  PAYOUT_FORMAT: PayoutFormat;
  PAYOUT_ACCOUNT_CVE: PayoutAccount | undefined;
  PAYOUT_ACCOUNT_AOA: PayoutAccount | undefined;
}

/**
 * The format of bank orders, and the accounts from which payouts are paid. @param problems receives
 * contradictions between settings
 */
export function payoutsOf(values: PayoutValues, problems: string[]): PayoutSettings {
  const { PAYOUT_FORMAT: format, PAYOUT_ACCOUNT_CVE: CVE, PAYOUT_ACCOUNT_AOA: AOA } = values;
  if (format === 'pain.001' && !CVE && !AOA) {
    problems.push(
      'PAYOUT_FORMAT is pain.001, whose orders must name the account to debit: set PAYOUT_ACCOUNT_CVE, PAYOUT_ACCOUNT_AOA, or both.',
    );
  }
  return { format, accounts: { ...(CVE && { CVE }), ...(AOA && { AOA }) } };
}
