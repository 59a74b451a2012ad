import type { Choice } from '../parts/form.ts';
import type { StaffContext } from '../request-context.ts';

/** Which mode's things a list of the staff shows: live ones, unless the address asks for the others. */
export const modeIn = ({ query }: Pick<StaffContext, 'query'>): 'live' | 'test' =>
  query.get('mode') === 'test' ? 'test' : 'live';

export const modeChoices = ({ words }: Pick<StaffContext, 'words'>): Choice[] => [
  ['live', words.live],
  ['test', words.test],
];
