import type { Language } from '../words/common.ts';

const pt = {
  /** What is asked for. */
  change: 'Alteração da conta bancária',
  currency: 'Moeda',
  account: 'Conta',
  holder: 'Titular',
  bic: 'BIC',
};

const en: typeof pt = {
  change: 'Change of bank account',
  currency: 'Currency',
  account: 'Account',
  holder: 'Holder',
  bic: 'BIC',
};

export const accountWords: Record<Language, typeof pt> = { pt, en };
