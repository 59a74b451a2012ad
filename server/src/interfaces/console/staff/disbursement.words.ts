import type { Language } from '../words/common.ts';
import { words as paymentWords } from './payment.words.ts';

const own = ({ merchant, mode, ledger, audit }: (typeof paymentWords)['pt']) => ({
  merchant,
  mode,
  ledger,
  audit,
});

const pt = {
  ...own(paymentWords.pt),
  cancelHint:
    'O envio não é feito, e o valor e a comissão voltam ao saldo do estabelecimento. Não se pode desfazer.',
  cancelNow: 'Cancelar o envio',
  cancelBatchHint:
    'O que ainda não foi entregue ao operador não é enviado, e o dinheiro volta ao saldo do estabelecimento. Não se pode desfazer.',
  cancelled: 'O envio foi cancelado. O dinheiro voltou ao saldo do estabelecimento.',
};

const en: typeof pt = {
  ...own(paymentWords.en),
  cancelHint:
    'It will not be sent, and amount and fee return to the balance of the merchant. This cannot be undone.',
  cancelNow: 'Cancel the disbursement',
  cancelBatchHint:
    'What has not reached the operator will not be sent, and its money returns to the balance of the merchant. This cannot be undone.',
  cancelled: 'The disbursement has been cancelled. The money is back in the merchant’s balance.',
};

export const words: Record<Language, typeof pt> = { pt, en };
