import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.backups,
  began: labels.pt.started,
  took: labels.pt.duration,
  where: 'Onde',
  size: 'Tamanho',
  encrypted: 'Cifrada',
  state: labels.pt.status,
  yes: labels.pt.yes,
  no: labels.pt.no,
  states: {
    running: labels.pt.inProgress,
    failed: labels.pt.failed,
    verified: 'Boa, verificada',
    good: 'Boa, não verificada',
    removed: 'Removida, por ser antiga',
  },
  fine: (age: string) => `A última cópia boa tem ${age}.`,
  old: (age: string) =>
    `A última cópia boa tem ${age}: veja com zimbo backup porque não há outra mais recente.`,
  lastFailed: 'A última tentativa falhou; o motivo está na lista. A próxima é dentro de uma hora.',
  none: 'Ainda não há cópias desta base de dados',
  noneHint: 'Defina BACKUP_TO e BACKUP_SCHEDULE, ou execute zimbo backup (docs/backup.md).',
  schedule: 'Horário',
  to: 'Destino',
  noSchedule: 'Só manualmente: BACKUP_SCHEDULE não está definido neste processo.',
  hint: 'As vinte mais recentes. Uma cópia verificada foi lida de novo e restaurada numa base de dados vazia, e o seu livro-razão estava certo.',
};

const en: typeof pt = {
  title: labels.en.backups,
  began: labels.en.started,
  took: labels.en.duration,
  where: 'Where',
  size: 'Size',
  encrypted: 'Encrypted',
  state: labels.en.status,
  yes: labels.en.yes,
  no: labels.en.no,
  states: {
    running: labels.en.inProgress,
    failed: labels.en.failed,
    verified: 'Good, verified',
    good: 'Good, not verified',
    removed: 'Removed because of its age',
  },
  fine: (age) => `The last good backup is ${age} old.`,
  old: (age) =>
    `The last good backup is ${age} old: use zimbo backup to find out why there is no newer one.`,
  lastFailed:
    'The last attempt failed; the list says why. The next attempt follows within an hour.',
  none: 'No backups of this database yet',
  noneHint: 'Set BACKUP_TO and BACKUP_SCHEDULE, or run zimbo backup (docs/backup.md).',
  schedule: 'Schedule',
  to: 'Destination',
  noSchedule: 'Only manually: BACKUP_SCHEDULE is not set in this process.',
  hint: 'The latest twenty. A verified backup was read back and restored into an empty database, and its ledger was correct.',
};

export const words: Record<Language, typeof pt> = { pt, en };
