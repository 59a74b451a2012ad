import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Novo link de pagamento',
  description: labels.pt.paymentFor,
  descriptionHint: 'O cliente lê isto na página de pagamento.',
  expires: 'Válido durante',
  lifetimes: { 15: '15 minutos', 60: labels.pt.oneHour, 480: '8 horas', 1440: labels.pt.hours24 },
  more: 'Encomenda e cliente',
  order: labels.pt.order,
  customer: labels.pt.customer,
  create: labels.pt.createLink,
  tooLong: messages.pt.upTo255,
};

const en: typeof pt = {
  title: 'New payment link',
  description: labels.en.paymentFor,
  descriptionHint: 'Customers read this on the payment page.',
  expires: 'Valid for',
  lifetimes: { 15: '15 minutes', 60: labels.en.oneHour, 480: '8 hours', 1440: labels.en.hours24 },
  more: 'Order and customer',
  order: labels.en.order,
  customer: labels.en.customer,
  create: labels.en.createLink,
  tooLong: messages.en.upTo255,
};

export const words: Record<Language, typeof pt> = { pt, en };
