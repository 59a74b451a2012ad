import type { OperatorName } from '../../operators/operator.ts';
import type { Currency } from '../../payments/payment.ts';

/** The countries that the form offers, by calling code. */
export const callingCodes = ['238', '244'] as const;
export type CallingCode = (typeof callingCodes)[number];

const nationalDigits: Record<CallingCode, number> = { '238': 7, '244': 9 };
export const examples: Record<CallingCode, string> = { '238': '991 23 45', '244': '923 456 789' };

/** Where the customer most likely is. */
export const callingCodeOf: Record<Currency, CallingCode> = { CVE: '238', AOA: '244' };

/** What a number suggests, never more: numbers move between operators. */
export const operatorPrefixes: Record<OperatorName, readonly string[]> = {
  CVMOVEL: ['23836', '23858', '23859', '23895', '23897', '23898', '23899'],
  UNITEL_TMAIS: ['23851', '23852', '23853', '23891', '23892', '23893']
    // The same group in Angola.
    .concat(['24492', '24493', '24494', '24497']),
  MOCK: [],
};

/**
 * What a customer types, with its country code. A code that is typed wins over the chosen country,
 * and so does a length that only the other country has.
 */
export function internationalPhone(typed: string, country: string | null): string {
  const phone = typed.replace(/[\s.\-()]/g, '').replace(/^00/, '+');
  if (!/^\d+$/.test(phone)) return phone;
  const chosen = callingCodes.find((code) => code === country);
  const likely = chosen ? [chosen, ...callingCodes] : callingCodes;
  for (const code of likely) {
    if (phone.length === nationalDigits[code]) return `+${code}${phone}`;
    const isWhole = phone.startsWith(code) && phone.length === nationalDigits[code] + code.length;
    if (isWhole) return `+${phone}`;
  }
  return phone;
}
