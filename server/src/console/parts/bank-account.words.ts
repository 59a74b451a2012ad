import type { Language } from '../words/common.ts';

const pt = {
  currency: 'Moeda',
  account: 'Conta',
  holder: 'Titular',
  bic: 'BIC',
};

const en: typeof pt = {
  currency: 'Currency',
  account: 'Account',
  holder: 'Holder',
  bic: 'BIC',
};

export const accountWords: Record<Language, typeof pt> = { pt, en };
