import type { Language } from '../words/common.ts';
import { words as reviewWords } from './reviews.words.ts';

const pt = {
  ...reviewWords.pt,
  suspense: 'Conta transitória',
  suspenseIntro:
    'Dinheiro que está connosco e não é de nenhum estabelecimento: débitos que ainda não voltaram ao cliente. Um valor negativo é dinheiro em falta, porque um reembolso foi feito depois de falhar. O mais antigo primeiro.',
  noSuspense: 'A conta transitória está vazia',
  reversals: 'Estornos',
  reversalsIntro:
    'Débitos indevidos, a caminho do cliente ou já devolvidos. O mais recente primeiro.',
  noReversals: 'Não há estornos',
  noReversal: 'Nenhum estorno está neste estado',
  date: 'Data',
  debited: 'Debitou',
  made: 'Fez',
  returned: 'Devolveu com',
  refusedWith: 'Recusou com',
  decide: 'Decidir',
};

const en: typeof pt = {
  ...reviewWords.en,
  suspense: 'Suspense',
  suspenseIntro:
    'Money that we hold and that belongs to no merchant: debits that have not gone back to the customer yet. A negative amount is missing money: a refund went out after it had failed. Oldest first.',
  noSuspense: 'Suspense is empty',
  reversals: 'Reversals',
  reversalsIntro:
    'Wrong debits, on their way back to the customer or already returned. Newest first.',
  noReversals: 'No reversals yet',
  noReversal: 'No reversal has this status',
  date: 'Date',
  debited: 'Debited',
  made: 'Made',
  returned: 'Returned by',
  refusedWith: 'Refused with',
  decide: 'Decide',
};

export const words: Record<Language, typeof pt> = { pt, en };
