import type { Language } from '../words/common.ts';

const pt = {
  title: 'Pagamentos',
  found: (text: string) => `Resultados de “${text}”`,
  nothing: 'Ainda não há pagamentos',
  nothingHint: 'Cobre a um cliente, ou envie-lhe um link de pagamento.',
  noMatch: 'Nenhum pagamento corresponde a estes filtros',
  status: 'Estado',
  operator: 'Operador',
  from: 'De',
  until: 'Até',
  created: 'Data',
  amount: 'Montante',
  phone: 'Telefone',
  reference: 'Encomenda',
  description: 'Descrição',
};

const en: typeof pt = {
  title: 'Payments',
  found: (text) => `Results for “${text}”`,
  nothing: 'No payments yet',
  nothingHint: 'Charge a customer, or send them a payment link.',
  noMatch: 'No payment matches these filters',
  status: 'Status',
  operator: 'Operator',
  from: 'From',
  until: 'Until',
  created: 'Date',
  amount: 'Amount',
  phone: 'Phone',
  reference: 'Order',
  description: 'Description',
};

export const words: Record<Language, typeof pt> = { pt, en };
