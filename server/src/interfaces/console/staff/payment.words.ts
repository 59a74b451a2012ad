import type { Language } from '../words/common.ts';

const pt = {
  title: 'Pagamentos',
  search: 'Referência do pagamento, ou transação do operador',
  searchHint: 'pi_…, ou o número que o operador lhe deu',
  find: 'Procurar',
  hint: 'Procure aqui um pagamento de qualquer estabelecimento.',
  none: 'Nenhum pagamento tem esta referência ou transação',
  merchant: 'Estabelecimento',
  mode: 'Modo',
  created: 'Criado',
  amount: 'Montante',
  state: 'Estado',
  payment: 'Pagamento',
  details: 'Pormenores',
  timeline: 'O que aconteceu',
  net: 'O estabelecimento recebe',
  postings: 'Lançamentos',
  ledger: 'Ver no livro-razão',
  audit: 'Ver no registo de auditoria',
};

const en: typeof pt = {
  title: 'Payments',
  search: 'Payment reference, or operator’s transaction',
  searchHint: 'pi_…, or the number that the operator assigned',
  find: 'Search',
  hint: 'Find a payment of any merchant here.',
  none: 'No payment has this reference or transaction',
  merchant: 'Merchant',
  mode: 'Mode',
  created: 'Created',
  amount: 'Amount',
  state: 'Status',
  payment: 'Payment',
  details: 'Details',
  timeline: 'What happened',
  net: 'The merchant receives',
  postings: 'Postings',
  ledger: 'View in the ledger',
  audit: 'View in the audit log',
};

export const words: Record<Language, typeof pt> = { pt, en };
