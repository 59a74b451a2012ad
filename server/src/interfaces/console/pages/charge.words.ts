import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.charge,
  today: labels.pt.today,
  payments: (value: number, text: string) =>
    `em ${text} ${value === 1 ? 'pagamento' : 'pagamentos'}`,
  latest: 'Último pagamento',
  charge: labels.pt.charge,
  link: 'Código QR ou link',
};

const en: typeof pt = {
  title: labels.en.charge,
  today: labels.en.today,
  payments: (value, text) => `in ${text} ${value === 1 ? 'payment' : 'payments'}`,
  latest: 'Latest payment',
  charge: labels.en.charge,
  link: 'QR code or link',
};

export const words: Record<Language, typeof pt> = { pt, en };
