import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.doRefund,
  payment: labels.pt.payment,
  phone: labels.pt.phone,
  paid: labels.pt.paid,
  left: 'Por reembolsar',
  amount: (currency: string) => `Valor (${currency})`,
  amountHint: 'Tudo o que resta, ou uma parte.',
  noAmount: messages.pt.enterAmount,
  reason: labels.pt.reason,
  reasonHint: 'Fica registado, e não é mostrado ao cliente.',
  longReason: 'O motivo pode ter até 255 caracteres.',
  refund: labels.pt.doRefund,
  note: 'O dinheiro volta para a conta do cliente no operador. A comissão não é devolvida. Não se pode desfazer.',
  above: 'Se os reembolsos deste pagamento passarem de',
  mustApprove: ' ao todo, o pedido só avança depois de outra pessoa o aprovar.',
  nothingLeft: 'Não resta nada deste pagamento: já foi reembolsado, ou está a ser.',
  unexplained:
    'O operador devolveu uma parte deste pagamento sem um reembolso que conheçamos: talvez um que faltava numa cópia de segurança. Até isso estar esclarecido, não é possível reembolsar mais nada. Pergunte a quem gere o gateway.',
  notPaid: 'Só se pode reembolsar um pagamento que foi pago.',
};

const en: typeof pt = {
  title: labels.en.doRefund,
  payment: labels.en.payment,
  phone: labels.en.phone,
  paid: labels.en.paid,
  left: 'Left to refund',
  amount: (currency) => `Amount (${currency})`,
  amountHint: 'All that is left, or part of it.',
  noAmount: messages.en.enterAmount,
  reason: labels.en.reason,
  reasonHint: 'The reason is recorded, and not shown to the customer.',
  longReason: 'The reason can have up to 255 characters.',
  refund: labels.en.doRefund,
  note: 'The money goes back to the customer’s account at the operator. The fee is not returned. This cannot be undone.',
  above: 'If the refunds of this payment come to more than',
  mustApprove: ' in all, somebody else has to approve the request first.',
  nothingLeft:
    'Nothing is left to refund: this payment was already refunded, or is being refunded.',
  unexplained:
    'The operator returned part of this payment for no refund that we know of: perhaps one that a backup did not have. Until this is cleared up, nothing more can be refunded. Ask the gateway’s staff.',
  notPaid: 'Only a paid payment can be refunded.',
};

export const words: Record<Language, typeof pt> = { pt, en };
