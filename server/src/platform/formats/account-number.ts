/** How long an IBAN of each country is: the registry of SWIFT, and beneath it countries that use IBANs without it. */
const lengths = new Map(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24
FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32
LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24
RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30
AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 IR26 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28`
    .split(/\s/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** The national form, without country and its check digits: its own are the last two. */
const isNib = (text: string) => /^\d{21}$/.test(text) && remainder(text) === 1n;

/** Of the check digits 00, 01 and 99 none is ever computed: 97, 98 and 02 stand for them. */
const isIban = (text: string) =>
  /^[A-Z]{2}(?!00|01|99)\d\d[A-Z0-9]+$/.test(text) &&
  lengths.get(text.slice(0, 2)) === text.length &&
  remainder(text.slice(4) + text.slice(0, 4)) === 1n;

/** ISO 7064, MOD 97-10: letters count from A as 10. */
const remainder = (text: string): bigint =>
  BigInt(text.replace(/[A-Z]/g, (letter) => Number.parseInt(letter, 36).toString())) % 97n;

/**
 * The number of an account as it is stored, in capital letters and without the spaces, dots and hyphens that banks print
 * in it. Undefined unless it is an IBAN, or a NIB of 21 digits as banks of Cape Verde and Angola give them, whose check
 * digits are right.
 */
export function parseAccountNumber(typed: string): string | undefined {
  const text = typed.replace(/[\s.-]/g, '').toUpperCase();
  return isNib(text) || isIban(text) ? text : undefined;
}

/** Of a stored number: an IBAN begins with its country, a NIB has digits only. */
export const isIbanNumber = (number: string): boolean => /^[A-Z]{2}/.test(number);

/** In groups of four, as it is printed. */
export const spacedNumber = (number: string): string => number.replace(/.{4}(?=.)/g, '$& ');

/** For readers who may not see the full number. */
export const last4Of = (number: string): string => number.slice(-4);

/** Normalizes a BIC of 8 or 11 characters; undefined if it is invalid. */
export function parseBic(typed: string): string | undefined {
  const text = typed.replace(/\s/g, '').toUpperCase();
  return /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text) ? text : undefined;
}
