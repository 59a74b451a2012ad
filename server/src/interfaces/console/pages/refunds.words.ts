import type { Language } from '../words/common.ts';

const pt = {
  title: 'Reembolsos',
  nothing: 'Ainda não há reembolsos',
  nothingHint: 'Para reembolsar, abra a página do pagamento.',
  noMatch: 'Nenhum reembolso está neste estado',
  status: 'Estado',
  created: 'Data',
  amount: 'Montante',
  operator: 'Operador',
  reason: 'Motivo',
};

const en: typeof pt = {
  title: 'Refunds',
  nothing: 'No refunds yet',
  nothingHint: 'To make a refund, open the page of the payment.',
  noMatch: 'No refund has this status',
  status: 'Status',
  created: 'Date',
  amount: 'Amount',
  operator: 'Operator',
  reason: 'Reason',
};

export const words: Record<Language, typeof pt> = { pt, en };
