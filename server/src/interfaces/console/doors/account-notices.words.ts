import type { Choice } from '../../../operations/notifying/audience.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Avisos',
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
  timeZone: 'Fuso horário',
};

const en: typeof pt = {
  title: 'Notices',
  hint: 'What you want to hear of, and how. You get only what your role lets you see.',
  choices: {
    NOTHING: 'Nothing',
    CONSOLE: 'In the console only',
    MAIL: 'By mail too',
    MAIL_ALWAYS: 'By mail too, at any hour',
  },
  quiet: 'Quiet hours',
  quietHint: 'In these hours mail waits. Leave them empty to get it at any time.',
  from: 'From',
  until: 'Until',
  timeZone: 'Time zone',
};

export const words: Record<Language, typeof pt> = { pt, en };
