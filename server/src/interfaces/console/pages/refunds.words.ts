import type { Language } from '../words/common.ts';

const pt = {
  title: 'Reembolsos',
  nothing: 'Ainda não há reembolsos',
  nothingHint: 'Um pagamento reembolsa-se na página dele.',
  noMatch: 'Nenhum reembolso neste estado',
  status: 'Estado',
  created: 'Data',
  amount: 'Montante',
  operator: 'Operador',
  reason: 'Motivo',
};

const en: typeof pt = {
  title: 'Refunds',
  nothing: 'No refunds yet',
  nothingHint: 'A payment is refunded from its page.',
  noMatch: 'No refund has this status',
  status: 'Status',
  created: 'Date',
  amount: 'Amount',
  operator: 'Operator',
  reason: 'Reason',
};

export const words: Record<Language, typeof pt> = { pt, en };
