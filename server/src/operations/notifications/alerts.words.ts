import { type AlertName, alertRules } from '../../platform/notices/alert-rules.ts';
import type { NoticeDetails } from '../../platform/notices/notice.ts';
import type { Language } from '../../tenants/people/person.ts';

const titles: Record<Language, Record<AlertName, string>> = {
  pt: {
    RequestsFail: 'Mais de 1 % dos pedidos falham',
    ConnectionsExhausted: 'Há pedidos à espera de uma ligação à base de dados',
    OperatorSlow: 'O operador demora mais de 5 segundos a responder',
    CallbacksRefused: 'Notificações do operador recusadas por falta de prova',
    WorkOverdue: 'Há trabalho em atraso há mais de 2 minutos',
    WebhookBacklog: 'Há webhooks à espera há mais de 5 minutos',
    WebhooksFail: 'Mais de metade dos webhooks falham',
    ReversalRefused: 'Um operador recusa devolver um débito indevido',
    Suspense: 'Há dinheiro na conta transitória há mais de uma hora',
    ClockWrong: 'O relógio de um gateway está errado e esse gateway parou',
    ClockOff: 'O relógio de um gateway desvia-se mais de 5 segundos',
    SettingsDiffer: 'Os gateways não têm as mesmas definições',
    BackupOld: 'Há mais de 26 horas que nenhuma cópia de segurança é concluída',
    PaymentsUnanswered: 'O operador não responde sobre alguns pagamentos',
  },
  en: {
    RequestsFail: 'More than 1 % of requests fail',
    ConnectionsExhausted: 'Requests are waiting for a database connection',
    OperatorSlow: 'The operator takes more than 5 seconds to answer',
    CallbacksRefused: 'Callbacks from the operator are refused for lack of proof',
    WorkOverdue: 'Work has been overdue for more than 2 minutes',
    WebhookBacklog: 'Webhooks have been waiting for more than 5 minutes',
    WebhooksFail: 'More than half of the webhooks fail',
    ReversalRefused: 'An operator refuses to return a wrong debit',
    Suspense: 'There has been money in suspense for more than an hour',
    ClockWrong: 'A gateway’s clock is wrong, and that gateway has stopped working',
    ClockOff: 'A gateway’s clock is off by more than 5 seconds',
    SettingsDiffer: 'The gateways do not have the same settings',
    BackupOld: 'No backup has succeeded for more than 26 hours',
    PaymentsUnanswered: 'The operator does not answer about some payments',
  },
};

type Detail = Partial<NoticeDetails['ALERT']>;

const isKnown = (alert: string | undefined): alert is AlertName =>
  alert !== undefined && Object.hasOwn(alertRules, alert);

/** One that a newer program wrote has its name alone. */
export function alertTitle(language: Language, { alert, of }: Detail): string {
  const title = isKnown(alert) ? titles[language][alert] : (alert ?? '?');
  return of ? `${title}: ${of.replaceAll('_', ' ')}` : title;
}

export function alertText(language: Language, { alert }: Detail): string {
  const page = isKnown(alert) ? alertRules[alert].runbook : 'README.md';
  return language === 'pt'
    ? `O que fazer: docs/runbooks/${page}`
    : `What to do: docs/runbooks/${page}`;
}

/**
 * Of an outage of the database, which no notice can be written of.
 * @param cell of several, the one whose database it is
 */
export function databaseWords(language: Language, isOver: boolean, cell: string | undefined) {
  if (language === 'pt') {
    const title = isOver ? 'A base de dados responde de novo' : 'A base de dados não responde';
    const waits =
      cell === undefined
        ? 'Nenhum pagamento avança enquanto não responder.'
        : `Nenhum pagamento da célula ${cell} avança enquanto não responder. As outras células continuam.`;
    return {
      title: cell === undefined ? title : `${title} (célula ${cell})`,
      text: isOver
        ? 'O trabalho continua onde ficou.'
        : `${waits} O que fazer: docs/runbooks/README.md#requests-fail`,
      look: 'Ver na consola',
    };
  }
  const title = isOver ? 'The database answers again' : 'The database does not answer';
  const waits =
    cell === undefined
      ? 'No payment makes progress until it does.'
      : `No payment in the cell ${cell} makes progress until it does. The other cells go on.`;
  return {
    title: cell === undefined ? title : `${title} (cell ${cell})`,
    text: isOver
      ? 'Work goes on where it was.'
      : `${waits} What to do: docs/runbooks/README.md#requests-fail`,
    look: 'Look at it in the console',
  };
}
