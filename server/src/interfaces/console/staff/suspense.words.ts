import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';
import { words as reviewWords } from './reviews.words.ts';

const pt = {
  ...reviewWords.pt,
  date: labels.pt.date,
  debited: 'Debitou',
  made: 'Fez',
  returned: 'Devolveu com',
  refusedWith: 'Recusou com',
  decide: labels.pt.decide,
};

const en: typeof pt = {
  ...reviewWords.en,
  date: labels.en.date,
  debited: 'Debited',
  made: 'Made',
  returned: 'Returned by',
  refusedWith: 'Refused with',
  decide: labels.en.decide,
};

export const words: Record<Language, typeof pt> = { pt, en };

/** Of the page of suspense. */
export const suspenseWords = {
  pt: {
    title: labels.pt.suspense,
    intro:
      'Dinheiro que está connosco e não é de nenhum estabelecimento: débitos que ainda não voltaram ao cliente. Um valor negativo é dinheiro em falta, porque um reembolso ou envio foi feito depois de falhar. O mais antigo primeiro.',
    nothing: 'A conta transitória está vazia',
  },
  en: {
    title: labels.en.suspense,
    intro:
      'Money that we hold and that belongs to no merchant: debits that have not gone back to the customer yet. A negative amount is missing money: a refund or disbursement went out after it had failed. Oldest first.',
    nothing: 'Suspense is empty',
  },
};

/** Of the page of reversals. */
export const reversalsWords = {
  pt: {
    title: labels.pt.reversals,
    intro: 'Débitos indevidos, a caminho do cliente ou já devolvidos. O mais recente primeiro.',
    nothing: 'Não há estornos',
    state: labels.pt.status,
    noMatch: 'Nenhum estorno está neste estado',
  },
  en: {
    title: labels.en.reversals,
    intro: 'Wrong debits, on their way back to the customer or already returned. Newest first.',
    nothing: 'No reversals yet',
    state: labels.en.status,
    noMatch: 'No reversal has this status',
  },
};
