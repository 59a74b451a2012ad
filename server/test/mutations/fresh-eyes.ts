import type { Mutation } from './list.ts';

const approvals = 'server/src/approvals/approvals.test.ts';
const staff = 'server/src/people/staff.test.ts';
const admin = 'server/test/flows/admin-api.test.ts';
const team = 'server/src/people/team.ts';
const store = 'server/src/approvals/store.ts';
const sessions = 'server/src/people/session-store.ts';

/** Faults that somebody found who had not written the code. */
export const freshEyesMutations: Mutation[] = [
  {
    name: 'fresh eyes: two refunds of one payment are approved while the first is on its way',
    file: 'server/src/approvals/decide.ts',
    find: "const isFree = row.kind !== 'REFUND' ||",
    replace: "const isFree = row.kind !== 'LIVE_KEY' ||",
    test: approvals,
    only: 'of two requests for one payment',
  },
  {
    name: 'fresh eyes: an identity that moved approves where it did not sign in',
    file: store,
    find: "a.asked_identity NOT IN (${identitiesOf('p.id')})",
    replace: "a.asked_identity <> ''",
    test: approvals,
    only: 'an identity that moved',
  },
  {
    name: 'fresh eyes: who asks in a session without identity has none',
    file: store,
    find: "coalesce(${given.identity}, (${identitiesOf('p.id')} ORDER BY i.created_at LIMIT 1))",
    replace: '${given.identity}',
    test: approvals,
    only: 'an identity that moved',
  },
  {
    name: 'fresh eyes: one person asks without end',
    file: 'server/src/approvals/ask.ts',
    find: 'const mostPending = 20;',
    replace: 'const mostPending = 2_000;',
    test: approvals,
    only: 'nobody buries',
  },
  {
    name: 'fresh eyes: after a restore what was approved is carried out again',
    file: sessions,
    find: "WHERE status = 'APPROVED'\n",
    replace: "WHERE status = 'APPROVED' AND due_at IS NULL\n",
    test: approvals,
    only: 'after a restore',
  },
  {
    name: 'fresh eyes: after a restore what waited is approved again',
    file: sessions,
    find: "ended_at = $1 WHERE status = 'PENDING'",
    replace: "ended_at = $1 WHERE status = 'PENDING' AND ended_at = $1",
    test: approvals,
    only: 'after a restore',
  },
  {
    name: 'fresh eyes: whoever let owners in keeps their links when demoted',
    file: 'server/src/people/teams.ts',
    find: "|| staffCan(post.role, 'merchants.write');",
    replace: ';',
    test: staff,
    only: 'whoever may let owners in',
  },
  {
    name: 'fresh eyes: whoever only looks at a merchant keeps the links made as staff',
    file: 'server/src/people/invitation-store.ts',
    find: "m.person_id = $4 AND m.role = 'OWNER'",
    replace: 'm.person_id = $4',
    test: staff,
    only: 'whoever may let owners in',
  },
  {
    name: 'fresh eyes: the links of whoever is locked out let somebody in',
    file: team,
    find: 'if (disabled) await retireCredential(',
    replace: 'if (!disabled) await retireCredential(',
    test: staff,
    only: 'whoever may let owners in',
  },
  {
    name: 'invitations: many at once to one address all find room',
    file: 'server/src/postgres/lock-count.ts',
    find: 'await transaction.query(lockStatement, [name]);',
    replace: 'void [transaction, lockStatement, name];',
    test: 'server/src/people/accept.test.ts',
    only: 'many invitations at once',
  },
  {
    name: 'fresh eyes: one team invites without end',
    file: 'server/src/people/invitations.ts',
    find: 'const mostOpen = 100;',
    replace: 'const mostOpen = 100_000;',
    test: 'server/src/people/accept.test.ts',
    only: 'so many open invitations',
  },
  {
    name: 'fresh eyes: a sign-on that asked for nothing is a proof',
    file: 'server/src/people/sessions.ts',
    find: 'opening.sso?.authenticatedAtMs ?? nowMs',
    replace: 'nowMs',
    test: 'server/test/flows/console-sign-on.test.ts',
    only: 'whoever is let through',
  },
  {
    name: 'fresh eyes: the provider is not asked since when somebody is signed in',
    file: 'server/src/people/sso/oidc-provider.ts',
    find: "max_age: isProof ? '0' : longestSignOnSeconds,",
    replace: "...(isProof && { max_age: '0' }),",
    test: 'server/test/flows/console-sign-on.test.ts',
    only: 'whoever is let through',
  },
  {
    name: 'fresh eyes: whoever sees masked phones finds the whole ones by trying',
    file: 'server/src/payments/search.ts',
    find: 'const phones = seesPhones ? term.phones : [];',
    replace: 'const phones = term.phones;',
    test: 'server/src/payments/search.test.ts',
  },
  {
    name: 'fresh eyes: uploads fill the disk',
    file: 'server/src/http/upload.ts',
    find: 'const mostAtOnce = 4;',
    replace: 'const mostAtOnce = 400;',
    test: admin,
    only: 'so many uploads',
  },
  {
    name: 'fresh eyes: a time in the year 10000 is a fault of ours',
    file: 'server/src/formats/instant.ts',
    find: 'ms !== undefined && /^',
    replace: 'ms !== undefined || /^',
    test: admin,
    only: 'a time that is in no year',
  },
];
