import { notFound } from '../../../platform/errors/errors.ts';
import { findRole } from '../../../tenants/people/member-store.ts';
import { endAllSessions } from '../../../tenants/people/sessions.ts';
import { staffRoles } from '../../../tenants/people/staff-permissions.ts';
import { staffTeam } from '../../../tenants/people/teams.ts';
import type { StaffPage } from '../page.ts';
import { button } from '../parts/form.ts';
import { teamPageOf } from '../parts/team.ts';
import { staffRoleWords } from '../words/staff-roles.ts';
import { words as allWords } from './team.words.ts';

/** The staff with their roles; administrators invite, change, remove and sign out. */
export const staffTeamPage: StaffPage = teamPageOf({
  teamOf: () => staffTeam,
  permissions: { read: 'staff.read', write: 'staff.write' },
  canWrite: (visit) => visit.can('staff.write'),
  roles: staffRoles,
  suggested: 'OPERATIONS',
  least: 'AUDITOR',
  words: ({ language }) => allWords[language],
  roleWords: ({ language }) => staffRoleWords[language],
  more: {
    buttons: ({ language }) => button('out', allWords[language].signOut, 'plain'),
    actions: {
      async out({ services, author }, personId) {
        const { people } = services;
        const role = await findRole(people.database, { ...staffTeam, personId });
        if (role === undefined) throw notFound('member');
        await endAllSessions({ ...people, ...author }, personId);
      },
    },
  },
});
