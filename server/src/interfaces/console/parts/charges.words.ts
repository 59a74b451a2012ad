import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  waiting: labels.pt.waitingForTheCustomer,
  latest: 'Última',
  left: (time: string) => `Faltam ${time}`,
};

const en: typeof pt = {
  waiting: labels.en.waitingForTheCustomer,
  latest: 'Latest',
  left: (time) => `${time} left`,
};

export const words: Record<Language, typeof pt> = { pt, en };
