import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.notices,
  meaning: 'O que precisa da sua atenção, o mais recente primeiro.',
  settings: 'Escolher o que recebe por e-mail',
  nothing: 'Não há avisos',
  nothingHint: 'Quando algo precisar da sua atenção, aparece aqui.',
  read: 'Marcar como lido',
  readOf: (title: string) => `Marcar como lido: ${title}`,
  readAll: 'Marcar todos como lidos',
  unread: 'Por ler',
  on: 'Continua',
  over: labels.pt.resolved,
};

const en: typeof pt = {
  title: labels.en.notices,
  meaning: 'What needs your attention, newest first.',
  settings: 'Choose what you get by e-mail',
  nothing: 'No notices',
  nothingHint: 'When something needs your attention, it appears here.',
  read: 'Mark as read',
  readOf: (title) => `Mark as read: ${title}`,
  readAll: 'Mark all as read',
  unread: 'Unread',
  on: 'Ongoing',
  over: labels.en.resolved,
};

export const words: Record<Language, typeof pt> = { pt, en };
