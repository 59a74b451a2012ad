import type { Language } from '../words/common.ts';

const pt = {
  title: 'Estabelecimentos',
  search: 'Nome ou identificador',
  find: 'Procurar',
  none: 'Ainda não há estabelecimentos',
  noneHint: 'Crie aqui o primeiro.',
  noMatch: 'Nenhum estabelecimento tem este nome ou identificador',
  name: 'Nome',
  id: 'Identificador',
  since: 'Desde',
  create: 'Criar estabelecimento',
  createHint:
    'Fica logo com modo real e modo de teste. Convide as pessoas na página do estabelecimento.',
  wrongName: 'De 1 a 255 caracteres.',
};

const en: typeof pt = {
  title: 'Merchants',
  search: 'Name or id',
  find: 'Search',
  none: 'No merchants yet',
  noneHint: 'Create the first one here.',
  noMatch: 'No merchant has this name or id',
  name: 'Name',
  id: 'Id',
  since: 'Since',
  create: 'Create a merchant',
  createHint: 'The merchant gets a live and a test mode. Invite people on the merchant’s page.',
  wrongName: '1 to 255 characters.',
};

export const words: Record<Language, typeof pt> = { pt, en };
