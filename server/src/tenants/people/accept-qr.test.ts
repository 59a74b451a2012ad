/** Invitations by QR code: for people without e-mail, and only to the till. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  addMember,
  addPerson,
  goodPassword,
  peopleWorld,
  signedIn,
  visitor,
} from '../../../test/support/people.ts';
import { acceptInvitation, codesForLink, joinTeam } from './accept-invitation.ts';
import { acceptQr } from './accept-qr.ts';
import { findInvitation, invite, inviteByQr } from './invitations.ts';
import { changeRole, listMembers, removeMember } from './members.ts';
import { createMerchantRole } from './merchant-roles.ts';
import { codeNow } from './one-time-codes.ts';
import { signInWithPin } from './pins.ts';
import { findSession } from './sessions.ts';
import { enrolTill } from './till-devices.ts';

const pin = '274916';
const hourMs = 3_600_000;

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  const { dependencies, merchantId } = world;
  const owner = await addPerson(world, 'maria@loja.cv');
  await addMember(world, owner, 'OWNER');
  const accept = (token: string, typed = pin) =>
    acceptQr(dependencies, {
      ...visitor,
      token,
      name: 'Rosa',
      language: 'pt',
      proof: { kind: 'PIN', pin: typed },
    });
  const members = async () =>
    (await listMembers(dependencies, { merchantId })).map(({ personId, email, role }) => ({
      personId,
      email,
      role,
    }));
  /** A cashier who joined by a QR code. */
  const rosa = async () => {
    await accept((await inviteByQr(dependencies, { merchantId })).token);
    return (await members()).find(({ email }) => email === null)!;
  };
  const till = await enrolTill(dependencies, { merchantId, personId: owner, label: 'Firefox' });
  const enter = (personId: string, typed = pin) =>
    signInWithPin(dependencies, { ...visitor, till, personId, pin: typed });
  return { ...world, world, owner, accept, members, rosa, enter };
}

const dead = { code: 'INVALID_STATE' };

test('lets somebody without e-mail join once, within a day, as a cashier without a session', async (context) => {
  const { dependencies, merchantId, clock, accept, members, enter } = await setUp(context);
  const { token } = await inviteByQr(dependencies, { merchantId });
  assert.equal(await accept(token), undefined, 'a PIN alone does not sign in');
  const [rosa] = (await members()).filter(({ email }) => email === null);
  assert.equal(rosa!.role, 'CASHIER');
  assert.equal((await enter(rosa!.personId)).kind, 'SIGNED_IN');
  await assert.rejects(accept(token), dead);
  const late = await inviteByQr(dependencies, { merchantId });
  clock.at += 24 * hourMs;
  await assert.rejects(accept(late.token), dead);
  assert.equal((await members()).length, 2);
});

test('never makes more than a cashier of somebody without e-mail', async (context) => {
  const { dependencies, merchantId, rosa, members } = await setUp(context);
  const { personId } = await rosa();
  const roles = ['OWNER', 'FINANCE', 'SUPPORT', 'DEVELOPER', 'VIEWER'] as const;
  for (const role of roles) {
    const raised = changeRole(dependencies, { merchantId, personId, role });
    await assert.rejects(raised, { code: 'INVALID_STATE' }, role);
  }
  const order = { merchantId, name: 'Balcão', permissions: ['refunds.create'], holds: () => true };
  const roleId = await createMerchantRole(dependencies, order);
  const own = changeRole(dependencies, { merchantId, personId, role: 'CUSTOM', roleId });
  await assert.rejects(own, { code: 'INVALID_STATE' });
  assert.equal((await members()).find((each) => each.personId === personId)!.role, 'CASHIER');
});

test('opens no link that was mailed with a PIN alone, and no QR code with a password', async (context) => {
  const { world, dependencies, merchantId, clock, owner, accept, members } = await setUp(context);
  const mailed = await invite(dependencies, { merchantId, role: 'OWNER', email: 'rui@loja.cv' });
  await assert.rejects(accept(mailed.token), dead);
  const { token } = await inviteByQr(dependencies, { merchantId });
  const { draft, secret } = codesForLink(
    dependencies,
    (await findInvitation(dependencies, mailed.token))!,
  );
  const code = codeNow(secret, clock.at);
  const proof = { kind: 'PASSWORD', password: goodPassword, draft, code } as const;
  const given = { ...visitor, token, name: 'Rosa', language: 'pt', proof } as const;
  await assert.rejects(acceptInvitation(dependencies, given), dead);
  const session = await signedIn(world, owner);
  const joining = joinTeam(dependencies, session, { ...visitor, token });
  await assert.rejects(joining, { code: 'FORBIDDEN' }, 'a member');
  assert.equal((await members()).length, 1);
});

test('gives a new PIN only to a member without e-mail, and ends what they had', async (context) => {
  const { dependencies, merchantId, owner, accept, rosa, enter } = await setUp(context);
  const mailed = inviteByQr(dependencies, { merchantId, personId: owner });
  await assert.rejects(mailed, { code: 'NOT_FOUND' }, 'a person with e-mail');
  const { personId } = await rosa();
  const before = await enter(personId);
  assert.ok(before.kind === 'SIGNED_IN');
  const first = await inviteByQr(dependencies, { merchantId, personId });
  const second = await inviteByQr(dependencies, { merchantId, personId });
  await assert.rejects(accept(first.token), dead, 'replaced by the second');
  await accept(second.token, '582714');
  assert.equal(await findSession(dependencies, before.token), undefined);
  assert.equal((await enter(personId)).kind, 'WRONG');
  assert.equal((await enter(personId, '582714')).kind, 'SIGNED_IN');
  const third = await inviteByQr(dependencies, { merchantId, personId });
  await removeMember(dependencies, { merchantId, personId });
  await assert.rejects(accept(third.token), dead, 'removed since');
});
