import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.paymentLinks,
  create: 'Novo link',
  reusable: labels.pt.reusableLinks,
  nothing: 'Ainda não há links de pagamento',
  nothingHint: 'Crie um link e envie-o por WhatsApp ou SMS, ou imprima-o com um código QR.',
  noMatch: 'Nenhum link está neste estado',
  created: labels.pt.created,
  status: labels.pt.status,
  amount: labels.pt.amount,
  description: labels.pt.paymentFor,
  order: labels.pt.order,
  customer: labels.pt.customer,
  until: labels.pt.validUntil,
};

const en: typeof pt = {
  title: labels.en.paymentLinks,
  create: 'New link',
  reusable: labels.en.reusableLinks,
  nothing: 'No payment links yet',
  nothingHint: 'Create a link and send it by WhatsApp or SMS, or print it with a QR code.',
  noMatch: 'No link has this status',
  created: labels.en.created,
  status: labels.en.status,
  amount: labels.en.amount,
  description: labels.en.paymentFor,
  order: labels.en.order,
  customer: labels.en.customer,
  until: labels.en.validUntil,
};

export const words: Record<Language, typeof pt> = { pt, en };
