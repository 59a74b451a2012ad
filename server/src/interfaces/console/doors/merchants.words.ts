import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Escolha onde trabalhar',
  gateway: labels.pt.gateway,
  none: 'Ainda não pertence a nenhum estabelecimento.',
  noneHint: 'Peça um convite a um proprietário e abra o link que receber.',
};

const en: typeof pt = {
  title: 'Choose where to work',
  gateway: labels.en.gateway,
  none: 'You do not belong to a merchant yet.',
  noneHint: 'Ask an owner to invite you, and open the link that you receive.',
};

export const words: Record<Language, typeof pt> = { pt, en };
