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
  createHint: 'Tem logo modo real e de teste. As pessoas convidam-se na página dele.',
  wrongName: 'De 1 a 255 caracteres.',
};

const en: typeof pt = {
  title: 'Merchants',
  search: 'Name or id',
  find: 'Search',
  none: 'There are no merchants yet',
  noneHint: 'Create the first here.',
  noMatch: 'No merchant has this name or id',
  name: 'Name',
  id: 'Id',
  since: 'Since',
  create: 'Create a merchant',
  createHint: 'It has a live and a test mode at once. Invite its people on its page.',
  wrongName: '1 to 255 characters.',
};

export const words: Record<Language, typeof pt> = { pt, en };
