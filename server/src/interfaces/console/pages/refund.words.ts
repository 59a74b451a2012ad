import type { Language } from '../words/common.ts';

const pt = {
  title: 'Reembolsar',
  payment: 'Pagamento',
  phone: 'Telefone',
  paid: 'Pago',
  left: 'Por reembolsar',
  amount: (currency: string) => `Montante (${currency})`,
  amountHint: 'Tudo o que resta, ou uma parte.',
  noAmount: 'Indique um montante, por exemplo 1.500,00.',
  reason: 'Motivo',
  reasonHint: 'Fica registado, e não é mostrado ao cliente.',
  longReason: 'O motivo pode ter até 255 caracteres.',
  refund: 'Reembolsar',
  note: 'O dinheiro volta para a conta do cliente no operador. A comissão não é devolvida. Não se pode desfazer.',
  above: 'Se os reembolsos deste pagamento passarem de',
  mustApprove: ' ao todo, o pedido só avança depois de outra pessoa o aprovar.',
  nothingLeft: 'Não resta nada deste pagamento: já foi reembolsado, ou está a ser.',
  unexplained:
    'O operador devolveu uma parte deste pagamento sem um reembolso que conheçamos: talvez um que faltava numa cópia de segurança. Até isso estar esclarecido, não é possível reembolsar mais nada. Pergunte a quem gere o gateway.',
  notPaid: 'Só se pode reembolsar um pagamento que foi pago.',
};

const en: typeof pt = {
  title: 'Refund',
  payment: 'Payment',
  phone: 'Phone',
  paid: 'Paid',
  left: 'Left to refund',
  amount: (currency) => `Amount (${currency})`,
  amountHint: 'All that is left, or part of it.',
  noAmount: 'Enter an amount, for example 1,500.00.',
  reason: 'Reason',
  reasonHint: 'The reason is recorded, and not shown to the customer.',
  longReason: 'The reason can have up to 255 characters.',
  refund: 'Refund',
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
