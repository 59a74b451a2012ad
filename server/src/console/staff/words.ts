import type { Language } from '../words/common.ts';

const pt = {
  /** Whose pages these are. */
  gateway: 'Gateway',
  mark: 'Gestão do gateway: o que aqui muda vale para todos os estabelecimentos.',
  pages: {
    merchants: 'Estabelecimentos',
    reviews: 'Por decidir',
    approvals: 'Aprovações',
    settlements: 'Transferências',
    suspense: 'Conta transitória',
    reversals: 'Estornos',
    work: 'Trabalho por fazer',
    team: 'Equipa do gateway',
  },
  groups: {
    merchants: 'Clientes',
    decisions: 'Decisões',
    money: 'Dinheiro',
    system: 'Sistema',
    people: 'Pessoas',
  },
};

const en: typeof pt = {
  gateway: 'Gateway',
  mark: 'Running the gateway: what you change here is for real, and for all merchants.',
  pages: {
    merchants: 'Merchants',
    reviews: 'To decide',
    approvals: 'Approvals',
    settlements: 'Payouts',
    suspense: 'Suspense',
    reversals: 'Reversals',
    work: 'Due work',
    team: 'Staff',
  },
  groups: {
    merchants: 'Customers',
    decisions: 'Decisions',
    money: 'Money',
    system: 'System',
    people: 'People',
  },
};

export const staffWords: Record<Language, typeof pt> = { pt, en };
