import type { Language } from '../words/common.ts';

const pt = {
  title: 'Registo de auditoria',
  nothing: 'Ainda não há registos',
  noMatch: 'Nenhum registo corresponde a estes filtros',
  lookedThrough:
    'Já foram percorridos muitos registos. Os mais antigos ficam para a página seguinte.',
  wrongDates: 'Uma das datas não existe.',
  action: 'Ação',
  actor: 'Quem',
  subject: 'Sobre o quê',
  from: 'De',
  until: 'Até',
};

const en: typeof pt = {
  title: 'Audit log',
  nothing: 'No records yet',
  noMatch: 'No record matches these filters',
  lookedThrough: 'Many records were searched. Older ones are on the next page.',
  wrongDates: 'One of the dates does not exist.',
  action: 'Action',
  actor: 'Who',
  subject: 'About what',
  from: 'From',
  until: 'Until',
};

export const words: Record<Language, typeof pt> = { pt, en };
