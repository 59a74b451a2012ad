import type { Language } from '../../checkout/page/locale.ts';

const portuguese = {
  amount: 'Quanto quer pagar?',
  between: (least: string, most: string) => `De ${least} a ${most}.`,
  outside: (least: string, most: string) => `Escreva um montante de ${least} a ${most}.`,
  onward: 'Continuar',
  closed: { title: 'Este link já não está disponível', advice: 'Fale com a loja.' },
};

const english: typeof portuguese = {
  amount: 'How much do you want to pay?',
  between: (least, most) => `From ${least} to ${most}.`,
  outside: (least, most) => `Enter an amount from ${least} to ${most}.`,
  onward: 'Continue',
  closed: { title: 'This link is no longer available', advice: 'Contact the shop.' },
};

export const linkWords: Record<Language, typeof portuguese> = { pt: portuguese, en: english };
