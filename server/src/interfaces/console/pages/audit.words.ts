import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.auditLog,
  nothing: 'Ainda não há registos',
  noMatch: 'Nenhum registo corresponde a estes filtros',
  action: labels.pt.action,
  actor: labels.pt.who,
  subject: labels.pt.aboutWhat,
};

const en: typeof pt = {
  title: labels.en.auditLog,
  nothing: 'No records yet',
  noMatch: 'No record matches these filters',
  action: labels.en.action,
  actor: labels.en.who,
  subject: labels.en.aboutWhat,
};

export const words: Record<Language, typeof pt> = { pt, en };
