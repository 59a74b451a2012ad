import type { Mutation } from './list.ts';

const flows = 'server/test/flows/console-staff.test.ts';
const staffTest = 'server/src/people/staff.test.ts';
const visitors = 'server/src/console/visitors.ts';
const teamStore = 'server/src/people/team-store.ts';

/** Faults of the pages of the gateway's staff, and of who is let in there. */
export const staffMutations: readonly Mutation[] = [
  {
    name: 'staff: whoever is signed in sees the pages of the staff',
    file: visitors,
    find: "if (staffRole === null) throw notFound('page');",
    replace: "if (staffRole === null) return { staffRole: 'AUDITOR' } as never;",
    test: flows,
    only: 'nobody but the staff',
  },
  {
    name: 'staff: each role does everything',
    file: visitors,
    find: 'if (!staffCan(staffRole, permission)) throw',
    replace: 'if (!staffCan("ADMIN", permission)) throw',
    test: flows,
    only: 'each role of the staff',
  },
  {
    name: 'staff: an act needs the permission of its page alone',
    file: 'server/src/console/routes.ts',
    find: 'await area.visit(request, action?.permission ?? page.permission)',
    replace: 'await area.visit(request, page.permission)',
    test: flows,
    only: 'each role of the staff',
  },
  {
    name: 'staff: what is sensitive asks for no proof',
    file: 'server/src/console/routes.ts',
    find: 'if (isSensitive && !visit.isFresh) {',
    replace: 'if (isSensitive && !visit.isFresh && area.folder !== staffFolder) {',
    test: flows,
    only: 'what is sensitive',
  },
  {
    name: 'staff: forms of another session are taken',
    file: 'server/src/console/routes.ts',
    find: "requireOwnForm(request, address, { expected: visit.csrfToken, given: form.text('csrf') });",
    replace: 'requireOwnForm(request, address);',
    test: flows,
    only: 'what is sensitive',
  },
  {
    name: 'staff: the last administrator is removed',
    file: teamStore,
    find: "table: 'staff', isOfTeam: '$1::uuid IS NULL', chief: 'ADMIN'",
    replace: "table: 'staff', isOfTeam: '$1::uuid IS NULL', chief: 'NOBODY'",
    test: staffTest,
    only: 'of administrators who remove',
  },
  {
    name: 'staff: whoever is removed still has their links to merchants of others',
    file: 'server/src/people/invitation-store.ts',
    find: 'i.merchant_id IS NULL OR NOT EXISTS (',
    replace: 'i.merchant_id IS NULL AND NOT EXISTS (',
    test: staffTest,
    only: 'the invitations of whoever is removed or demoted',
  },
  {
    name: 'staff: the links of an administrator who is demoted still let in',
    file: 'server/src/people/team.ts',
    find: 'if (isChief(before)) await revokeTheirs(transaction, dependencies, member);',
    replace: '',
    test: staffTest,
    only: 'the invitations of whoever is removed or demoted',
  },
  {
    name: 'staff: the page signs out people who are no staff',
    file: 'server/src/console/staff/team.ts',
    find: "if (role === undefined) throw notFound('member');",
    replace: "if (role === null) throw notFound('member');",
    test: flows,
    only: 'nobody who is no staff',
  },
  {
    name: 'staff: an auditor changes the staff',
    file: 'server/src/people/staff-permissions.ts',
    find: "{ opens: 'Invite and remove staff, change roles', also: [] }",
    replace: "{ opens: 'Invite and remove staff, change roles', also: ['AUDITOR'] }",
    test: staffTest,
    only: 'administrators may do everything',
  },
  {
    name: 'staff: a search of merchants shows all of them',
    file: 'server/src/merchants/store.ts',
    find: `OR strpos(lower(name), lower(\${name})) > 0)`,
    replace: `OR strpos(lower(name), lower(\${name})) >= 0)`,
    test: flows,
    only: 'merchants are found',
  },
];
