import type { Language } from '../words/common.ts';

const pt = {
  /** Whose pages these are. */
  gateway: 'Gateway',
  mark: 'Gestão do gateway: o que alterar aqui vale para todos os estabelecimentos.',
  pages: {
    home: 'Início',
    reviews: 'Por decidir',
    approvals: 'Aprovações',
    merchants: 'Estabelecimentos',
    payments: 'Pagamentos',
    settlements: 'Transferências',
    reconciliations: 'Reconciliações',
    suspense: 'Conta transitória',
    reversals: 'Estornos',
    ledger: 'Livro-razão',
    operators: 'Operadores',
    work: 'Trabalho por fazer',
    doctor: 'Diagnóstico',
    processes: 'Processos',
    backups: 'Cópias de segurança',
    team: 'Equipa do gateway',
    'admin-keys': 'Chaves de gestão',
    audit: 'Registo de auditoria',
  },
  groups: {
    decisions: 'Decisões',
    merchants: 'Clientes',
    money: 'Dinheiro',
    system: 'Sistema',
    people: 'Acesso',
  },
};

const en: typeof pt = {
  gateway: 'Gateway',
  mark: 'Managing the gateway: what you change here affects all merchants.',
  pages: {
    home: 'Home',
    reviews: 'To decide',
    approvals: 'Approvals',
    merchants: 'Merchants',
    payments: 'Payments',
    settlements: 'Payouts',
    reconciliations: 'Reconciliations',
    suspense: 'Suspense',
    reversals: 'Reversals',
    ledger: 'Ledger',
    operators: 'Operators',
    work: 'Due work',
    doctor: 'Doctor',
    processes: 'Processes',
    backups: 'Backups',
    team: 'Staff',
    'admin-keys': 'Admin keys',
    audit: 'Audit log',
  },
  groups: {
    decisions: 'Decisions',
    merchants: 'Customers',
    money: 'Money',
    system: 'System',
    people: 'Access',
  },
};

export const staffWords: Record<Language, typeof pt> = { pt, en };
