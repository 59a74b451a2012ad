import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.charge,
  today: labels.pt.today,
  payments: (value: number, text: string) =>
    `em ${text} ${value === 1 ? 'pagamento' : 'pagamentos'}`,
  noOperator: (currency: string) =>
    `Ainda nenhum operador recebe pagamentos reais em ${currency}. Quem gere o gateway liga-o; até lá, experimente em modo de teste.`,
  charge: labels.pt.charge,
  link: 'QR ou link',
};

const en: typeof pt = {
  title: labels.en.charge,
  today: labels.en.today,
  payments: (value, text) => `in ${text} ${value === 1 ? 'payment' : 'payments'}`,
  noOperator: (currency) =>
    `No operator takes live payments in ${currency} yet. The people who run the gateway connect one; until then, try the till in test mode.`,
  charge: labels.en.charge,
  link: 'QR or link',
};

export const words: Record<Language, typeof pt> = { pt, en };
