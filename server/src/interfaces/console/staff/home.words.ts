import type { Language } from '../words/common.ts';

const pt = {
  title: 'Início',
  needed: 'Precisa de alguém',
  nothing: 'Nada precisa de si.',
  nothingElsewhere: 'Nas células que respondem, nada precisa de si.',
  nothingHint:
    'Aqui aparecem operadores em baixo, o que espera por uma decisão ou por uma aprovação sua, transferências e extratos por tratar.',
  operator: {
    UP: (name: string) => name,
    DOWN: (name: string) => `${name} está em baixo`,
    DEGRADED: (name: string) => `${name} responde mal`,
  },
  reviews: (count: string) => `${count} por decidir`,
  approvals: (count: string) => `${count} à espera da sua aprovação`,
  settlements: (count: string) =>
    count === '1'
      ? '1 transferência que não se consegue entregar ao banco'
      : `${count} transferências que não se conseguem entregar ao banco`,
  reconciliations: (count: string) =>
    count === '1'
      ? '1 extrato com diferenças por tratar'
      : `${count} extratos com diferenças por tratar`,
  late: 'Há trabalho atrasado',
};

const en: typeof pt = {
  title: 'Home',
  needed: 'Needs somebody',
  nothing: 'Nothing needs you.',
  nothingElsewhere: 'In the cells that answer, nothing needs you.',
  nothingHint:
    'What shows up here: operators that are down, what waits for a decision or for your approval, payouts and statements that need care.',
  operator: {
    UP: (name) => name,
    DOWN: (name) => `${name} is down`,
    DEGRADED: (name) => `${name} answers badly`,
  },
  reviews: (count: string) => `${count} to decide`,
  approvals: (count: string) => `${count} waiting for your approval`,
  settlements: (count: string) =>
    count === '1'
      ? '1 payout that cannot be handed to the bank'
      : `${count} payouts that cannot be handed to the bank`,
  reconciliations: (count: string) =>
    count === '1'
      ? '1 statement with open differences'
      : `${count} statements with open differences`,
  late: 'Work is late',
};

export const words: Record<Language, typeof pt> = { pt, en };
