import type { ReviewKind } from '../../../money/review/review-item.ts';
import type { Days, Period } from '../../../money/totals/read.ts';
import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  charge: labels.pt.chargeACustomer,
  period: labels.pt.period,
  periods: {
    1: labels.pt.today,
    7: labels.pt.days7,
    30: labels.pt.days30,
    90: '90 dias',
  } as Record<Days, string>,
  /** @param current the current month, as `2026-11` */
  periodName: (period: Period, current: string): string => {
    if ('days' in period) return pt.periods[period.days];
    return period.month === current ? 'Este mês' : 'Mês passado';
  },
  before: (period: Period): string => {
    if ('month' in period) return 'no mês anterior';
    return period.days === 1 ? 'ontem, até esta hora' : `nos ${period.days} dias anteriores`;
  },
  volume: labels.pt.received,
  succeeded: labels.pt.payments,
  rate: labels.pt.successRate,
  median: 'Tempo até confirmar (mediana)',
  seconds: (text: string) => `${text} s`,
  failed: 'Falhados',
  refunded: labels.pt.refunded,
  fees: labels.pt.fees,
  from: labels.pt.start,
  chart: (isToday: boolean, currency: string) =>
    isToday ? `Recebido por hora, em ${currency}` : `Recebido por dia, em ${currency}`,
  asTable: labels.pt.showAsATable,
  csv: labels.pt.downloadCSV,
  byOperator: labels.pt.byOperator,
  operator: labels.pt.operator,
  failures: 'Porque falharam',
  reason: labels.pt.reason,
  expired: 'Expirou sem resposta.',
  count: labels.pt.payments,
  nothing: 'Nenhum pagamento neste período',
  nothingHint: 'Os pagamentos aparecem aqui logo que terminam.',
  money: labels.pt.money,
  available: 'Saldo disponível',
  pending: messages.pt.onItsWayToBank,
  disbursing: labels.pt.disbursementsInTransit,
  nextPayout: labels.pt.nextPayout,
  byHand: labels.pt.whenYouRequestIt,
  waiting: labels.pt.needsAttention,
  reviews: {
    UNCLEAR: 'O operador não comunicou o resultado.',
    CLASH: 'A transação do operador já estava registada para outro fim.',
    CONTRADICTION: messages.pt.operatorContradicts,
    UNKNOWN_REFERENCE: 'O operador tem uma transação que não conhecemos.',
    MISMATCH:
      'O operador confirma algo diferente do que foi pedido. Estamos a verificar com o operador.',
  } as Record<ReviewKind, string>,
  approvals: (count: number) =>
    count === 1
      ? 'Um pedido espera pela sua aprovação'
      : `${count} pedidos esperam pela sua aprovação`,
  failedSettlement: 'Uma transferência falhou:',
  disabledEndpoint: 'Um destino de webhooks foi desativado:',
};

const en: typeof pt = {
  charge: labels.en.chargeACustomer,
  period: labels.en.period,
  periods: { 1: labels.en.today, 7: labels.en.days7, 30: labels.en.days30, 90: '90 days' },
  periodName: (period, current) => {
    if ('days' in period) return en.periods[period.days];
    return period.month === current ? 'This month' : 'Last month';
  },
  before: (period) => {
    if ('month' in period) return 'in the previous month';
    return period.days === 1 ? 'yesterday, until this time' : `in the previous ${period.days} days`;
  },
  volume: labels.en.received,
  succeeded: labels.en.payments,
  rate: labels.en.successRate,
  median: 'Time to confirm (median)',
  seconds: (text) => `${text} s`,
  failed: 'Failed',
  refunded: labels.en.refunded,
  fees: labels.en.fees,
  from: labels.en.start,
  chart: (isToday, currency) =>
    isToday ? `Received per hour, in ${currency}` : `Received per day, in ${currency}`,
  asTable: labels.en.showAsATable,
  csv: labels.en.downloadCSV,
  byOperator: labels.en.byOperator,
  operator: labels.en.operator,
  failures: 'Why payments failed',
  reason: labels.en.reason,
  expired: 'Expired without an answer.',
  count: labels.en.payments,
  nothing: 'No payments in this period',
  nothingHint: 'Payments appear here as soon as they have ended.',
  money: labels.en.money,
  available: 'Available balance',
  pending: messages.en.onItsWayToBank,
  disbursing: labels.en.disbursementsInTransit,
  nextPayout: labels.en.nextPayout,
  byHand: labels.en.whenYouRequestIt,
  waiting: labels.en.needsAttention,
  reviews: {
    UNCLEAR: 'The operator did not report the outcome.',
    CLASH: 'The operator’s transaction was already booked for something else.',
    CONTRADICTION: messages.en.operatorContradicts,
    UNKNOWN_REFERENCE: 'The operator has a transaction that we do not know of.',
    MISMATCH:
      'The operator confirms something different from what was requested. We are checking with the operator.',
  },
  approvals: (count) =>
    count === 1
      ? 'One request is waiting for your approval'
      : `${count} requests are waiting for your approval`,
  failedSettlement: 'A payout failed:',
  disabledEndpoint: 'A webhook endpoint was disabled:',
};

export const words: Record<Language, typeof pt> = { pt, en };
