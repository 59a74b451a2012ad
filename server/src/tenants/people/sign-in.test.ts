import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import {
  auditOf,
  goodPassword,
  joined,
  peopleWorld,
  visitor,
} from '../../../test/support/people.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { findPersonByEmail, takeRecoveryCode, takeStep } from './account-store.ts';
import { disablePerson } from './members.ts';
import { codeNow, hashRecoveryCode } from './one-time-codes.ts';
import { endSession, findSession } from './sessions.ts';
import { reauthenticateWithPassword, signInWithPassword } from './sign-in.ts';

const email = 'maria@loja.cv';

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  const person = await joined(world, email);
  const { dependencies, clock } = world;
  const right = () => ({
    ...visitor,
    email,
    password: goodPassword,
    code: codeNow(person.secret, clock.at),
  });
  type Given = Partial<Parameters<typeof signInWithPassword>[1]>;
  const signIn = (given: Given = {}) => signInWithPassword(dependencies, { ...right(), ...given });
  const fail = (given: Given = {}) => signIn({ password: 'wrong wrong wrong', ...given });
  return { ...world, world, person, signIn, fail };
}

test('signs in with password and code, in any spelling of the e-mail', async (context) => {
  const { dependencies, person, signIn } = await setUp(context);
  const result = await signIn({ email: ' Maria@LOJA.cv ' });
  assert.ok(result.kind === 'SIGNED_IN');
  const session = await findSession(dependencies, result.token);
  assert.deepEqual([session!.personId, session!.signedInWith], [person.personId, 'PASSWORD']);
});

test('signs in with an accented e-mail, composed or decomposed', async (context) => {
  const { dependencies, world, clock, signIn } = await setUp(context);
  const { personId, secret } = await joined(world, 'José@Café.cv');
  for (const typed of ['JOSÉ@CAFÉ.cv', ' Jose\u0301@xn--CAF-dma.cv ']) {
    assert.equal((await findPersonByEmail(dependencies.database, typed))?.id, personId, typed);
  }
  const code = codeNow(secret, clock.at);
  const result = await signIn({ email: 'JOSE\u0301@CAFE\u0301.CV', code });
  assert.equal(result.kind === 'SIGNED_IN' && result.personId, personId);
});

test('gives the same answer for every kind of mistake', async (context) => {
  const { signIn, person, dependencies, compared } = await setUp(context);
  const tries = [
    { password: 'wrong wrong wrong' },
    { code: '000000' },
    { code: '' },
    { email: 'nobody@loja.cv' },
    { email: 'no e-mail at all' },
    { email: 'x'.repeat(100_000), password: 'x'.repeat(100_000), code: 'x'.repeat(100_000) },
  ];
  for (const given of tries) {
    const before = compared.count;
    assert.deepEqual(await signIn(given), { kind: 'WRONG' });
    assert.equal(compared.count, before + 1, 'each costs one hash');
  }
  await disablePerson(dependencies, person.personId, true);
  assert.deepEqual(await signIn(), { kind: 'WRONG' });
});

test('accepts a code once, even for two uses at once', async (context) => {
  const { signIn, clock } = await setUp(context);
  const kinds = (await Promise.all([signIn(), signIn(), signIn()])).map(({ kind }) => kind);
  assert.deepEqual(kinds.sort(), ['SIGNED_IN', 'WRONG', 'WRONG']);
  assert.equal((await signIn()).kind, 'WRONG');
  clock.at += 30_000;
  assert.equal((await signIn()).kind, 'SIGNED_IN');
});

test('accepts a code from the first of two users', async (context) => {
  const { database, person, clock } = await setUp(context);
  const { personId } = person;
  const hashed = 'SELECT password_hash AS "passwordHash" FROM people';
  const [stored] = await database.query<{ passwordHash: string }>({ text: hashed });
  const { passwordHash } = stored!;
  const checked = { personId, passwordHash };
  const step = Math.floor(clock.at / 30_000);
  const codeHash = hashRecoveryCode(person.recoveryCodes[0]!);
  // Both have passed all other checks: only this statement decides.
  const took = async (take: (transaction: Queryable) => Promise<boolean>) => [
    await database.transaction(take),
    await database.transaction(take),
  ];
  assert.deepEqual(await took((transaction) => takeStep(transaction, checked, step)), [
    true,
    false,
  ]);
  assert.deepEqual(
    await took((transaction) => takeRecoveryCode(transaction, checked, codeHash, clock.at)),
    [true, false],
  );
});

test('refuses a password that was replaced meanwhile', async (context) => {
  const { database, person, clock } = await setUp(context);
  const { personId } = person;
  const codeHash = hashRecoveryCode(person.recoveryCodes[0]!);
  // The password was compared with the stored hash; since then, the hash was replaced or removed.
  for (const passwordHash of ['of another password', null]) {
    const checked = { personId, passwordHash };
    const took = await database.transaction(async (transaction) => [
      await takeStep(transaction, checked, Math.floor(clock.at / 30_000)),
      await takeRecoveryCode(transaction, checked, codeHash, clock.at),
    ]);
    assert.deepEqual(took, [false, false]);
  }
});

test('accepts a recovery code once', async (context) => {
  const { signIn, person } = await setUp(context);
  const [code, another] = person.recoveryCodes as [string, string];
  const kinds = (await Promise.all([signIn({ code }), signIn({ code })])).map(({ kind }) => kind);
  assert.deepEqual(kinds.sort(), ['SIGNED_IN', 'WRONG']);
  assert.equal((await signIn({ code })).kind, 'WRONG');
  assert.equal((await signIn({ code: another, password: 'wrong wrong wrong' })).kind, 'WRONG');
  assert.equal((await signIn({ code: another.toUpperCase() })).kind, 'SIGNED_IN');
});

test('examines few of a thousand tries from one address', async (context) => {
  const { fail, signIn, compared, clock } = await setUp(context);
  const before = compared.count;
  for (let number = 0; number < 1_000; number++) {
    const { kind } = await fail({ email: `person${number}@loja.cv` });
    assert.equal(kind, number < 30 ? 'WRONG' : 'TOO_MANY');
  }
  assert.equal(compared.count - before, 30);
  const refused = await signIn();
  assert.ok(refused.kind === 'TOO_MANY' && refused.retryInMs > 0);
  clock.at += refused.retryInMs;
  assert.equal((await signIn()).kind, 'SIGNED_IN', 'after the pause it works again');
});

const addressOf = (number: number) => `198.18.${number >> 8}.${number & 255}`;

test('examines few of a thousand tries from as many addresses on one account', async (context) => {
  const { fail, signIn, compared, clock } = await setUp(context);
  for (const tried of [email, 'nobody@loja.cv']) {
    const before = compared.count;
    for (let number = 0; number < 1_000; number += 20) {
      const addresses = Array.from({ length: 20 }, (_, index) => addressOf(number + index));
      await Promise.all(addresses.map((address) => fail({ email: tried, address })));
    }
    assert.equal(compared.count - before, 5, tried);
  }
  const [known, unknown] = [await signIn(), await signIn({ email: 'nobody@loja.cv' })];
  assert.deepEqual(known, unknown);
  assert.ok(known.kind === 'TOO_MANY');
  clock.at += known.retryInMs;
  assert.equal((await signIn()).kind, 'SIGNED_IN', 'after the pause it works again');
});

test('increases pauses to a quarter of an hour, and forgets them after a day', async (context) => {
  const { fail, signIn, clock } = await setUp(context);
  let number = 0;
  const next = () => fail({ address: addressOf(number++) });
  for (let free = 0; free < 4; free++) assert.equal((await next()).kind, 'WRONG');
  const pauses: number[] = [];
  while (pauses.length < 7) {
    assert.equal((await next()).kind, 'WRONG');
    const held = await next();
    assert.ok(held.kind === 'TOO_MANY');
    pauses.push(held.retryInMs / 1_000);
    clock.at += held.retryInMs;
  }
  assert.deepEqual(pauses, [30, 60, 120, 240, 480, 900, 900]);
  clock.at += 24 * 3_600_000;
  for (let free = 0; free < 4; free++) await next();
  assert.equal((await signIn()).kind, 'SIGNED_IN');
});

test('does not let strangers slow down a person on a known device', async (context) => {
  const { fail, signIn, person, clock } = await setUp(context);
  for (let number = 0; number < 6; number++) await fail({ address: addressOf(number) });
  const { device } = person;
  assert.equal((await signIn()).kind, 'TOO_MANY');
  const [id, mac] = device.split('.') as [string, string];
  for (const forged of [`${id}.`, `x${id}.${mac}`, `${id}.${mac}x`, 'x', '.']) {
    assert.equal((await signIn({ device: forged })).kind, 'TOO_MANY', forged);
  }
  assert.equal((await fail({ device, email: 'rui@loja.cv' })).kind, 'WRONG');
  assert.equal((await signIn({ device })).kind, 'SIGNED_IN');
  clock.at += 30_000;
  for (let number = 0; number < 5; number++) await fail({ device, address: addressOf(number) });
  assert.equal((await signIn({ device })).kind, 'TOO_MANY', 'a stolen device has its own limit');
});

test('records guessing once, not for each try', async (context) => {
  const { fail, database, clock } = await setUp(context);
  for (let number = 0; number < 40; number++) {
    await fail({ address: addressOf(number) });
    if (number % 10 === 9) clock.at += 900_000;
  }
  const failed = async () =>
    (await auditOf(database)).filter(({ action }) => action === 'person.sign_in_failed');
  await eventually('it is recorded', async () => (await failed()).length > 0);
  assert.deepEqual(
    (await failed()).map(({ actor }) => actor),
    ['stranger'],
  );
});

test('keeps personal data out of the audit log', async (context) => {
  const { signIn, database } = await setUp(context);
  await signIn();
  const all = (await auditOf(database)).map(({ whole }) => whole).join('\n');
  assert.match(all, /person\.joined/);
  for (const hidden of ['maria@', 'Maria', goodPassword]) assert.ok(!all.includes(hidden), hidden);
});

test('refuses a stolen cookie after sign-out', async (context) => {
  const { dependencies, person, signIn } = await setUp(context);
  const result = await signIn();
  assert.ok(result.kind === 'SIGNED_IN');
  const { personId } = person;
  await endSession(dependencies, { personId, id: result.sessionId });
  assert.equal(await findSession(dependencies, result.token), undefined);
});

test('confirms the identity of a signed-in person with separate tries', async (context) => {
  const { dependencies, person, clock, fail } = await setUp(context);
  const session = { id: person.sessionId, personId: person.personId };
  for (let number = 0; number < 6; number++) await fail({ address: addressOf(number) });
  const prove = (given = {}) =>
    reauthenticateWithPassword(dependencies, session, {
      ...visitor,
      password: goodPassword,
      code: codeNow(person.secret, clock.at),
      ...given,
    });
  assert.deepEqual(await prove({ password: 'wrong wrong wrong' }), { kind: 'WRONG' });
  clock.at += 3_000;
  assert.deepEqual(await prove(), { kind: 'PROVEN' });
  const found = await findSession(dependencies, person.token);
  assert.equal(found!.reauthenticatedAtMs, clock.at);
  assert.deepEqual(await prove(), { kind: 'WRONG' }, 'the code was used');
  for (let number = 0; number < 4; number++) await prove({ code: '000000' });
  clock.at += 30_000 - 1;
  assert.equal((await prove()).kind, 'TOO_MANY');
  clock.at += 1;
  assert.equal((await prove()).kind, 'PROVEN');
});
