import type { Language } from '../words/common.ts';

const pt = {
  title: 'Pagamentos',
  search: 'Referência do pagamento, ou transação do operador',
  searchHint: 'pi_…, ou o número que o operador lhe deu',
  find: 'Procurar',
  hint: 'Aqui procura-se um pagamento de qualquer estabelecimento.',
  none: 'Nenhum pagamento tem esta referência ou transação',
  merchant: 'Estabelecimento',
  mode: 'Modo',
  created: 'Criado',
  amount: 'Montante',
  state: 'Estado',
  payment: 'Pagamento',
  details: 'Dados',
  timeline: 'O que aconteceu',
  net: 'O estabelecimento recebe',
  postings: 'Lançamentos',
  ledger: 'Ver no livro-razão',
  audit: 'Ver no registo de auditoria',
};

const en: typeof pt = {
  title: 'Payments',
  search: "Reference of the payment, or the operator's transaction",
  searchHint: 'pi_…, or the number that the operator gave it',
  find: 'Search',
  hint: 'Finds one payment, of whichever merchant.',
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
  ledger: 'See it in the ledger',
  audit: 'See it in the audit log',
};

export const words: Record<Language, typeof pt> = { pt, en };
