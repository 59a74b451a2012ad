import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.auditLog,
  when: labels.pt.when,
  actor: labels.pt.who,
  action: labels.pt.action,
  subject: labels.pt.aboutWhat,
  all: labels.pt.everything,
  mode: labels.pt.mode,
  details: labels.pt.details,
  gateway: 'O próprio Zimbo',
  stranger: 'Alguém de fora',
  key: (id: string) => `Chave ${id}`,
  adminKey: (id: string) => `Chave de gestão ${id}`,
  operator: (name: string) => `Operações (${name})`,
  formerPerson: labels.pt.aRemovedAccount,
  lookedThrough:
    'Já foram percorridos muitos registos. Os mais antigos ficam para a página seguinte.',
};

const en: typeof pt = {
  title: labels.en.auditLog,
  when: labels.en.when,
  actor: labels.en.who,
  action: labels.en.action,
  subject: labels.en.aboutWhat,
  all: labels.en.everything,
  mode: labels.en.mode,
  details: labels.en.details,
  gateway: 'Zimbo itself',
  stranger: 'An outsider',
  key: (id) => `Key ${id}`,
  adminKey: (id) => `Admin key ${id}`,
  operator: (name) => `Operations (${name})`,
  formerPerson: labels.en.aRemovedAccount,
  lookedThrough: 'Many records were searched. Older ones are on the next page.',
};

export const words: Record<Language, typeof pt> = { pt, en };
