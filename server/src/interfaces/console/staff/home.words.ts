import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.home,
  needed: labels.pt.needsAttention,
  nothing: 'Nada precisa da sua atenção.',
  nothingHint:
    'Aqui aparecem operadores em baixo, casos por decidir, pedidos à espera da sua aprovação, transferências e extratos por tratar.',
  operator: {
    UP: (name: string) => name,
    DOWN: (name: string) => `${name} está em baixo`,
    DEGRADED: (name: string) => `${name} tem problemas`,
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
  late: 'Há trabalho em atraso',
  volume: 'Pagamentos recebidos por todos',
  noVolume: 'Sem pagamentos nos últimos trinta dias',
  largest: 'Estabelecimentos que mais recebem',
  seeMode: { test: 'Ver o modo de teste', live: 'Ver o modo real' },
  merchant: labels.pt.merchant,
  currency: labels.pt.currency,
  today: labels.pt.today,
  week: labels.pt.days7,
  month: labels.pt.days30,
};

const en: typeof pt = {
  title: labels.en.home,
  needed: labels.en.needsAttention,
  nothing: 'Nothing needs your attention.',
  nothingHint:
    'This page shows operators that are down, review items to decide, requests for your approval, and payouts and statements that need attention.',
  operator: {
    UP: (name) => name,
    DOWN: (name) => `${name} is down`,
    DEGRADED: (name) => `${name} is degraded`,
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
  late: 'Work is overdue',
  volume: 'Payments received by everybody',
  noVolume: 'No payments in the last thirty days',
  largest: 'Merchants that receive the most',
  seeMode: { test: 'See test mode', live: 'See live mode' },
  merchant: labels.en.merchant,
  currency: labels.en.currency,
  today: labels.en.today,
  week: labels.en.days7,
  month: labels.en.days30,
};

export const words: Record<Language, typeof pt> = { pt, en };
