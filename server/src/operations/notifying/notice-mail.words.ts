import type { Language } from '../../tenants/people/person.ts';

const pt = {
  several: (first: string, more: number) => `${first}, e mais ${more}`,
  others: (count: number) => `E mais ${count}: veja-os na consola.`,
  over: 'Já passou',
  look: 'Ver na consola',
  why: 'Recebe este e-mail porque trabalha com o Zimbo. O que recebe, e quando, escolhe na sua conta:',
  settings: 'A minha conta',
};

const en: typeof pt = {
  several: (first, more) => `${first}, and ${more} more`,
  others: (count) => `And ${count} more: see them in the console.`,
  over: 'Over',
  look: 'Look at it in the console',
  why: 'You get this mail because you work with Zimbo. Choose in your account what you get, and when:',
  settings: 'My account',
};

export const words: Record<Language, typeof pt> = { pt, en };
