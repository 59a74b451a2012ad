import type { ReviewKind } from '../../../money/review/review-item.ts';
import type { Days } from '../../../money/totals/read.ts';
import type { Language } from '../words/common.ts';

const pt = {
  charge: 'Cobrar a um cliente',
  period: 'Período',
  periods: { 1: 'Hoje', 7: '7 dias', 30: '30 dias', 90: '90 dias' } as Record<Days, string>,
  before: (days: Days) => (days === 1 ? 'ontem, até esta hora' : `nos ${days} dias anteriores`),
  volume: 'Recebido',
  succeeded: 'Pagamentos',
  rate: 'Taxa de sucesso',
  median: 'Tempo até confirmar (mediana)',
  seconds: (text: string) => `${text} s`,
  failed: 'Falhados',
  refunded: 'Reembolsado',
  fees: 'Comissões',
  from: 'Início',
  chart: (days: Days, currency: string) =>
    days === 1 ? `Recebido por hora, em ${currency}` : `Recebido por dia, em ${currency}`,
  asTable: 'Ver como tabela',
  csv: 'Descarregar CSV',
  byOperator: 'Por operador',
  operator: 'Operador',
  failures: 'Porque falharam',
  reason: 'Motivo',
  expired: 'Expirou sem resposta.',
  count: 'Pagamentos',
  nothing: 'Nenhum pagamento neste período',
  nothingHint: 'Os pagamentos aparecem aqui logo que terminam.',
  money: 'Dinheiro',
  available: 'Saldo disponível',
  pending: 'A caminho do banco',
  nextPayout: 'Próxima transferência',
  byHand: 'Quando a pedir',
  waiting: 'Precisa de atenção',
  reviews: {
    UNCLEAR: 'O operador não comunicou o resultado.',
    CLASH: 'A transação do operador já estava registada para outro fim.',
    CONTRADICTION: 'O operador contradiz os nossos registos.',
    UNKNOWN_REFERENCE: 'O operador tem uma transação que não conhecemos.',
    MISMATCH:
      'O operador confirma algo diferente do que foi pedido. Estamos a verificar com o operador.',
  } as Record<ReviewKind, string>,
  approvals: (count: number) =>
    count === 1
      ? 'Um pedido espera pela sua aprovação'
      : `${count} pedidos esperam pela sua aprovação`,
  failedSettlement: 'Uma transferência falhou:',
  disabledEndpoint: 'Um webhook foi desativado:',
};

const en: typeof pt = {
  charge: 'Charge a customer',
  period: 'Period',
  periods: { 1: 'Today', 7: '7 days', 30: '30 days', 90: '90 days' },
  before: (days) => (days === 1 ? 'yesterday, until this time' : `in the previous ${days} days`),
  volume: 'Received',
  succeeded: 'Payments',
  rate: 'Success rate',
  median: 'Time to confirm (median)',
  seconds: (text) => `${text} s`,
  failed: 'Failed',
  refunded: 'Refunded',
  fees: 'Fees',
  from: 'Start',
  chart: (days, currency) =>
    days === 1 ? `Received per hour, in ${currency}` : `Received per day, in ${currency}`,
  asTable: 'Show as a table',
  csv: 'Download CSV',
  byOperator: 'By operator',
  operator: 'Operator',
  failures: 'Why payments failed',
  reason: 'Reason',
  expired: 'Expired without an answer.',
  count: 'Payments',
  nothing: 'No payments in this period',
  nothingHint: 'Payments appear here as soon as they have ended.',
  money: 'Money',
  available: 'Available balance',
  pending: 'On its way to the bank',
  nextPayout: 'Next payout',
  byHand: 'When you request it',
  waiting: 'Needs attention',
  reviews: {
    UNCLEAR: 'The operator did not report the outcome.',
    CLASH: 'The operator’s transaction was already booked for something else.',
    CONTRADICTION: 'The operator contradicts our records.',
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
