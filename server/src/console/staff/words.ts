import type { Language } from '../words/common.ts';

const pt = {
  /** Whose pages these are. */
  gateway: 'Gateway',
  mark: 'Gestão do gateway: o que aqui muda vale para todos os estabelecimentos.',
  pages: {
    merchants: 'Estabelecimentos',
    payments: 'Pagamentos',
    reconciliations: 'Reconciliações',
    ledger: 'Livro-razão',
    operators: 'Operadores',
    work: 'Trabalho por fazer',
    doctor: 'Diagnóstico',
    processes: 'Processos',
    team: 'Equipa do gateway',
    'admin-keys': 'Chaves de /admin/v1',
    audit: 'Registo de auditoria',
  },
  groups: { merchants: 'Clientes', money: 'Dinheiro', system: 'Sistema', people: 'Pessoas' },
};

const en: typeof pt = {
  gateway: 'Gateway',
  mark: 'Running the gateway: what you change here is for real, and for all merchants.',
  pages: {
    merchants: 'Merchants',
    payments: 'Payments',
    reconciliations: 'Reconciliations',
    ledger: 'Ledger',
    operators: 'Operators',
    work: 'Due work',
    doctor: 'Doctor',
    processes: 'Processes',
    team: 'Staff',
    'admin-keys': 'Keys of /admin/v1',
    audit: 'Audit log',
  },
  groups: { merchants: 'Customers', money: 'Money', system: 'System', people: 'People' },
};

export const staffWords: Record<Language, typeof pt> = { pt, en };
