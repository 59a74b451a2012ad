import type { Language } from '../words/common.ts';

const pt = {
  title: 'Links de pagamento',
  create: 'Novo link',
  reusable: 'Links reutilizáveis',
  nothing: 'Ainda não há links de pagamento',
  nothingHint: 'Crie um link e envie-o por WhatsApp ou SMS, ou imprima-o com um código QR.',
  noMatch: 'Nenhum link está neste estado',
  created: 'Criado',
  status: 'Estado',
  amount: 'Montante',
  description: 'O que se paga',
  customer: 'Cliente',
  until: 'Válido até',
};

const en: typeof pt = {
  title: 'Payment links',
  create: 'New link',
  reusable: 'Reusable links',
  nothing: 'No payment links yet',
  nothingHint: 'Create a link and send it by WhatsApp or SMS, or print it with a QR code.',
  noMatch: 'No link has this status',
  created: 'Created',
  status: 'Status',
  amount: 'Amount',
  description: 'Payment for',
  customer: 'Customer',
  until: 'Valid until',
};

export const words: Record<Language, typeof pt> = { pt, en };
