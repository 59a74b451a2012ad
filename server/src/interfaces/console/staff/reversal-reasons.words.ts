import type { Language } from '../words/common.ts';

/** Why a debit goes back to the customer. */
export const reversalReasons: Record<Language, Record<string, string>> = {
  pt: {
    LATE_DEBIT: 'Débito tardio',
    SECOND_DEBIT: 'Segundo débito',
    WRONG_AMOUNT: 'Outro montante',
    UNKNOWN_REFERENCE: 'Referência desconhecida',
    LATE_REFUND: 'Reembolso feito depois de falhar',
  },
  en: {
    LATE_DEBIT: 'Late debit',
    SECOND_DEBIT: 'Second debit',
    WRONG_AMOUNT: 'Different amount',
    UNKNOWN_REFERENCE: 'Unknown reference',
    LATE_REFUND: 'Refund made after it had failed',
  },
};
