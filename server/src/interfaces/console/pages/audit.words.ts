import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.auditLog,
  nothing: 'Ainda não há registos',
  noMatch: 'Nenhum registo corresponde a estes filtros',
  lookedThrough:
    'Já foram percorridos muitos registos. Os mais antigos ficam para a página seguinte.',
  wrongDates: 'Uma das datas não existe.',
  action: labels.pt.action,
  actor: labels.pt.who,
  subject: labels.pt.aboutWhat,
  from: labels.pt.from,
  until: labels.pt.until,
};

const en: typeof pt = {
  title: labels.en.auditLog,
  nothing: 'No records yet',
  noMatch: 'No record matches these filters',
  lookedThrough: 'Many records were searched. Older ones are on the next page.',
  wrongDates: 'One of the dates does not exist.',
  action: labels.en.action,
  actor: labels.en.who,
  subject: labels.en.aboutWhat,
  from: labels.en.from,
  until: labels.en.until,
};

export const words: Record<Language, typeof pt> = { pt, en };
