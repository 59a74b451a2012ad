import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  /** Whose pages these are. */
  gateway: labels.pt.gateway,
  mark: 'Gestão do gateway: o que alterar aqui vale para todos os estabelecimentos.',
  search: 'Procurar em todos os estabelecimentos',
  searchHint: 'Telefone, referência, estabelecimento…',
  pages: {
    home: labels.pt.home,
    reviews: labels.pt.toDecide,
    approvals: labels.pt.approvals,
    merchants: labels.pt.merchants,
    payments: labels.pt.payments,
    settlements: labels.pt.payouts,
    'bank-statements': labels.pt.bankStatements,
    reconciliations: labels.pt.reconciliations,
    suspense: labels.pt.suspense,
    reversals: labels.pt.reversals,
    ledger: labels.pt.ledger,
    operators: labels.pt.operators,
    work: labels.pt.dueWork,
    doctor: labels.pt.doctor,
    processes: labels.pt.processes,
    backups: labels.pt.backups,
    team: labels.pt.staff,
    'admin-keys': labels.pt.adminKeys,
    audit: labels.pt.auditLog,
  },
  groups: {
    decisions: 'Decisões',
    merchants: 'Clientes',
    money: labels.pt.money,
    system: 'Sistema',
    people: 'Acesso',
  },
};

const en: typeof pt = {
  gateway: labels.en.gateway,
  mark: 'Managing the gateway: what you change here affects all merchants.',
  search: 'Search all merchants',
  searchHint: 'Phone, reference, merchant…',
  pages: {
    home: labels.en.home,
    reviews: labels.en.toDecide,
    approvals: labels.en.approvals,
    merchants: labels.en.merchants,
    payments: labels.en.payments,
    settlements: labels.en.payouts,
    'bank-statements': labels.en.bankStatements,
    reconciliations: labels.en.reconciliations,
    suspense: labels.en.suspense,
    reversals: labels.en.reversals,
    ledger: labels.en.ledger,
    operators: labels.en.operators,
    work: labels.en.dueWork,
    doctor: labels.en.doctor,
    processes: labels.en.processes,
    backups: labels.en.backups,
    team: labels.en.staff,
    'admin-keys': labels.en.adminKeys,
    audit: labels.en.auditLog,
  },
  groups: {
    decisions: 'Decisions',
    merchants: 'Customers',
    money: labels.en.money,
    system: 'System',
    people: 'Access',
  },
};

export const staffWords: Record<Language, typeof pt> = { pt, en };
