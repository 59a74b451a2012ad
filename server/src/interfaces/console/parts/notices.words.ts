import type { Language } from '../words/common.ts';

const pt = {
  intro: 'O que precisa de si, o mais recente primeiro.',
  settings: 'Escolher o que recebe por e-mail',
  nothing: 'Não há avisos',
  nothingHint: 'Quando algo precisar de si, aparece aqui.',
  read: 'Marcar como lido',
  readOf: (title: string) => `Marcar como lido: ${title}`,
  readAll: 'Marcar todos como lidos',
  unread: 'Por ler',
  on: 'Ainda é assim',
  over: 'Já passou',
};

const en: typeof pt = {
  intro: 'What needs you, newest first.',
  settings: 'Choose what you get by mail',
  nothing: 'There are no notices',
  nothingHint: 'When something needs you, it appears here.',
  read: 'Mark as read',
  readOf: (title) => `Mark as read: ${title}`,
  readAll: 'Mark all as read',
  unread: 'Unread',
  on: 'Still so',
  over: 'Over',
};

export const words: Record<Language, typeof pt> = { pt, en };
