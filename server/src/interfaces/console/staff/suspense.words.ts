import type { Language } from '../words/common.ts';
import { words as reviewWords } from './reviews.words.ts';

const pt = {
  ...reviewWords.pt,
  suspense: 'Conta transitória',
  suspenseIntro:
    'Dinheiro que está connosco e não é de nenhum estabelecimento: débitos que ainda não voltaram ao cliente. Negativo é o que falta, porque um reembolso se fez depois de falhar. O mais antigo primeiro.',
  noSuspense: 'A conta transitória está vazia',
  reversals: 'Estornos',
  reversalsIntro:
    'Débitos errados, a caminho do cliente ou já devolvidos. O mais recente primeiro.',
  noReversals: 'Não há estornos',
  noReversal: 'Nenhum estorno está neste estado',
  date: 'Data',
  debited: 'Debitou',
  made: 'Fez',
  returned: 'Devolveu com',
  refusedWith: 'Recusou',
  decide: 'Decidir',
};

const en: typeof pt = {
  ...reviewWords.en,
  suspense: 'Suspense',
  suspenseIntro:
    'Money that is with us and belongs to no merchant: debits that have not gone back to the customer. Below zero is what is missing, because a refund was made after it had failed. Oldest first.',
  noSuspense: 'Suspense is empty',
  reversals: 'Reversals',
  reversalsIntro: 'Wrong debits on their way back to the customer, or returned. Newest first.',
  noReversals: 'There are no reversals',
  noReversal: 'No reversal has this status',
  date: 'Date',
  debited: 'Debited',
  made: 'Made',
  returned: 'Returned by',
  refusedWith: 'Refused',
  decide: 'Decide',
};

export const words: Record<Language, typeof pt> = { pt, en };
