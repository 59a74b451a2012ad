import type { Language } from './words/common.ts';

const pt = {
  doneUnseen: 'Está feito. A sua função não permite ver o resultado.',
  opensNothing: 'A sua função ainda não abre nenhuma página',
  opensNothingHint:
    'Peça a um proprietário que lhe dê outra função, ou que acrescente a esta a permissão «Ver totais, pagamentos, links e recibos» ou «Cobrar a um cliente».',
};

const en: typeof pt = {
  doneUnseen: 'Done. Your role does not include the page of the result.',
  opensNothing: 'Your role opens no page yet',
  opensNothingHint:
    'Ask an owner for another role, or to add the permission “See totals, payments, links and receipts” or “Charge a customer” to this one.',
};

export const words: Record<Language, typeof pt> = { pt, en };
