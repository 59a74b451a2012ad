import { roles } from '../../../tenants/people/permissions.ts';
import type { ConsolePage } from '../page.ts';
import { teamPageOf } from '../parts/team.ts';
import { teamWords } from '../parts/team.words.ts';
import { roleWords } from '../words/roles.ts';

/** The merchant's members with their roles; owners invite, change and remove. */
export const teamPage: ConsolePage = teamPageOf({
  teamOf: ({ merchant }) => ({ merchantId: merchant.id }),
  permissions: { read: 'people.read', write: 'people.write' },
  canWrite: (visit) => visit.can('people.write'),
  roles,
  suggested: 'SUPPORT',
  least: 'VIEWER',
  words: ({ language }) => teamWords[language],
  roleWords: ({ language }) => roleWords[language],
});
