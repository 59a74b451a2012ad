/** A PIN opens the till of one shop, to members who may charge there: what a thief of a shared phone cannot do. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  addMember,
  addPerson,
  auditOf,
  peopleWorld,
  signedIn,
  visitor,
} from '../../../test/support/people.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { changeRole } from './members.ts';
import type { Role } from './permissions.ts';
import { setPin, signInWithPin } from './pins.ts';
import { findSession, isFreshlyAuthenticated, markReauthenticated } from './sessions.ts';
import { enrolTill } from './till-devices.ts';

const hourMs = 3_600_000;
const pin = '274916';
const wrongPin = '918273';

async function setUp(context: TestContext, role: Role = 'SUPPORT') {
  const world = await peopleWorld(context);
  const { dependencies, database, merchantId } = world;
  const withPin = async (email: string, post: Role) => {
    const personId = await addPerson(world, email);
    await addMember(world, personId, post);
    const session = await signedIn(world, personId);
    await setPin(dependencies, session, { ...visitor, pin });
    return session;
  };
  const person = await withPin('maria@loja.cv', role);
  const { personId } = person;
  const till = await enrolTill(dependencies, { merchantId, personId, label: 'Firefox' });
  const enter = (typed = pin, who = personId, token: string | undefined = till) =>
    signInWithPin(dependencies, { ...visitor, till: token, personId: who, pin: typed });
  /** Enters with the right PIN. @returns the token of the session */
  const entered = async (who = personId) => {
    const result = await enter(pin, who);
    assert.ok(result.kind === 'SIGNED_IN', result.kind);
    return result.token;
  };
  return { ...world, world, database, person, personId, till, enter, entered, withPin };
}

test('locks a PIN after five wrong ones, even typed at once, until a full sign-in', async (context) => {
  const { world, enter, personId, database } = await setUp(context);
  const tries = await Promise.all(Array.from({ length: 12 }, () => enter(wrongPin)));
  const left = tries.flatMap((each) => (each.kind === 'WRONG' ? [each.left] : []));
  assert.deepEqual(
    left.sort((one, other) => one - other),
    [1, 2, 3, 4],
  );
  assert.equal(tries.filter(({ kind }) => kind === 'LOCKED').length, 8);
  const failures = (await auditOf(database)).filter(({ action }) => action === 'pin.failed');
  assert.equal(failures.length, 5);
  assert.deepEqual(await enter(), { kind: 'LOCKED' }, 'the right PIN');
  await signedIn(world, personId);
  assert.equal((await enter()).kind, 'SIGNED_IN');
});

test('counts only wrong PINs in a row, for each person alone', async (context) => {
  const { enter, withPin } = await setUp(context);
  for (let round = 0; round < 2; round++) {
    for (const left of [4, 3, 2, 1])
      assert.deepEqual(await enter(wrongPin), { kind: 'WRONG', left });
    assert.equal((await enter()).kind, 'SIGNED_IN');
  }
  const rui = await withPin('rui@loja.cv', 'CASHIER');
  for (let number = 0; number < 5; number++) await enter(wrongPin, rui.personId);
  assert.deepEqual(await enter(pin, rui.personId), { kind: 'LOCKED' });
  assert.equal((await enter()).kind, 'SIGNED_IN', 'the other person');
});

test('lets nobody unlock a PIN with a PIN', async (context) => {
  const { dependencies, enter, entered, personId } = await setUp(context);
  const session = (await findSession(dependencies, await entered()))!;
  for (let number = 0; number < 5; number++) await enter(wrongPin);
  assert.equal(await markReauthenticated(dependencies, { ...session, personId }), false);
  assert.deepEqual(await enter(), { kind: 'LOCKED' });
});

test('gives a session by PIN the rights of a cashier, whoever it is, and no proof of identity', async (context) => {
  const { dependencies, database, merchantId, clock, entered, withPin } = await setUp(context);
  for (const role of ['OWNER', 'SUPPORT', 'DEVELOPER', 'CASHIER'] as const) {
    const { personId } = await withPin(`${role.toLowerCase()}@loja.cv`, role);
    const text = `INSERT INTO staff (person_id, role, created_at) VALUES ($1, 'ADMIN', now())`;
    if (role === 'OWNER') await database.query({ text }, [personId]);
    const found = (await findSession(dependencies, await entered(personId)))!;
    const held = found.memberships.map((each) => [each.merchantId, each.role, each.permissions]);
    assert.deepEqual(held, [[merchantId, 'CASHIER', null]], role);
    assert.equal(found.staffRole, null, role);
    assert.equal(found.till!.merchantId, merchantId);
    assert.equal(isFreshlyAuthenticated(found, clock.at), false, role);
  }
});

test('opens only the shop of the phone, although the person belongs to two', async (context) => {
  const { world, dependencies, merchantId, personId, entered } = await setUp(context, 'OWNER');
  const other = await createMerchant(dependencies, 'Loja do Mindelo');
  await addMember({ ...world, merchantId: other.id }, personId, 'OWNER');
  const found = (await findSession(dependencies, await entered()))!;
  assert.deepEqual(
    found.memberships.map((each) => each.merchantId),
    [merchantId],
  );
});

test('takes a PIN only on a till of the shop, from members who may charge there', async (context) => {
  const { world, dependencies, merchantId, person, personId, enter, withPin } =
    await setUp(context);
  const nowhere = { kind: 'NOT_HERE' };
  assert.deepEqual(await enter(pin, personId, 'no-such-till'), nowhere);
  const noTill = { ...visitor, till: undefined, personId, pin };
  assert.deepEqual(await signInWithPin(dependencies, noTill), nowhere);
  const viewer = await withPin('rui@loja.cv', 'VIEWER');
  assert.deepEqual(await enter(pin, viewer.personId), nowhere, 'a viewer may not charge');
  const other = await createMerchant(dependencies, 'Loja do Mindelo');
  const stranger = await addPerson(world, 'ana@mindelo.cv');
  await addMember({ ...world, merchantId: other.id }, stranger, 'CASHIER');
  const theirs = await signedIn(world, stranger);
  await setPin(dependencies, theirs, { ...visitor, pin });
  assert.deepEqual(await enter(pin, stranger), nowhere, 'a cashier of another shop');
  const withoutPin = await addPerson(world, 'eva@loja.cv');
  await addMember(world, withoutPin, 'CASHIER');
  assert.deepEqual(await enter(pin, withoutPin), nowhere, 'no PIN');
  await changeRole(dependencies, { merchantId, personId: person.personId, role: 'VIEWER' });
  assert.deepEqual(await enter(), nowhere, 'may not charge any more');
});

test('ends a session by PIN 12 hours after it began, even in use', async (context) => {
  const { dependencies, clock, entered } = await setUp(context);
  const token = await entered();
  for (let hour = 1; hour < 12; hour++) {
    clock.at += hourMs;
    assert.ok(await findSession(dependencies, token), `after ${hour} hours`);
  }
  clock.at += hourMs;
  assert.equal(await findSession(dependencies, token), undefined);
});

test('ends the session of the person before when the person at a phone changes', async (context) => {
  const { dependencies, till, entered, withPin } = await setUp(context);
  const before = await entered();
  const rui = await withPin('rui@loja.cv', 'CASHIER');
  const replaced = (await findSession(dependencies, before))!;
  const given = { ...visitor, till, personId: rui.personId, pin, replaced };
  assert.equal((await signInWithPin(dependencies, given)).kind, 'SIGNED_IN');
  assert.equal(await findSession(dependencies, before), undefined);
});

test('ends the sessions of a person whose PIN changes, but not the one that changed the PIN', async (context) => {
  const { dependencies, world, personId, enter, entered } = await setUp(context);
  const byPin = await entered();
  const full = await signedIn(world, personId);
  await setPin(dependencies, full, { ...visitor, pin: '582714' });
  assert.equal(await findSession(dependencies, byPin), undefined);
  assert.ok(await findSession(dependencies, full.token));
  assert.equal((await enter()).kind, 'WRONG', 'the earlier PIN');
});

test('accepts six digits that are hard to guess, and stores them only as a slow hash', async (context) => {
  const { dependencies, database, person } = await setUp(context);
  for (const poor of ['12345', '1234567', '12a456', '', '111111', '123456', '987654', '456789']) {
    const set = setPin(dependencies, person, { ...visitor, pin: poor });
    await assert.rejects(set, { code: 'VALIDATION_ERROR' }, poor);
  }
  const text = `SELECT p::text AS whole FROM people p WHERE id = $1`;
  const [row] = await database.query<{ whole: string }>({ text }, [person.personId]);
  assert.match(row!.whole, /scrypt|argon/);
  assert.ok(!row!.whole.includes(pin));
});
