import { labels } from '../../../platform/text/labels.ts';
import { age } from '../parts/format-age.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.dueWork,
  queue: 'Fila',
  due: labels.pt.dueNow,
  oldest: 'Espera do mais antigo',
  fine: 'Nada espera há mais de um minuto.',
  late: 'Há trabalho à espera há mais de um minuto: veja se os processos estão a funcionar, e execute zimbo doctor.',
  hint: 'De todos os processos, segundo a base de dados. Atualiza-se a cada dez segundos.',
  age,
  queues: {
    payments: labels.pt.payments,
    deliveries: 'Entregas de webhooks',
    reversals: labels.pt.reversals,
    checkout_sessions: labels.pt.paymentLinks,
    refunds: labels.pt.refunds,
    settlements: labels.pt.payouts,
    operator_callbacks: 'Notificações dos operadores',
  } as Record<string, string>,
};

const en: typeof pt = {
  title: labels.en.dueWork,
  queue: 'Queue',
  due: labels.en.dueNow,
  oldest: 'Oldest has waited',
  fine: 'Nothing has been waiting for more than a minute.',
  late: 'Work has been waiting for more than a minute: check that the processes are running, and run zimbo doctor.',
  hint: 'Covers all processes, from the database. Refreshed every ten seconds.',
  age,
  queues: {
    payments: labels.en.payments,
    deliveries: 'Webhook deliveries',
    reversals: labels.en.reversals,
    checkout_sessions: labels.en.paymentLinks,
    refunds: labels.en.refunds,
    settlements: labels.en.payouts,
    operator_callbacks: 'Operators’ callbacks',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
