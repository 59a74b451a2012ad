import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Authenticator } from '../../../test/support/authenticator.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { joined, peopleWorld, visitor } from '../../../test/support/people.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { disablePerson } from './members.ts';
import { renamePasskey } from './passkey-label.ts';
import { deletePasskey } from './passkey-store.ts';
import {
  addPasskey,
  listPasskeys,
  passkeyCreation,
  passkeyReauthentication,
  passkeySignIn,
  reauthenticateWithPasskey,
  removePasskey,
  signInWithPasskey,
} from './passkeys.ts';
import { findSession } from './sessions.ts';
import { signInRate } from './sign-in.ts';

const email = 'maria@loja.cv';

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  const { dependencies } = world;
  const person = await joined(world, email);
  const { personId } = person;
  const session = { id: person.sessionId, personId };
  const add = async (device: Authenticator, label = 'Telemóvel') => {
    const options = await passkeyCreation(dependencies, { id: personId, email, name: 'Maria' });
    const response = device.create(options);
    return addPasskey(dependencies, session, { ...visitor, response, label });
  };
  const device = new Authenticator(dependencies.consoleUrl);
  const signIn = async (from = device) =>
    signInWithPasskey(dependencies, {
      ...visitor,
      response: from.get(await passkeySignIn(dependencies)),
    });
  return { ...world, person, session, add, device, signIn };
}

test('signs in with any passkey of a person, without a user name', async (context) => {
  const { dependencies, person, add, device, signIn } = await setUp(context);
  const second = new Authenticator(dependencies.consoleUrl);
  await add(device);
  await add(second, 'Portátil');
  for (const each of [device, second, device]) {
    const result = await signIn(each);
    assert.ok(result.kind === 'SIGNED_IN');
    const session = await findSession(dependencies, result.token);
    assert.deepEqual([session!.personId, session!.signedInWith], [person.personId, 'PASSKEY']);
  }
  const listed = await listPasskeys(dependencies, person.personId);
  assert.deepEqual(
    listed.map(({ label }) => label),
    ['Telemóvel', 'Portátil'],
  );
});

test('accepts a response once, within five minutes, and only for its purpose', async (context) => {
  const { dependencies, clock, session, add, device } = await setUp(context);
  device.counts = false;
  await add(device);
  const response = device.get(await passkeySignIn(dependencies));
  const signIn = (given: typeof response) =>
    signInWithPasskey(dependencies, { ...visitor, response: given });
  assert.equal((await signIn(response)).kind, 'SIGNED_IN');
  assert.equal((await signIn(response)).kind, 'WRONG', 'used before');
  const late = device.get(await passkeySignIn(dependencies));
  const asked = device.get(await passkeyReauthentication(dependencies, session));
  clock.at += 5 * 60_000;
  assert.equal((await signIn(late)).kind, 'WRONG', 'it is late');
  clock.at -= 1;
  assert.equal((await signIn(asked)).kind, 'WRONG', 'it proves a session');
});

test('refuses a passkey of another site, or without user verification', async (context) => {
  const { dependencies, add, device, signIn } = await setUp(context);
  await assert.rejects(add(new Authenticator('https://pay.example.com')), {
    code: 'VALIDATION_ERROR',
  });
  const careless = new Authenticator(dependencies.consoleUrl);
  careless.verifies = false;
  await assert.rejects(add(careless), { code: 'VALIDATION_ERROR' });
  await add(device);
  device.verifies = false;
  assert.equal((await signIn()).kind, 'WRONG');
  assert.equal((await signIn(new Authenticator(dependencies.consoleUrl))).kind, 'WRONG');
});

test('detects a copied passkey by its counter', async (context) => {
  const { add, device, signIn } = await setUp(context);
  await add(device);
  device.counter = 7;
  assert.equal((await signIn()).kind, 'SIGNED_IN');
  device.counter = 3;
  assert.equal((await signIn()).kind, 'WRONG');
});

test('refuses the passkeys of a disabled person', async (context) => {
  const { dependencies, person, add, device, signIn } = await setUp(context);
  await add(device);
  await disablePerson(dependencies, person.personId, true);
  assert.equal((await signIn()).kind, 'WRONG');
});

test('treats a malformed response as wrong', async (context) => {
  const { dependencies } = await setUp(context);
  for (const response of [{}, { id: 7 }, { id: '' }, { id: 'x', response: null }, null]) {
    const given = { ...visitor, response: response as never };
    assert.equal((await signInWithPasskey(dependencies, given)).kind, 'WRONG');
  }
});

test('confirms a session only with a passkey of its own person', async (context) => {
  const { dependencies, clock, person, session, add, device, ...world } = await setUp(context);
  await add(device);
  clock.at += 3_600_000;
  const other = await joined({ ...world, dependencies, clock }, 'rui@loja.cv');
  const otherSession = { id: other.sessionId, personId: other.personId };
  const foreign = device.get(await passkeyReauthentication(dependencies, otherSession));
  const { kind } = await reauthenticateWithPasskey(dependencies, otherSession, foreign);
  assert.equal(kind, 'WRONG');
  const response = device.get(await passkeyReauthentication(dependencies, session));
  assert.equal((await reauthenticateWithPasskey(dependencies, session, response)).kind, 'PROVEN');
  assert.equal((await findSession(dependencies, person.token))!.reauthenticatedAtMs, clock.at);
});

test('keeps the only way to sign in', async (context) => {
  const { dependencies, database, person, session, add, device } = await setUp(context);
  const { personId } = person;
  const id = await add(device);
  const remove = (key: string) => removePasskey(dependencies, session, { ...visitor, id: key });
  await remove(id);
  const last = await add(new Authenticator(dependencies.consoleUrl));
  await database.query({ text: 'UPDATE people SET password_hash = NULL' });
  await assert.rejects(remove(last), { code: 'INVALID_STATE' });
  assert.equal((await listPasskeys(dependencies, personId)).length, 1);
});

test('ends the sessions of a removed passkey, and those that it may have confirmed', async (context) => {
  const { dependencies, person, session, add, device, signIn } = await setUp(context);
  const id = await add(device);
  const theft = await signIn();
  assert.ok(theft.kind === 'SIGNED_IN');
  await removePasskey(dependencies, session, { ...visitor, id });
  assert.equal(await findSession(dependencies, theft.token), undefined);
  assert.ok(await findSession(dependencies, person.token), 'who removed it stays');
  assert.equal((await signIn()).kind, 'WRONG');
});

test('keeps one of two passkeys removed at once', async (context) => {
  const { dependencies, database, person, add } = await setUp(context);
  const { personId } = person;
  const first = await add(new Authenticator(dependencies.consoleUrl));
  const second = await add(new Authenticator(dependencies.consoleUrl));
  await database.query({ text: 'UPDATE people SET password_hash = NULL' });
  let other: Promise<string | undefined> = Promise.resolve(undefined);
  await database.transaction(async (transaction) => {
    assert.equal(await deletePasskey(transaction, personId, first), 'Telemóvel');
    let isOver = false;
    other = deletePasskey(database, personId, second).finally(() => {
      isOver = true;
    });
    await eventually('the other waits', async () => isOver || (await isSomebodyWaiting(database)));
  });
  assert.equal(await other, undefined);
  assert.equal((await listPasskeys(dependencies, personId)).length, 1);
});

async function isSomebodyWaiting(database: Database): Promise<boolean> {
  const text = `
SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await database.query({ text })).length > 0;
}

test('lets only its person rename a passkey', async (context) => {
  const world = await setUp(context);
  const { dependencies, person, add, device } = world;
  const id = await add(device);
  const { personId } = person;
  const rui = await joined(world, 'rui@loja.cv');
  const others = renamePasskey(dependencies, { personId: rui.personId, id }, 'mine');
  await assert.rejects(others, { code: 'INVALID_STATE' });
  await renamePasskey(dependencies, { personId, id }, `  ${'🔑'.repeat(70)}`);
  const [renamed] = await listPasskeys(dependencies, personId);
  assert.equal(renamed!.label, '🔑'.repeat(60));
});

test('does not slow down a person on a known device because of strangers at the same address', async (context) => {
  const { dependencies, person, add, device, signIn } = await setUp(context);
  await add(device);
  for (let tries = 0; tries < signInRate.burst; tries++) await signIn(new Authenticator('x:'));
  assert.equal((await signIn()).kind, 'TOO_MANY');
  const onDevice = async (cookie: string) => {
    const response = device.get(await passkeySignIn(dependencies));
    const given = { ...visitor, response, device: cookie };
    return (await signInWithPasskey(dependencies, given)).kind;
  };
  assert.equal(await onDevice(person.device), 'SIGNED_IN');
  assert.equal(await onDevice('x.x'), 'TOO_MANY');
});
