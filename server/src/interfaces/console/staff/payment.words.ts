import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.payments,
  search: 'Referência ou recibo do pagamento, ou transação do operador',
  searchHint: 'pi_…, o endereço do recibo, ou o número do operador',
  find: labels.pt.search,
  hint: 'Procure aqui um pagamento de qualquer estabelecimento.',
  none: 'Nenhum pagamento tem esta referência ou transação',
  merchant: labels.pt.merchant,
  mode: labels.pt.mode,
  created: labels.pt.created,
  amount: labels.pt.amount,
  state: labels.pt.status,
  payment: labels.pt.payment,
  details: labels.pt.details,
  timeline: labels.pt.whatHappened,
  net: 'O estabelecimento recebe',
  postings: labels.pt.postings,
  ledger: 'Ver no livro-razão',
  audit: 'Ver no registo de auditoria',
};

const en: typeof pt = {
  title: labels.en.payments,
  search: 'Payment reference or receipt, or operator’s transaction',
  searchHint: 'pi_…, the receipt’s address, or the operator’s number',
  find: labels.en.search,
  hint: 'Find a payment of any merchant here.',
  none: 'No payment has this reference or transaction',
  merchant: labels.en.merchant,
  mode: labels.en.mode,
  created: labels.en.created,
  amount: labels.en.amount,
  state: labels.en.status,
  payment: labels.en.payment,
  details: labels.en.details,
  timeline: labels.en.whatHappened,
  net: 'The merchant receives',
  postings: labels.en.postings,
  ledger: 'View in the ledger',
  audit: 'View in the audit log',
};

export const words: Record<Language, typeof pt> = { pt, en };
