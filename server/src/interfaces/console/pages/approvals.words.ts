import { labels } from '../../../platform/text/labels.ts';
import { approvalWords } from '../parts/approvals.words.ts';
import type { Language } from '../words/common.ts';

const pt = {
  ...approvalWords.pt,
  title: labels.pt.approvals,
  intro: 'O que uma pessoa pede e outra tem de aprovar.',
  nothing: labels.pt.nothingIsWaiting,
  nothingHint: 'Os pedidos aparecem aqui, por exemplo um reembolso de valor alto.',
  kinds: {
    REFUND: labels.pt.refund,
    LIVE_KEY: 'Chave real da API',
    DISBURSEMENT: labels.pt.disbursement,
    DISBURSEMENT_BATCH: labels.pt.disbursementBatch,
  } as Record<string, string>,
  recipient: labels.pt.to,
  operator: labels.pt.operator,
  reference: labels.pt.reference,
  description: labels.pt.description,
  of: labels.pt.payment,
  amount: labels.pt.amount,
  reason: labels.pt.reason,
  label: labels.pt.label,
  permissions: labels.pt.may,
  addresses: labels.pt.allowedAddresses,
  everywhere: labels.pt.all,
  keyExpires: labels.pt.expires,
  maxPayment: labels.pt.limitPerPayment,
  maxRefunded: labels.pt.dailyRefundLimit,
  noLimit: 'Sem limite',
  collect: 'Criar a chave',
  collectHint: 'O pedido foi aprovado. A chave aparece uma só vez.',
};

const en: typeof pt = {
  ...approvalWords.en,
  title: labels.en.approvals,
  intro: 'Requests by one person that another must approve.',
  nothing: labels.en.nothingIsWaiting,
  nothingHint: 'Requests appear here, for example a large refund.',
  kinds: {
    REFUND: labels.en.refund,
    LIVE_KEY: 'Live API key',
    DISBURSEMENT: labels.en.disbursement,
    DISBURSEMENT_BATCH: labels.en.disbursementBatch,
  },
  recipient: labels.en.to,
  operator: labels.en.operator,
  reference: labels.en.reference,
  description: labels.en.description,
  of: labels.en.payment,
  amount: labels.en.amount,
  reason: labels.en.reason,
  label: labels.en.label,
  permissions: labels.en.may,
  addresses: labels.en.allowedAddresses,
  everywhere: labels.en.all,
  keyExpires: labels.en.expires,
  maxPayment: labels.en.limitPerPayment,
  maxRefunded: labels.en.dailyRefundLimit,
  noLimit: 'No limit',
  collect: 'Create the key',
  collectHint: 'The request is approved. The key is shown only once.',
};

export const words: Record<Language, typeof pt> = { pt, en };
