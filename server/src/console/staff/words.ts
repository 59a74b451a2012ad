import type { Language } from '../words/common.ts';

const pt = {
  /** Whose pages these are. */
  gateway: 'Gateway',
  mark: 'Gestão do gateway: o que aqui muda vale para todos os estabelecimentos.',
  pages: {
    merchants: 'Estabelecimentos',
    payments: 'Pagamentos',
    ledger: 'Livro-razão',
    work: 'Trabalho por fazer',
    doctor: 'Diagnóstico',
    processes: 'Processos',
    audit: 'Registo de auditoria',
    'admin-keys': 'Chaves de /admin/v1',
    team: 'Equipa do gateway',
  },
  groups: { merchants: 'Clientes', money: 'Dinheiro', system: 'Sistema', people: 'Pessoas' },
};

const en: typeof pt = {
  gateway: 'Gateway',
  mark: 'Running the gateway: what you change here is for real, and for all merchants.',
  pages: {
    merchants: 'Merchants',
    payments: 'Payments',
    ledger: 'Ledger',
    work: 'Due work',
    doctor: 'Doctor',
    processes: 'Processes',
    audit: 'Audit log',
    'admin-keys': 'Keys of /admin/v1',
    team: 'Staff',
  },
  groups: { merchants: 'Customers', money: 'Money', system: 'System', people: 'People' },
};

export const staffWords: Record<Language, typeof pt> = { pt, en };
