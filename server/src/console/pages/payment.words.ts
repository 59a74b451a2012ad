import type { Language } from '../words/common.ts';

const pt = {
  title: 'Pagamento',
  reference: 'Referência',
  created: 'Criado',
  changed: 'Última alteração',
  phone: 'Telefone',
  operator: 'Operador',
  transaction: 'Transação do operador',
  order: 'Encomenda',
  customer: 'Cliente',
  description: 'Descrição',
  fee: 'Comissão',
  net: 'Recebe',
};

const en: typeof pt = {
  title: 'Payment',
  reference: 'Reference',
  created: 'Created',
  changed: 'Last change',
  phone: 'Phone',
  operator: 'Operator',
  transaction: 'Operator’s transaction',
  order: 'Order',
  customer: 'Customer',
  description: 'Description',
  fee: 'Fee',
  net: 'You receive',
};

export const words: Record<Language, typeof pt> = { pt, en };
