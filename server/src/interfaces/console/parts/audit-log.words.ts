import type { Language } from '../words/common.ts';

const pt = {
  title: 'Registo de auditoria',
  when: 'Quando',
  actor: 'Quem',
  action: 'Ação',
  subject: 'Sobre o quê',
  mode: 'Modo',
  details: 'Pormenores',
  gateway: 'O próprio Zimbo',
  stranger: 'Alguém de fora',
  key: (id: string) => `Chave ${id}`,
  adminKey: (id: string) => `Chave de gestão ${id}`,
  operator: (name: string) => `Operação do sistema (${name})`,
};

const en: typeof pt = {
  title: 'Audit log',
  when: 'When',
  actor: 'Who',
  action: 'Action',
  subject: 'About what',
  mode: 'Mode',
  details: 'Details',
  gateway: 'Zimbo itself',
  stranger: 'An outsider',
  key: (id) => `Key ${id}`,
  adminKey: (id) => `Admin key ${id}`,
  operator: (name) => `Operations (${name})`,
};

export const words: Record<Language, typeof pt> = { pt, en };
