import { doorsMutations } from './doors.ts';
import type { Mutation } from './list.ts';
import { signOnMutations } from './sign-on.ts';

const sessions = 'server/src/people/session-store.ts';
const sessionsTest = 'server/src/people/sessions.test.ts';
const signIn = 'server/src/people/sign-in.ts';
const signInTest = 'server/src/people/sign-in.test.ts';
const throttle = 'server/src/people/throttle.ts';
const passkeys = 'server/src/people/passkeys.ts';
const passkeysTest = 'server/src/people/passkeys.test.ts';
const accept = 'server/src/people/accept.ts';
const acceptTest = 'server/src/people/accept.test.ts';
const invitations = 'server/src/people/invitation-store.ts';
const team = 'server/src/people/team-store.ts';
const teamTest = 'server/src/people/team.test.ts';
const first = 'server/src/people/first-link.ts';
const firstTest = 'server/src/people/first-link.test.ts';
const password = 'server/src/people/password.ts';
const passwordTest = 'server/src/people/password.test.ts';

/** Faults of who may work in the console, and of how they sign in. */
export const peopleMutations: Mutation[] = [
  {
    name: 'people: a stolen cookie works after sign-out',
    file: sessions,
    find: '`s.ended_at IS NULL AND s.last_seen_at',
    replace: '`s.last_seen_at',
    test: sessionsTest,
  },
  {
    name: 'people: a session that nobody uses stays open',
    file: sessions,
    find: `s.last_seen_at > \${given.idleSinceMs} AND `,
    replace: `\${given.idleSinceMs} IS NOT NULL AND `,
    test: sessionsTest,
  },
  {
    name: 'people: a session that is used stays open for ever',
    file: sessions,
    find: `s.created_at > \${given.oldestMs}\``,
    replace: `\${given.oldestMs} IS NOT NULL\``,
    test: sessionsTest,
  },
  {
    name: 'people: who is disabled stays signed in',
    file: sessions,
    find: 'JOIN people p ON p.id = s.person_id AND p.disabled_at IS NULL\n',
    replace: 'JOIN people p ON p.id = s.person_id\n',
    test: sessionsTest,
  },
  {
    name: 'people: the database holds what signs in',
    file: 'server/src/people/sessions.ts',
    find: "hash('sha256', token, 'buffer')",
    replace: "Buffer.from(token, 'base64')",
    test: sessionsTest,
  },
  {
    name: 'people: an e-mail that nobody has costs no hash',
    file: signIn,
    find: 'isRight = await passwords.verify(password, found?.passwordHash ?? null, isKnown);',
    replace:
      'isRight = found !== undefined && (await passwords.verify(password, found.passwordHash));',
    test: signInTest,
    only: 'whatever is wrong',
  },
  {
    name: 'people: an address tries without end',
    file: signIn,
    find: "if (allowance?.allowed === false) return { kind: 'TOO_MANY', retryInMs: allowance.retryInMs };",
    replace: '',
    test: signInTest,
    only: 'from one address',
  },
  {
    name: 'people: from many addresses an account is tried without end',
    file: throttle,
    find: `WHERE seen.next_at <= \${given.nowMs}\n`,
    replace: '',
    test: signInTest,
    only: 'from as many addresses',
  },
  {
    name: 'people: strangers lock a person out of a device of theirs',
    file: throttle,
    find: "? keys.digest('tries', email, device.split('.', 1)[0]!)",
    replace: "? keys.digest('tries', email)",
    test: signInTest,
    only: 'strangers cannot hold up',
  },
  {
    name: 'people: any cookie stands for a device that is known',
    file: throttle,
    find: 'given.length === right.length && timingSafeEqual(given, right)',
    replace: 'id.length > 0',
    test: signInTest,
    only: 'strangers cannot hold up',
  },
  {
    name: 'people: of two who use a code at once, both sign in',
    file: 'server/src/people/account-store.ts',
    find: 'WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2) AND',
    replace: 'WHERE id = $1 AND',
    test: signInTest,
    only: 'of two who have shown',
  },
  {
    name: 'people: a recovery code works again',
    file: 'server/src/people/account-store.ts',
    find: 'WHERE person_id = person.id AND code_hash = $2 AND used_at IS NULL RETURNING person_id',
    replace: 'WHERE person_id = person.id AND code_hash = $2 RETURNING person_id',
    test: signInTest,
    only: 'of two who have shown',
  },
  {
    name: 'people: each wrong try is recorded',
    file: signIn,
    find: 'found && taken.tries === freeTries',
    replace: 'found',
    test: signInTest,
    only: 'that somebody guesses',
  },
  {
    name: 'people: passwords wait without end to be hashed',
    file: password,
    find: 'under >= maxRunning + maxWaiting',
    replace: 'under < 0',
    test: passwordTest,
  },
  {
    name: 'people: an answer of a passkey works again',
    file: passkeys,
    find: 'expiresAtMs !== undefined && useChallenge(database, bytes, expiresAtMs)',
    replace: 'expiresAtMs !== undefined && database !== undefined && useChallenge !== undefined',
    test: passkeysTest,
    only: 'an answer is taken once',
  },
  {
    name: 'people: an answer of a passkey works for ever',
    file: 'server/src/people/keys.ts',
    find: 'return expiresAtMs > nowMs ? expiresAtMs : undefined;',
    replace: 'return nowMs > 0 ? expiresAtMs : undefined;',
    test: passkeysTest,
    only: 'an answer is taken once',
  },
  {
    name: 'people: the last passkey of somebody without a password is removed',
    file: 'server/src/people/passkey-store.ts',
    find: 'WHERE person_id = $1 ORDER BY id FOR UPDATE',
    replace: 'WHERE person_id = $1 ORDER BY id',
    test: passkeysTest,
    only: 'of two passkeys',
  },
  {
    name: 'people: a link works twice',
    file: invitations,
    find: `WHERE i.token_hash = $1 AND i.kind = $2 AND \${isOpen('$3')} RETURNING`,
    replace: 'WHERE i.token_hash = $1 AND i.kind = $2 RETURNING',
    test: acceptTest,
  },
  {
    name: 'people: a link takes over an account that is there',
    file: accept,
    find: 'if (isNew && seen.hasAccount) throw new AccountExists();',
    replace: 'if (isNew && seen.hasAccount) return { personId: seen.id } as Accepted;',
    test: acceptTest,
    only: 'nobody takes it over',
  },
  {
    name: 'people: who has a link joins, whomever it is for',
    file: accept,
    find: 'if (person?.email !== taken.email) throw',
    replace: 'if (!person?.email) throw',
    test: acceptTest,
    only: 'nobody takes it over',
  },
  {
    name: 'people: who is removed comes back by an invitation of theirs',
    file: 'server/src/people/team.ts',
    find: '  await revokeTheirs(transaction, dependencies, member);\n  return role;',
    replace: '  return role;',
    test: acceptTest,
    only: 'the invitations of whoever is removed',
  },
  {
    name: 'people: an invitation that a thief made outlives the stolen credential',
    file: 'server/src/people/invitation-store.ts',
    find: 'UPDATE invitations i SET revoked_at = $2 WHERE i.invited_by = $1',
    replace:
      'UPDATE invitations i SET revoked_at = $2 WHERE i.merchant_id IS NULL AND i.invited_by = $1',
    test: 'server/src/people/retire-credential.test.ts',
    only: 'open invitations to all teams end',
  },
  {
    name: 'people: two owners remove each other',
    file: team,
    find: 'ORDER BY m.person_id FOR UPDATE',
    replace: 'ORDER BY m.person_id',
    test: teamTest,
    only: 'of owners who remove or demote each other',
  },
  {
    name: 'people: an owner who is disabled counts as one',
    file: team,
    find: 'JOIN people p ON p.id = other.person_id AND p.disabled_at IS NULL',
    replace: 'JOIN people p ON p.id = other.person_id',
    test: teamTest,
    only: 'an owner who is disabled',
  },
  {
    name: 'people: the first link works from everywhere',
    file: first,
    find: 'if (!isLoopback(address)) return Promise.resolve(undefined);',
    replace: '',
    test: firstTest,
  },
  {
    name: 'people: the first link signs in where others have accounts',
    file: first,
    find: 'if (!taken || (await hasPeople(transaction))) return undefined;',
    replace: 'if (!taken) return undefined;',
    test: firstTest,
  },
  {
    name: 'people: a viewer sees whole phones',
    file: 'server/src/people/permissions.ts',
    find: "opens: 'See whole phone numbers', also: ['SUPPORT']",
    replace: "opens: 'See whole phone numbers', also: ['SUPPORT', 'VIEWER']",
    test: 'server/src/people/permissions.test.ts',
  },
  {
    name: 'people: an e-mail with a letter that only looks like ASCII is that of somebody else',
    file: 'server/src/people/person.ts',
    find: "each > '\\x7f' &&",
    replace: "each > '\\uffff' &&",
    test: 'server/src/people/person.test.ts',
    only: 'what no mail could be sent to',
  },
  {
    name: 'people: an e-mail holds characters that cannot be seen',
    file: 'server/src/people/person.ts',
    find: '[[!-?A-~\\p{L}\\p{M}\\p{N}]--\\p{Default_Ignorable_Code_Point}]+$/v',
    replace: '[!-?A-~\\p{L}\\p{M}\\p{N}\\p{Default_Ignorable_Code_Point}]+$/v',
    test: 'server/src/people/person.test.ts',
    only: 'what no mail could be sent to',
  },
  ...doorsMutations,
  ...signOnMutations,
];
