import { labels } from '../../../platform/text/labels.ts';
import { words as eventWords } from '../pages/events.words.ts';
import { words as reusableWords } from '../pages/reusable-links.words.ts';
import { words as settlementWords } from '../parts/settlement.words.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.payments,
  hint: 'Procure em cima um pagamento de qualquer estabelecimento: pelo telefone, pela encomenda, pela transação do operador, ou pelo endereço ou referência do recibo. A procura também acha estabelecimentos, transferências, envios, reembolsos, links e produtos.',
  found: 'Resultados',
  others: 'Estabelecimentos e outros resultados',
  none: 'Nada tem este nome, número ou referência',
  phonesHidden: 'A sua função não vê números de telefone, por isso não os procura.',
  kind: labels.pt.type,
  name: labels.pt.name,
  kinds: {
    me: labels.pt.merchant,
    se: settlementWords.pt.one,
    di: labels.pt.disbursement,
    dib: labels.pt.disbursementBatch,
    fees: labels.pt.feeStatement,
    cs: labels.pt.paymentLink,
    pl: reusableWords.pt.oneTitle,
    pr: labels.pt.product,
    we: eventWords.pt.endpoint,
    evt: labels.pt.event,
    ak: 'Chave de API',
  },
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
  hint: 'Search above for a payment of any merchant: by phone, order, operator’s transaction, or the receipt’s address or reference. The search also finds merchants, payouts, disbursements, refunds, links and products.',
  found: 'Results',
  others: 'Merchants and other results',
  none: 'Nothing has this name, number or reference',
  phonesHidden: 'Your role does not see phone numbers, so it does not search for them.',
  kind: labels.en.type,
  name: labels.en.name,
  kinds: {
    me: labels.en.merchant,
    se: settlementWords.en.one,
    di: labels.en.disbursement,
    dib: labels.en.disbursementBatch,
    fees: labels.en.feeStatement,
    cs: labels.en.paymentLink,
    pl: reusableWords.en.oneTitle,
    pr: labels.en.product,
    we: eventWords.en.endpoint,
    evt: labels.en.event,
    ak: 'API key',
  },
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
