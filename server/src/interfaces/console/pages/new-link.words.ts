import type { Language } from '../words/common.ts';

const pt = {
  title: 'Novo link de pagamento',
  description: 'O que se paga',
  descriptionHint: 'O cliente lê isto na página de pagamento.',
  expires: 'Válido durante',
  lifetimes: { 15: '15 minutos', 60: '1 hora', 480: '8 horas', 1440: '24 horas' },
  more: 'Encomenda e cliente',
  order: 'Encomenda',
  customer: 'Cliente',
  create: 'Criar link',
  tooLong: 'No máximo 255 caracteres.',
};

const en: typeof pt = {
  title: 'New payment link',
  description: 'Payment for',
  descriptionHint: 'Customers read this on the payment page.',
  expires: 'Valid for',
  lifetimes: { 15: '15 minutes', 60: '1 hour', 480: '8 hours', 1440: '24 hours' },
  more: 'Order and customer',
  order: 'Order',
  customer: 'Customer',
  create: 'Create link',
  tooLong: 'At most 255 characters.',
};

export const words: Record<Language, typeof pt> = { pt, en };
