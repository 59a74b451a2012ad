import type { Language } from '../words/common.ts';

const pt = {
  /** Whose pages these are. */
  gateway: 'Gateway',
  mark: 'Gestão do gateway: o que aqui muda vale para todos os estabelecimentos.',
  pages: { merchants: 'Estabelecimentos', team: 'Equipa do gateway' },
  groups: { merchants: 'Clientes', people: 'Pessoas' },
};

const en: typeof pt = {
  gateway: 'Gateway',
  mark: 'Running the gateway: what you change here is for real, and for all merchants.',
  pages: { merchants: 'Merchants', team: 'Staff' },
  groups: { merchants: 'Customers', people: 'People' },
};

export const staffWords: Record<Language, typeof pt> = { pt, en };
