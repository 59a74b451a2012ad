import { age } from '../parts/format-age.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Trabalho por fazer',
  queue: 'Fila',
  due: 'Por fazer agora',
  oldest: 'O mais antigo espera há',
  fine: 'Nada espera há mais de um minuto.',
  late: 'Há trabalho que espera há mais de um minuto: veja se os processos correm, e zimbo doctor.',
  hint: 'De todos os processos, tal como está na base de dados. Atualiza-se a cada dez segundos.',
  age,
  queues: {
    payments: 'Pagamentos',
    deliveries: 'Envios de webhooks',
    reversals: 'Estornos',
    checkout_sessions: 'Links de pagamento',
    refunds: 'Reembolsos',
    settlements: 'Transferências',
    operator_callbacks: 'Avisos de operadores',
  } as Record<string, string>,
};

const en: typeof pt = {
  title: 'Due work',
  queue: 'Queue',
  due: 'Due now',
  oldest: 'The oldest has waited',
  fine: 'Nothing has waited for more than a minute.',
  late: 'Work has waited for more than a minute: see whether the processes run, and zimbo doctor.',
  hint: 'Of all processes, as the database knows it. Refreshed every ten seconds.',
  age,
  queues: {
    payments: 'Payments',
    deliveries: 'Webhook deliveries',
    reversals: 'Reversals',
    checkout_sessions: 'Payment links',
    refunds: 'Refunds',
    settlements: 'Payouts',
    operator_callbacks: "Operators' callbacks",
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
