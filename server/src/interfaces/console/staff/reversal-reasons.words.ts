import type { Language } from '../words/common.ts';

/** Why a debit goes back to the customer. */
export const reversalReasons: Record<Language, Record<string, string>> = {
  pt: {
    LATE_DEBIT: 'O débito veio tarde',
    SECOND_DEBIT: 'Um segundo débito',
    WRONG_AMOUNT: 'Outro montante',
    UNKNOWN_REFERENCE: 'Referência desconhecida',
    LATE_REFUND: 'Reembolso feito depois de falhar',
  },
  en: {
    LATE_DEBIT: 'The debit came late',
    SECOND_DEBIT: 'A second debit',
    WRONG_AMOUNT: 'Another amount',
    UNKNOWN_REFERENCE: 'Unknown reference',
    LATE_REFUND: 'Refund made after it had failed',
  },
};
