import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

/** Why a debit goes back to the customer. */
export const reversalReasons: Record<Language, Record<string, string>> = {
  pt: {
    LATE_DEBIT: 'Débito tardio',
    SECOND_DEBIT: 'Segundo débito',
    WRONG_AMOUNT: labels.pt.differentAmount,
    UNKNOWN_REFERENCE: labels.pt.unknownReference,
    LATE_REFUND: messages.pt.lateRefund,
    LATE_DISBURSEMENT: messages.pt.lateDisbursement,
  },
  en: {
    LATE_DEBIT: 'Late debit',
    SECOND_DEBIT: 'Second debit',
    WRONG_AMOUNT: labels.en.differentAmount,
    UNKNOWN_REFERENCE: labels.en.unknownReference,
    LATE_REFUND: messages.en.lateRefund,
    LATE_DISBURSEMENT: messages.en.lateDisbursement,
  },
};
