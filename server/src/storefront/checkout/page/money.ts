import type { Language } from '../../../platform/text/language.ts';

const separators: Record<Language, { group: string; decimal: string }> = {
  pt: { group: '.', decimal: ',' },
  en: { group: ',', decimal: '.' },
};

/** An amount in minor units in the reader's notation: `1.000,00 CVE`, or `1,000.00 CVE` in English. */
export function money(amountMinor: bigint, currency: string, language: Language): string {
  const { group, decimal } = separators[language];
  const digits = amountMinor.toString().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group);
  return `${whole}${decimal}${digits.slice(-2)} ${currency}`;
}

/**
 * The same for a customer. In Cape Verde people write escudos with a `$` before the centavos: `850$00 CVE`, as `Intl`
 * writes them for `pt-CV`. The console keeps the comma, as do banks' files and people who type an amount.
 */
export function customerMoney(amountMinor: bigint, currency: string, language: Language): string {
  const text = money(amountMinor, currency, language);
  return language === 'pt' && currency === 'CVE' ? text.replace(',', '$') : text;
}
