import { countries, countryCodes } from '../../config/operator-catalogue.ts';
import type { Currency } from '../../money.ts';

/** The countries that the form offers. */
export const offered = countryCodes.map((code) => countries[code]);

/** If the customer most likely is. */
export const countryOf = { CVE: countries.CV, AOA: countries.AO } satisfies Record<
  Currency,
  unknown
>;

/**
 * What a customer types, with its country code. A code that is typed wins over the chosen country,
 * and so does a length that only the other country has.
 */
export function internationalPhone(typed: string, country: string | null): string {
  const phone = typed.replace(/[\s.\-()]/g, '').replace(/^00/, '+');
  if (!/^\d+$/.test(phone)) return phone;
  const isChosen = ({ callingCode }: { callingCode: string }) => callingCode === country;
  for (const { callingCode: code, nationalDigits } of [...offered.filter(isChosen), ...offered]) {
    if (phone.length === nationalDigits) return `+${code}${phone}`;
    const isWhole = phone.startsWith(code) && phone.length === nationalDigits + code.length;
    if (isWhole) return `+${phone}`;
  }
  return phone;
}
