import type { Choice } from '../parts/form.ts';
import type { StaffVisit } from '../request-context.ts';

/** Which mode's things a list of the staff shows: live ones, unless the address asks for the others. */
export const modeIn = ({ query }: Pick<StaffVisit, 'query'>): 'live' | 'test' =>
  query.get('mode') === 'test' ? 'test' : 'live';

export const modeChoices = ({ words }: Pick<StaffVisit, 'words'>): Choice[] => [
  ['live', words.live],
  ['test', words.test],
];
