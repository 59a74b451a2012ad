import type { Language } from './locale.ts';

const separators: Record<Language, { group: string; decimal: string }> = {
  pt: { group: '.', decimal: ',' },
  en: { group: ',', decimal: '.' },
};

/** An amount in minor units as the reader writes it: `1.000,00 CVE`, or `1,000.00 CVE` in English. */
export function money(amountMinor: bigint, currency: string, language: Language): string {
  const { group, decimal } = separators[language];
  const digits = amountMinor.toString().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group);
  return `${whole}${decimal}${digits.slice(-2)} ${currency}`;
}
