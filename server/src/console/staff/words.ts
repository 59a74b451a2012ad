import type { Language } from '../words/common.ts';

const pt = {
  /** Whose pages these are. */
  gateway: 'Gateway',
  mark: 'Gestão do gateway: o que aqui muda vale para todos os estabelecimentos.',
  pages: {
    merchants: 'Estabelecimentos',
    operators: 'Operadores',
    work: 'Trabalho por fazer',
    team: 'Equipa do gateway',
  },
  groups: { merchants: 'Clientes', system: 'Sistema', people: 'Pessoas' },
};

const en: typeof pt = {
  gateway: 'Gateway',
  mark: 'Running the gateway: what you change here is for real, and for all merchants.',
  pages: { merchants: 'Merchants', operators: 'Operators', work: 'Due work', team: 'Staff' },
  groups: { merchants: 'Customers', system: 'System', people: 'People' },
};

export const staffWords: Record<Language, typeof pt> = { pt, en };
