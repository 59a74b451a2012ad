import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  phone: labels.pt.customersPhone,
  country: 'Indicativo do país',
  operator: labels.pt.operator,
  troubles: { DEGRADED: labels.pt.operatorDegraded, DOWN: labels.pt.operatorDown },
  trouble: labels.pt.operatorTrouble,
  badPhone: 'Escreva o número de telemóvel, por exemplo 991 23 45.',
  foreignPhone: 'Este número é de um país com outra moeda.',
  noOperator: 'Escolha o operador do cliente.',
  testPhones: 'Números de teste: toque num',
  outcomes: {
    pays: 'paga',
    INSUFFICIENT_FUNDS: 'não tem saldo',
    PAYER_DECLINED: 'recusa',
    never: 'não responde',
  },
};

const en: typeof pt = {
  phone: labels.en.customersPhone,
  country: 'Country code',
  operator: labels.en.operator,
  troubles: { DEGRADED: labels.en.operatorDegraded, DOWN: labels.en.operatorDown },
  trouble: labels.en.operatorTrouble,
  badPhone: 'Enter the phone number, for example 991 23 45.',
  foreignPhone: 'This number is from a country with another currency.',
  noOperator: 'Choose the customer’s operator.',
  testPhones: 'Test numbers: tap one',
  outcomes: {
    pays: 'pays',
    INSUFFICIENT_FUNDS: 'has no balance',
    PAYER_DECLINED: 'declines',
    never: 'never answers',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
