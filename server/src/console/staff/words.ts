import type { Language } from '../words/common.ts';

const pt = {
  /** Whose pages these are. */
  gateway: 'Gateway',
  mark: 'Gestão do gateway: o que aqui muda vale para todos os estabelecimentos.',
  pages: {
    merchants: 'Estabelecimentos',
    reconciliations: 'Reconciliações',
    work: 'Trabalho por fazer',
    team: 'Equipa do gateway',
  },
  groups: { merchants: 'Clientes', money: 'Dinheiro', system: 'Sistema', people: 'Pessoas' },
};

const en: typeof pt = {
  gateway: 'Gateway',
  mark: 'Running the gateway: what you change here is for real, and for all merchants.',
  pages: {
    merchants: 'Merchants',
    reconciliations: 'Reconciliations',
    work: 'Due work',
    team: 'Staff',
  },
  groups: { merchants: 'Customers', money: 'Money', system: 'System', people: 'People' },
};

export const staffWords: Record<Language, typeof pt> = { pt, en };
