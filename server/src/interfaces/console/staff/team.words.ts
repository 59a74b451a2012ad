import { teamWords } from '../parts/team.words.ts';

const pt = {
  ...teamWords.pt,
  title: 'Equipa do gateway',
  isMember: 'Já faz parte da equipa do gateway: mude a sua função.',
  lastOwner: 'É a última pessoa na administração: dê primeiro essa função a outra.',
  signOut: 'Terminar sessões',
  done: { ...teamWords.pt.done, out: 'As sessões dessa pessoa foram terminadas.' },
};

const en: typeof pt = {
  ...teamWords.en,
  title: 'Staff',
  isMember: 'They are staff of the gateway already: change their role.',
  lastOwner: 'That is the last administrator: make somebody else administrator first.',
  signOut: 'End sessions',
  done: { ...teamWords.en.done, out: 'The person was signed out everywhere.' },
};

export const words = { pt, en };
