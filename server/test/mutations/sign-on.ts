import type { Mutation } from './list.ts';

const flows = 'server/test/flows/console-sign-on.test.ts';
const ends = 'server/test/flows/console-sign-on-ends.test.ts';
const signOn = 'server/src/people/sso/sign-on.ts';
const accept = 'server/src/people/accept.ts';
const provider = 'server/src/people/sso/oidc-provider.ts';
const stillThere = 'server/src/people/sso/still-there.ts';

/** Faults of single sign-on. */
export const signOnMutations: Mutation[] = [
  {
    name: 'sign-on: an invitation is accepted with any e-mail',
    file: accept,
    find: 'proven.isEmailVerified && proven.email === email',
    replace: 'proven.isEmailVerified',
    test: flows,
    only: 'an e-mail that is not verified',
  },
  {
    name: 'sign-on: an e-mail need not be verified',
    file: accept,
    find: 'proven.isEmailVerified && proven.email === email',
    replace: 'proven.email === email',
    test: flows,
    only: 'an e-mail that is not verified',
  },
  {
    name: 'sign-on: a link to start afresh takes an identity',
    file: accept,
    find: "if (kind !== 'INVITATION' || !isTheirs)",
    replace: 'if (!isTheirs)',
    test: flows,
    only: 'no account is taken over',
  },
  {
    name: 'sign-on: an old proof connects an identity',
    file: signOn,
    find: 'if (!present?.isFresh)',
    replace: 'if (!present)',
    test: flows,
    only: 'an account is connected',
  },
  {
    name: 'sign-on: any nonce is taken',
    file: provider,
    find: 'expectedNonce: nonce,',
    replace: 'expectedNonce: nonce && undefined,',
    test: flows,
    only: 'an ID token of another',
  },
  {
    name: 'sign-on: an old login proves who one is',
    file: signOn,
    find: 'agoMs <= freshMs &&',
    replace: 'agoMs !== null &&',
    test: flows,
    only: 'it is a new login',
  },
  {
    name: 'sign-on: answers without end are read',
    file: 'server/src/people/sso/bounded-fetch.ts',
    find: 'if (length > longestAnswer)',
    replace: 'if (length < 0)',
    test: flows,
    only: 'a provider that is down',
  },
  {
    name: 'sign-on: identities outlive a start afresh',
    file: 'server/src/people/account-store.ts',
    find: 'DELETE FROM identities WHERE person_id = $1',
    replace: 'SELECT $1::uuid',
    test: flows,
    only: 'a link to start afresh',
  },
  {
    name: 'sign-on: the provider is asked never again',
    file: stillThere,
    find: 'if (sso === null) return true;',
    replace: 'if (sso?.issuer !== undefined || sso === null) return true;',
    test: ends,
    only: 'who is removed there',
  },
  {
    name: 'sign-on: the provider is asked too rarely',
    file: stillThere,
    find: 'const everyMs = 45_000;',
    replace: 'const everyMs = 60_000;',
    test: ends,
    only: 'who is removed there',
  },
  {
    name: 'sign-on: each request asks',
    file: 'server/src/people/sso/vouched-store.ts',
    find: 'WHERE id = $1 AND sso_asked_at <= $3 AND ended_at IS NULL',
    replace: 'WHERE id = $1 AND $3::timestamptz IS NOT NULL AND ended_at IS NULL',
    test: ends,
    only: 'of many requests',
  },
  {
    name: 'sign-on: a provider that is down keeps people in for ever',
    file: stillThere,
    find: 'const toleratedMs = 15 * 60_000;',
    replace: 'const toleratedMs = 15 * 3_600_000;',
    test: ends,
    only: 'a provider that cannot be reached',
  },
  {
    name: 'sign-on: a wrong client secret puts people out',
    file: provider,
    find: "return error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant';",
    replace: 'return error instanceof Error;',
    test: ends,
    only: 'a provider that cannot be reached',
  },
  {
    name: 'sign-on: an ID token ends sessions',
    file: provider,
    find: 'if (!isOrder || nonce !== undefined ||',
    replace: 'if (',
    test: ends,
    only: 'nobody else does',
  },
  {
    name: 'sign-on: an order to end sessions is taken twice',
    file: 'server/src/people/sso/logout.ts',
    find: 'if (!(await useChallenge(transaction, once, order.expiresAtMs))) return;',
    replace: 'await useChallenge(transaction, once, order.expiresAtMs);',
    test: ends,
    only: 'nobody else does',
  },
  {
    name: 'sign-on: a copy of the cookie comes back again',
    file: signOn,
    find: "if (!(await useChallenge(database, once, flow.expiresAtMs))) return refused('INVALID');",
    replace: 'await useChallenge(database, once, flow.expiresAtMs);',
    test: 'server/src/people/sso/sign-on.test.ts',
  },
  {
    name: 'sign-on: the way back is open for ever',
    file: 'server/src/people/sso/flow.ts',
    find: 'return flow.expiresAtMs > nowMs ? flow : undefined;',
    replace: 'return flow.expiresAtMs > 0 ? flow : undefined;',
    test: 'server/src/people/sso/sign-on.test.ts',
    only: 'whoever comes back after ten minutes',
  },
  {
    name: 'sign-on: another identity proves who has a session',
    file: 'server/src/people/sso/vouched-store.ts',
    find: 'WHERE id = $1 AND sso_issuer = $2 AND sso_subject = $3 AND ended_at IS NULL RETURNING id`;',
    replace:
      'WHERE id = $1 AND sso_issuer = $2 AND $3::text IS NOT NULL AND ended_at IS NULL RETURNING id`;',
    test: flows,
    only: 'it is a new login of the same person',
  },
];
