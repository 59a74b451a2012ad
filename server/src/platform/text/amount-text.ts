/** Nobody types more digits than this, and nothing longer is looked at. */
const longest = 40;
const grouped = /^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*$/;

/**
 * An amount as people write it, in minor units: `1500`, `1.500,00`, `1,500.00`, `1 500,5`, `850$00`, with or without
 * the currency. Undefined where it could mean two things or nothing.
 *
 * Our currencies have two decimals: a point or comma before three digits parts thousands, before one or two it is
 * the decimal separator. So Portuguese and English are read by one rule.
 */
export function parseAmount(text: string): bigint | undefined {
  if (text.length > longest) return undefined;
  const bare = text
    .replace(/^\s*(?:CVE|AOA|Kz)\s*|\s*(?:CVE|AOA|Kz)\s*$/gi, '')
    .trim()
    .replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  const [, whole, fraction = ''] = /^(.*?)(?:[.,$](\d{0,2}))?$/s.exec(bare)!;
  const separator = bare[whole!.length];
  const digits = wholeDigits(whole!, separator);
  if (digits === undefined || (digits === '' && fraction === '')) return undefined;
  return BigInt(digits || '0') * 100n + BigInt(fraction.padEnd(2, '0'));
}

/** The digits before the decimal separator, which does not part thousands as well. */
function wholeDigits(whole: string, decimal: string | undefined): string | undefined {
  if (/^\d*$/.test(whole)) return whole;
  const group = grouped.exec(whole)?.[1];
  return group === undefined || group === decimal ? undefined : whole.replaceAll(group, '');
}
