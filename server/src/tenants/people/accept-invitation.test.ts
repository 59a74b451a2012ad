import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Authenticator } from '../../../test/support/authenticator.ts';
import {
  auditOf,
  goodPassword,
  joined,
  peopleWorld,
  signedIn,
  visitor,
} from '../../../test/support/people.ts';
import {
  acceptInvitation,
  codesForLink,
  joinTeam,
  type Proof,
  passkeyForLink,
} from './accept-invitation.ts';
import {
  findInvitation,
  invite,
  listInvitations,
  makeReset,
  revokeInvitation,
} from './invitations.ts';
import { listMembers, removeMember } from './members.ts';
import { codeNow } from './one-time-codes.ts';
import { closeAfterRestore } from './session-store.ts';
import { findSession } from './sessions.ts';
import { signInWithPassword } from './sign-in.ts';

const dayMs = 24 * 3_600_000;

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  const { dependencies, clock, merchantId } = world;
  const accept = (token: string, proof: Proof) =>
    acceptInvitation(dependencies, { ...visitor, token, name: 'Rui', language: 'pt', proof });
  const passwordFor = async (token: string): Promise<Proof & { kind: 'PASSWORD' }> => {
    const { draft, secret } = codesForLink(
      dependencies,
      (await findInvitation(dependencies, token))!,
    );
    return { kind: 'PASSWORD', password: goodPassword, draft, code: codeNow(secret, clock.at) };
  };
  const passkeyFor = async (token: string, device: Authenticator): Promise<Proof> => {
    const invitation = (await findInvitation(dependencies, token))!;
    const options = await passkeyForLink(dependencies, invitation, 'Rui');
    return { kind: 'PASSKEY', response: device.create(options), label: '' };
  };
  const order = { merchantId, role: 'FINANCE', email: 'Rui@Loja.cv' } as const;
  return { ...world, world, accept, passwordFor, passkeyFor, order };
}

test('accepts an invitation with a passkey, or with a password and codes', async (context) => {
  const { dependencies, merchantId, order, accept, passkeyFor, world, clock } =
    await setUp(context);
  const { token } = await invite(dependencies, order);
  const device = new Authenticator(dependencies.consoleUrl);
  const accepted = await accept(token, await passkeyFor(token, device));
  assert.deepEqual(accepted.recoveryCodes, []);
  const session = await findSession(dependencies, accepted.token);
  assert.deepEqual([session!.email, session!.memberships[0]!.role], ['rui@loja.cv', 'FINANCE']);
  clock.at += 1_000;
  const other = await joined(world, 'ana@loja.cv', 'VIEWER');
  assert.equal(other.recoveryCodes.length, 10);
  const members = await listMembers(dependencies, { merchantId });
  assert.deepEqual(
    members.map(({ role, passkeys, hasPassword }) => [role, passkeys, hasPassword]),
    [
      ['FINANCE', 1, false],
      ['VIEWER', 0, true],
    ],
  );
});

test('accepts a link once, even from two people at once', async (context) => {
  const { dependencies, order, accept, passwordFor } = await setUp(context);
  const { token } = await invite(dependencies, order);
  const proof = await passwordFor(token);
  const both = await Promise.allSettled([accept(token, proof), accept(token, proof)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await assert.rejects(accept(token, proof), { code: 'INVALID_STATE' });
});

test('opens no account with a password without codes, and keeps the link', async (context) => {
  const { dependencies, order, accept, passwordFor, clock, database } = await setUp(context);
  const { token } = await invite(dependencies, order);
  const right = await passwordFor(token);
  const another = await invite(dependencies, { ...order, email: 'ana@loja.cv' });
  const { draft: foreign } = await passwordFor(another.token);
  const wrong = [
    { code: '000000' },
    { code: '' },
    { draft: '' },
    { draft: foreign },
    { password: 'short' },
    { password: 'rui@loja.cv' },
  ];
  for (const given of wrong) {
    await assert.rejects(accept(token, { ...right, ...given }), { code: 'VALIDATION_ERROR' });
  }
  clock.at += 3_600_000;
  await assert.rejects(accept(token, right), /draft has expired/);
  assert.deepEqual(await database.query({ text: 'SELECT FROM people' }), []);
  await accept(token, await passwordFor(token));
});

test('does not tell the inviter whether an address has an account', async (context) => {
  const { dependencies, order, accept, passwordFor, world, merchantId } = await setUp(context);
  await joined(world, 'maria@loja.cv');
  const { personId } = await joined(world, 'ana@loja.cv', 'VIEWER');
  await removeMember(dependencies, { merchantId, personId });
  const refusalFor = async (email: string) => {
    const { token } = await invite(dependencies, { ...order, email });
    const wrong = { ...(await passwordFor(token)), code: '000000' };
    return accept(token, wrong).then(
      () => assert.fail('the code is wrong'),
      ({ code, message }: { code: string; message: string }) => ({ code, message }),
    );
  };
  assert.deepEqual(await refusalFor('ana@loja.cv'), await refusalFor('rui@loja.cv'));
});

test('refuses a revoked, replaced or expired link', async (context) => {
  const { dependencies, merchantId, order, clock, database } = await setUp(context);
  const opens = async (token: string) => (await findInvitation(dependencies, token)) !== undefined;
  const first = await invite(dependencies, order);
  const second = await invite(dependencies, order);
  assert.deepEqual([await opens(first.token), await opens(second.token)], [false, true]);
  assert.equal((await listInvitations(dependencies, { merchantId })).length, 1);
  const foreign = { merchantId: dependencies.ids.next(0), id: second.id };
  await assert.rejects(revokeInvitation(dependencies, foreign), { code: 'NOT_FOUND' });
  await revokeInvitation(dependencies, { merchantId, id: second.id });
  assert.equal(await opens(second.token), false);
  const third = await invite(dependencies, order);
  clock.at += 7 * dayMs - 1;
  assert.equal(await opens(third.token), true);
  clock.at += 1;
  assert.equal(await opens(third.token), false);
  const [row] = await database.query<{ whole: string }>({
    text: "SELECT string_agg(i::text, ' ') AS whole FROM invitations i",
  });
  assert.ok(![first, second, third].some(({ token }) => row!.whole.includes(token)));
});

test('limits the open invitations of a team, and counts a renewed one once', async (context) => {
  const { dependencies, order, clock } = await setUp(context);
  const to = (number: number) => invite(dependencies, { ...order, email: `p${number}@loja.cv` });
  for (let number = 0; number < 100; number++) await to(number);
  await assert.rejects(to(100), { code: 'LIMIT_REACHED' });
  await to(99);
  clock.at += 7 * dayMs;
  await to(100);
});

test('limits concurrent invitations to five per address, and to the team’s free places', async (context) => {
  const { dependencies, order, database } = await setUp(context);
  const made = async (emails: string[]) => {
    const asked = emails.map((email) => invite(dependencies, { ...order, email }));
    const settled = await Promise.allSettled(asked);
    return settled.filter(({ status }) => status === 'fulfilled').length;
  };
  assert.equal(await made(Array.from({ length: 20 }, () => 'ana@loja.cv')), 5);
  const others = Array.from({ length: 99 }, (_, number) => `p${number}@loja.cv`);
  assert.equal(await made([...others, ...others.map((email) => `x${email}`)]), 99);
  const open = 'SELECT FROM invitations WHERE revoked_at IS NULL AND used_at IS NULL';
  assert.equal((await database.query({ text: open })).length, 100);
});

test('ends all sessions and links at a restore', async (context) => {
  const { dependencies, order, world, database, clock } = await setUp(context);
  const maria = await joined(world, 'maria@loja.cv');
  const { token } = await invite(dependencies, order);
  await closeAfterRestore(database, clock.at);
  assert.equal(await findSession(dependencies, maria.token), undefined);
  assert.equal(await findInvitation(dependencies, token), undefined);
});

test('revokes the invitations of a removed person', async (context) => {
  const { dependencies, merchantId, order, world } = await setUp(context);
  await joined(world, 'ana@loja.cv');
  const { personId } = await joined(world, 'eva@loja.cv');
  const actor = (await auditOf(world.database)).at(-1)!.actor;
  const { token } = await invite({ ...dependencies, actor }, order);
  await removeMember(dependencies, { merchantId, personId });
  assert.equal(await findInvitation(dependencies, token), undefined);
});

test('requires sign-in to join with an existing account, so that a link cannot take it over', async (context) => {
  const { dependencies, order, accept, passwordFor, world, merchantId } = await setUp(context);
  const rui = await joined(world, order.email);
  const eva = await joined(world, 'eva@loja.cv', 'VIEWER');
  await removeMember(dependencies, { merchantId, personId: eva.personId });
  const { token } = await invite(dependencies, { ...order, email: 'eva@loja.cv' });
  const proof = await passwordFor(token);
  await assert.rejects(accept(token, proof), /sign in/);
  const join = (personId: string) => joinTeam(dependencies, { personId }, { ...visitor, token });
  await assert.rejects(join(rui.personId), { code: 'FORBIDDEN' });
  assert.deepEqual(await join(eva.personId), { merchantId, role: 'FINANCE' });
  await assert.rejects(join(eva.personId), { code: 'INVALID_STATE' });
  // The earlier session ended with the removed membership.
  const { token: signIn } = await signedIn(world, eva.personId);
  const session = await findSession(dependencies, signIn);
  assert.equal(session!.memberships[0]!.role, 'FINANCE');
  await assert.rejects(invite(dependencies, { ...order, email: 'eva@loja.cv' }), {
    code: 'INVALID_STATE',
  });
});

test('removes the old credentials when a reset link is used', async (context) => {
  const { dependencies, accept, passkeyFor, world, clock } = await setUp(context);
  const rui = await joined(world, 'rui@loja.cv', 'OWNER', 'Rui Évora');
  await assert.rejects(makeReset(dependencies, 'nobody@loja.cv'), { code: 'NOT_FOUND' });
  const { token } = await makeReset(dependencies, 'RUI@loja.cv');
  const signIn = (code = codeNow(rui.secret, clock.at)) =>
    signInWithPassword(dependencies, {
      ...visitor,
      email: rui.email,
      password: goodPassword,
      code,
    });
  assert.equal((await signIn()).kind, 'SIGNED_IN');
  const device = new Authenticator(dependencies.consoleUrl);
  const accepted = await accept(token, await passkeyFor(token, device));
  assert.equal(accepted.personId, rui.personId);
  clock.at += 60_000;
  assert.equal((await signIn()).kind, 'WRONG');
  assert.equal((await signIn(rui.recoveryCodes[0])).kind, 'WRONG');
  assert.equal(await findSession(dependencies, rui.token), undefined);
  const session = await findSession(dependencies, accepted.token);
  assert.deepEqual([session!.name, session!.memberships.length], ['Rui Évora', 1]);
});

test('treats addresses with tags, and with dots at Gmail, as the same mailbox', async (context) => {
  const { dependencies, merchantId } = await peopleWorld(context);
  const dotted = (count: number) =>
    `${'v.'.repeat(count % 6)}${'v'.repeat(6 - (count % 6))}@g${count < 6 ? '' : 'oogle'}mail.com`;
  for (const emailOf of [(count: number) => `victim+${count}@loja.cv`, dotted]) {
    const emails = Array.from({ length: 12 }, (_, count) => emailOf(count));
    const ended = await Promise.allSettled(
      emails.map((email) => invite(dependencies, { merchantId, role: 'VIEWER', email })),
    );
    assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 5);
  }
});
