import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';
import { words as reviewWords } from './reviews.words.ts';

const pt = {
  ...reviewWords.pt,
  suspense: labels.pt.suspense,
  suspenseIntro:
    'Dinheiro que está connosco e não é de nenhum estabelecimento: débitos que ainda não voltaram ao cliente. Um valor negativo é dinheiro em falta, porque um reembolso foi feito depois de falhar. O mais antigo primeiro.',
  noSuspense: 'A conta transitória está vazia',
  reversals: labels.pt.reversals,
  reversalsIntro:
    'Débitos indevidos, a caminho do cliente ou já devolvidos. O mais recente primeiro.',
  noReversals: 'Não há estornos',
  noReversal: 'Nenhum estorno está neste estado',
  date: labels.pt.date,
  debited: 'Debitou',
  made: 'Fez',
  returned: 'Devolveu com',
  refusedWith: 'Recusou com',
  decide: labels.pt.decide,
};

const en: typeof pt = {
  ...reviewWords.en,
  suspense: labels.en.suspense,
  suspenseIntro:
    'Money that we hold and that belongs to no merchant: debits that have not gone back to the customer yet. A negative amount is missing money: a refund went out after it had failed. Oldest first.',
  noSuspense: 'Suspense is empty',
  reversals: labels.en.reversals,
  reversalsIntro:
    'Wrong debits, on their way back to the customer or already returned. Newest first.',
  noReversals: 'No reversals yet',
  noReversal: 'No reversal has this status',
  date: labels.en.date,
  debited: 'Debited',
  made: 'Made',
  returned: 'Returned by',
  refusedWith: 'Refused with',
  decide: labels.en.decide,
};

export const words: Record<Language, typeof pt> = { pt, en };
