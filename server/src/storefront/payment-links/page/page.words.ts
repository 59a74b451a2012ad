import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../../../platform/text/language.ts';

const pt = {
  amount: 'Quanto quer pagar?',
  between: (least: string, most: string) => `De ${least} a ${most}.`,
  outside: (least: string, most: string) => `Escreva um valor de ${least} a ${most}.`,
  onward: labels.pt.continue,
  closed: { title: 'Este link já não está disponível', advice: 'Fale com a loja.' },
  paused: {
    title: 'De momento não se pode pagar por este link',
    advice:
      'A loja não está agora a receber pagamentos por este link. Tente mais tarde, ou fale com a loja.',
  },
};

const en: typeof pt = {
  amount: 'How much do you want to pay?',
  between: (least, most) => `From ${least} to ${most}.`,
  outside: (least, most) => `Enter an amount from ${least} to ${most}.`,
  onward: labels.en.continue,
  closed: { title: 'This link is no longer available', advice: 'Contact the shop.' },
  paused: {
    title: 'You cannot pay by this link at the moment',
    advice: 'The shop takes no payments by this link now. Try again later, or contact the shop.',
  },
};

export const linkWords: Record<Language, typeof pt> = { pt, en };
