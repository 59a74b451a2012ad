import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  payer: {
    phone: labels.pt.customersPhone,
    noOperator: 'Escolha o operador do cliente.',
    trouble: labels.pt.operatorTrouble,
  },
  recipient: {
    phone: 'Telemóvel de quem recebe',
    noOperator: 'Escolha o operador de quem recebe.',
    trouble: 'Com um operador que tem problemas, o dinheiro pode demorar a chegar.',
  },
  country: 'Indicativo do país',
  operator: labels.pt.operator,
  troubles: { DEGRADED: labels.pt.operatorDegraded, DOWN: labels.pt.operatorDown },
  badPhone: 'Escreva o número de telemóvel, por exemplo 991 23 45.',
  foreignPhone: 'Este número é de um país com outra moeda.',
  testPhones: 'Números de teste: toque num',
  outcomes: {
    pays: 'paga',
    INSUFFICIENT_FUNDS: 'não tem saldo',
    PAYER_DECLINED: 'recusa',
    never: 'não responde',
  },
};

const en: typeof pt = {
  payer: {
    phone: labels.en.customersPhone,
    noOperator: 'Choose the customer’s operator.',
    trouble: labels.en.operatorTrouble,
  },
  recipient: {
    phone: 'Recipient’s phone',
    noOperator: 'Choose the recipient’s operator.',
    trouble: 'With an operator that has problems, the money may arrive late.',
  },
  country: 'Country code',
  operator: labels.en.operator,
  troubles: { DEGRADED: labels.en.operatorDegraded, DOWN: labels.en.operatorDown },
  badPhone: 'Enter the phone number, for example 991 23 45.',
  foreignPhone: 'This number is from a country with another currency.',
  testPhones: 'Test numbers: tap one',
  outcomes: {
    pays: 'pays',
    INSUFFICIENT_FUNDS: 'has no balance',
    PAYER_DECLINED: 'declines',
    never: 'never answers',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
