import { labels } from '../../../platform/text/labels.ts';
import { teamWords } from '../parts/team.words.ts';

const pt = {
  ...teamWords.pt,
  title: labels.pt.staff,
  isMember: 'Esta pessoa já faz parte da equipa do gateway: altere a função dela.',
  lastOwner: 'É a última pessoa na administração: dê primeiro essa função a outra.',
  signOut: 'Terminar sessões',
  done: { ...teamWords.pt.done, out: 'As sessões dessa pessoa foram terminadas.' },
};

const en: typeof pt = {
  ...teamWords.en,
  title: labels.en.staff,
  isMember: 'This person is already on the staff: change their role.',
  lastOwner: 'This is the last administrator: make somebody else an administrator first.',
  signOut: 'End sessions',
  done: { ...teamWords.en.done, out: 'The person has been signed out everywhere.' },
};

export const words = { pt, en };
