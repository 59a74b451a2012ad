import type { Language } from '../words/common.ts';

const pt = {
  title: 'Cobrar',
  today: 'Hoje',
  payments: (value: number, text: string) =>
    `em ${text} ${value === 1 ? 'pagamento' : 'pagamentos'}`,
  latest: 'Último pagamento',
  charge: 'Cobrar',
  link: 'Código QR ou link',
};

const en: typeof pt = {
  title: 'Charge',
  today: 'Today',
  payments: (value, text) => `in ${text} ${value === 1 ? 'payment' : 'payments'}`,
  latest: 'Latest payment',
  charge: 'Charge',
  link: 'QR code or link',
};

export const words: Record<Language, typeof pt> = { pt, en };
