import type { Choice } from '../../../operations/notifications/audience.ts';
import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.notices,
  hint: 'O que quer saber, e como. Só recebe o que a sua função permite ver.',
  choices: {
    NOTHING: 'Nada',
    CONSOLE: 'Só na consola',
    MAIL: 'Também por e-mail',
    MAIL_ALWAYS: 'Também por e-mail, a qualquer hora',
  } as Record<Choice, string>,
  quiet: 'Horas de silêncio',
  quietHint: 'Nestas horas os e-mails esperam. Deixe vazio para os receber sempre.',
  from: 'Das',
  until: 'Até às',
  timeZone: labels.pt.timeZone,
};

const en: typeof pt = {
  title: labels.en.notices,
  hint: 'What you want to hear about, and how. You get only what your role lets you see.',
  choices: {
    NOTHING: 'Nothing',
    CONSOLE: 'Only in the console',
    MAIL: 'Also by e-mail',
    MAIL_ALWAYS: 'Also by e-mail, at any hour',
  },
  quiet: 'Quiet hours',
  quietHint: 'E-mails wait during these hours. Leave empty to get them at any time.',
  from: 'From',
  until: 'Until',
  timeZone: labels.en.timeZone,
};

export const words: Record<Language, typeof pt> = { pt, en };
