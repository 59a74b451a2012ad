import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.merchants,
  search: labels.pt.nameOrId,
  nothing: 'Ainda não há estabelecimentos',
  nothingHint: 'Crie aqui o primeiro.',
  noMatch: messages.pt.noMerchantMatches,
  name: labels.pt.name,
  id: labels.pt.id,
  since: labels.pt.since,
  create: 'Criar estabelecimento',
  createHint:
    'Fica logo com modo real e modo de teste. Convide as pessoas na página do estabelecimento.',
  wrongName: messages.pt.upTo255Required,
};

const en: typeof pt = {
  title: labels.en.merchants,
  search: labels.en.nameOrId,
  nothing: 'No merchants yet',
  nothingHint: 'Create the first one here.',
  noMatch: messages.en.noMerchantMatches,
  name: labels.en.name,
  id: labels.en.id,
  since: labels.en.since,
  create: 'Create a merchant',
  createHint: 'The merchant gets a live and a test mode. Invite people on the merchant’s page.',
  wrongName: messages.en.upTo255Required,
};

export const words: Record<Language, typeof pt> = { pt, en };
