import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.refunds,
  nothing: 'Ainda não há reembolsos',
  nothingHint: 'Para reembolsar, abra a página do pagamento.',
  noMatch: 'Nenhum reembolso está neste estado',
  status: labels.pt.status,
  created: labels.pt.date,
  amount: labels.pt.amount,
  order: labels.pt.order,
  operator: labels.pt.operator,
  reason: labels.pt.reason,
};

const en: typeof pt = {
  title: labels.en.refunds,
  nothing: 'No refunds yet',
  nothingHint: 'To make a refund, open the page of the payment.',
  noMatch: 'No refund has this status',
  status: labels.en.status,
  created: labels.en.date,
  amount: labels.en.amount,
  order: labels.en.order,
  operator: labels.en.operator,
  reason: labels.en.reason,
};

export const words: Record<Language, typeof pt> = { pt, en };
