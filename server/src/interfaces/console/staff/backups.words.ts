import type { Language } from '../words/common.ts';

const pt = {
  title: 'Cópias de segurança',
  began: 'Início',
  took: 'Duração',
  where: 'Onde',
  size: 'Tamanho',
  encrypted: 'Cifrada',
  state: 'Estado',
  yes: 'Sim',
  no: 'Não',
  states: {
    running: 'Em curso',
    failed: 'Falhou',
    verified: 'Boa, verificada',
    good: 'Boa, não verificada',
    removed: 'Removida, por ser antiga',
  },
  fine: (age: string) => `A última cópia boa tem ${age}.`,
  old: (age: string) =>
    `A última cópia boa tem ${age}: veja porque não há outra mais recente, com zimbo backup.`,
  lastFailed:
    'A última tentativa falhou; a razão está na lista. Tenta-se de novo dentro de uma hora.',
  none: 'Ainda não há nenhuma cópia desta base de dados',
  noneHint: 'Defina BACKUP_TO e BACKUP_SCHEDULE, ou corra zimbo backup (docs/backup.md).',
  schedule: 'Horário',
  to: 'Destino',
  noSchedule: 'Só à mão: BACKUP_SCHEDULE não está definido neste processo.',
  hint: 'As vinte mais recentes. Uma cópia verificada foi lida de novo, restaurada numa base de dados vazia, e as suas contas batem certo.',
};

const en: typeof pt = {
  title: 'Backups',
  began: 'Began',
  took: 'Took',
  where: 'Where',
  size: 'Size',
  encrypted: 'Encrypted',
  state: 'State',
  yes: 'Yes',
  no: 'No',
  states: {
    running: 'Under way',
    failed: 'Failed',
    verified: 'Good, verified',
    good: 'Good, not verified',
    removed: 'Removed, being old',
  },
  fine: (age) => `The last good backup is ${age} old.`,
  old: (age) =>
    `The last good backup is ${age} old: find out why there is no newer one, with zimbo backup.`,
  lastFailed:
    'The last attempt failed; the reason is in the list. It is tried again within an hour.',
  none: 'No backup was made of this database yet',
  noneHint: 'Set BACKUP_TO and BACKUP_SCHEDULE, or run zimbo backup (docs/backup.md).',
  schedule: 'Schedule',
  to: 'Destination',
  noSchedule: 'By hand only: BACKUP_SCHEDULE is not set in this process.',
  hint: 'The latest twenty. A verified backup was read back, restored into an empty database, and its ledger was correct.',
};

export const words: Record<Language, typeof pt> = { pt, en };
