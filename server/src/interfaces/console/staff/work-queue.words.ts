import { age } from '../parts/format-age.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Trabalho por fazer',
  queue: 'Fila',
  due: 'Por fazer agora',
  oldest: 'Espera do mais antigo',
  fine: 'Nada espera há mais de um minuto.',
  late: 'Há trabalho à espera há mais de um minuto: veja se os processos estão a funcionar, e execute zimbo doctor.',
  hint: 'De todos os processos, segundo a base de dados. Atualiza-se a cada dez segundos.',
  age,
  queues: {
    payments: 'Pagamentos',
    deliveries: 'Envios de webhooks',
    reversals: 'Estornos',
    checkout_sessions: 'Links de pagamento',
    refunds: 'Reembolsos',
    settlements: 'Transferências',
    operator_callbacks: 'Notificações dos operadores',
  } as Record<string, string>,
};

const en: typeof pt = {
  title: 'Due work',
  queue: 'Queue',
  due: 'Due now',
  oldest: 'Oldest has waited',
  fine: 'Nothing has been waiting for more than a minute.',
  late: 'Work has been waiting for more than a minute: check that the processes are running, and run zimbo doctor.',
  hint: 'Covers all processes, from the database. Refreshed every ten seconds.',
  age,
  queues: {
    payments: 'Payments',
    deliveries: 'Webhook deliveries',
    reversals: 'Reversals',
    checkout_sessions: 'Payment links',
    refunds: 'Refunds',
    settlements: 'Payouts',
    operator_callbacks: 'Operators’ callbacks',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
