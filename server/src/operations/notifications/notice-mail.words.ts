import { labels } from '../../platform/text/labels.ts';
import type { Language } from '../../tenants/people/person.ts';

const pt = {
  several: (first: string, more: number) => `${first}, e mais ${more}`,
  others: (count: number) => `E mais ${count}: veja-os na consola.`,
  over: labels.pt.resolved,
  look: 'Ver na consola',
  why: 'Recebe este e-mail porque trabalha com o Zimbo. Na sua conta pode escolher o que recebe e quando:',
  settings: labels.pt.myAccount,
};

const en: typeof pt = {
  several: (first, more) => `${first}, and ${more} more`,
  others: (count) => `And ${count} more: see them in the console.`,
  over: labels.en.resolved,
  look: 'View in the console',
  why: 'You get this e-mail because you work with Zimbo. In your account you can choose what you get, and when:',
  settings: labels.en.myAccount,
};

export const words: Record<Language, typeof pt> = { pt, en };
