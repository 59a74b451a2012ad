import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  /** What is asked for. */
  change: 'Alteração da conta bancária',
  currency: labels.pt.currency,
  account: labels.pt.account,
  holder: labels.pt.holder,
  bic: 'BIC',
};

const en: typeof pt = {
  change: 'Change of bank account',
  currency: labels.en.currency,
  account: labels.en.account,
  holder: labels.en.holder,
  bic: 'BIC',
};

export const accountWords: Record<Language, typeof pt> = { pt, en };
