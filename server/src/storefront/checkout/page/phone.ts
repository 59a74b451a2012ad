import { countries, countryCodes } from '../../../platform/config/operator-catalogue.ts';
import type { Currency } from '../../../platform/values/money.ts';
import { dialledPhone } from '../../../platform/values/phone.ts';

type Country = Pick<(typeof countries)['CV'], 'callingCode' | 'nationalDigits'>;

/** The supported countries. */
export const offered = countryCodes.map((code) => countries[code]);

/** The customer's most likely country. */
export const countryOf = { CVE: countries.CV, AOA: countries.AO } satisfies Record<
  Currency,
  unknown
>;

/**
 * The customer's input, with its country code. A code that is typed takes precedence over the chosen country, and so
 * does a length that only the other country has.
 */
export function internationalPhone(typed: string, country: string | null): string {
  const phone = dialledPhone(typed);
  if (!/^\d+$/.test(phone)) return phone;
  const isChosen = ({ callingCode }: { callingCode: string }) => callingCode === country;
  for (const { callingCode: code, nationalDigits } of [...offered.filter(isChosen), ...offered]) {
    if (phone.length === nationalDigits) return `+${code}${phone}`;
    const isWhole = phone.startsWith(code) && phone.length === nationalDigits + code.length;
    if (isWhole) return `+${phone}`;
  }
  return phone;
}

/** A phone of a supported country, grouped as is usual there; any other in one piece. */
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

/** The same, without line breaks within it. */
export const withoutLineBreaks = (phone: string): string => phone.replaceAll(' ', '\u00a0');

/** As people type it in its country. */
export const nationalPhone = (phone: string): string => partsOf(phone).groups.join('');

/** Whether the phone belongs to the country: its code, and the number of digits that is usual there. */
export const isOfCountry = (phone: string, { callingCode, nationalDigits }: Country): boolean =>
  phone.startsWith(`+${callingCode}`) && phone.length === 1 + callingCode.length + nationalDigits;
