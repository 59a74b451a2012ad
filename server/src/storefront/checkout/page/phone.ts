import { countries, countryCodes } from '../../../platform/config/operator-catalogue.ts';
import type { Currency } from '../../../platform/values/money.ts';

type Country = Pick<(typeof countries)['CV'], 'callingCode' | 'nationalDigits'>;

/** The countries that we know. */
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

/** A phone of a country that we know, in parts as it is written there; else as a whole. */
function partsOf(phone: string): { callingCode: string | null; groups: string[] } {
  const country = offered.find((one) => isOfCountry(phone, one));
  if (!country) return { callingCode: null, groups: [phone] };
  const national = phone.slice(1 + country.callingCode.length);
  const widths = country.example.split(' ').map(({ length }) => `(.{${length}})`);
  const groups = new RegExp(`^${widths.join('')}$`).exec(national)!.slice(1);
  return { callingCode: country.callingCode, groups };
}

/** `+238 991 23 45` */
export function writtenPhone(phone: string): string {
  const { callingCode, groups } = partsOf(phone);
  return callingCode === null ? phone : [`+${callingCode}`, ...groups].join(' ');
}

/** The same, so that no line ends within it. */
export const unbroken = (phone: string): string => phone.replaceAll(' ', '\u00a0');

/** As it is typed in its country. */
export const nationalPhone = (phone: string): string => partsOf(phone).groups.join('');

/** Whether the phone is one of the country: its code, and as many digits as numbers have there. */
export const isOfCountry = (phone: string, { callingCode, nationalDigits }: Country): boolean =>
  phone.startsWith(`+${callingCode}`) && phone.length === 1 + callingCode.length + nationalDigits;
