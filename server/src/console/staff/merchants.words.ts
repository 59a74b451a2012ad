import type { Language } from '../words/common.ts';

const pt = {
  title: 'Estabelecimentos',
  search: 'Nome ou identificador',
  find: 'Procurar',
  none: 'Ainda não há estabelecimentos',
  noneHint: 'Crie o primeiro: zimbo merchants create --name "Loja da Praia"',
  noMatch: 'Nenhum estabelecimento tem este nome ou identificador',
  name: 'Nome',
  id: 'Identificador',
  since: 'Desde',
};

const en: typeof pt = {
  title: 'Merchants',
  search: 'Name or id',
  find: 'Search',
  none: 'There are no merchants yet',
  noneHint: 'Create the first:  zimbo merchants create --name "Loja da Praia"',
  noMatch: 'No merchant has this name or id',
  name: 'Name',
  id: 'Id',
  since: 'Since',
};

export const words: Record<Language, typeof pt> = { pt, en };
