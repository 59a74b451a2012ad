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
import { formatId } from '../../platform/values/ids.ts';
import {
  endAllSessions,
  endOtherSessions,
  endSession,
  findSession,
  isFreshlyAuthenticated,
  listSessions,
  markReauthenticated,
  openSession,
} from './sessions.ts';

const hourMs = 3_600_000;

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  const personId = await addPerson(world, 'maria@loja.cv');
  await addMember(world, personId, 'OWNER');
  return { ...world, world, personId };
}

test('finds the session, the person and their permissions by token', async (context) => {
  const { world, dependencies, clock, personId, merchantId } = await setUp(context);
  const { token, id } = await signedIn(world, personId);
  assert.match(token, /^[\w-]{43}$/);
  assert.deepEqual(await findSession(dependencies, token), {
    id,
    personId,
    email: 'maria@loja.cv',
    name: 'Maria',
    language: 'pt',
    createdAtMs: clock.at,
    reauthenticatedAtMs: clock.at,
    signedInWith: 'PASSKEY',
    memberships: [
      {
        merchantId,
        merchantName: 'Loja da Praia',
        role: 'OWNER',
        roleName: null,
        permissions: null,
      },
    ],
    staffRole: null,
    till: null,
    sso: null,
  });
  assert.equal(await findSession(dependencies, `${token}x`), undefined);
  const [record] = await auditOf(world.database);
  const who = formatId('pe', personId);
  assert.deepEqual([record!.actor, record!.action], [`person:${who}`, 'person.signed_in']);
});

test('stores nothing that could sign anyone in', async (context) => {
  const { world, dependencies, database, personId } = await setUp(context);
  const { token } = await signedIn(world, personId);
  const [row] = await database.query<{ whole: string; hash: string }>({
    text: `SELECT s::text AS whole, encode(token_hash, 'base64') AS hash FROM person_sessions s`,
  });
  assert.ok(!row!.whole.includes(token));
  assert.equal(await findSession(dependencies, row!.hash), undefined);
});

test('refuses a stolen token after its owner has signed out', async (context) => {
  const { world, dependencies, personId } = await setUp(context);
  const { token, id } = await signedIn(world, personId);
  assert.equal(await endSession(dependencies, { personId, id }), true);
  assert.equal(await findSession(dependencies, token), undefined);
  assert.equal(await endSession(dependencies, { personId, id }), false);
  assert.deepEqual(
    (await auditOf(world.database)).map(({ action }) => action),
    ['person.signed_in', 'person.signed_out'],
  );
});

test('lets nobody end or confirm another person’s session', async (context) => {
  const { world, dependencies, personId } = await setUp(context);
  const { token, id } = await signedIn(world, personId);
  const other = await addPerson(world, 'rui@loja.cv');
  assert.equal(await endSession(dependencies, { personId: other, id }), false);
  assert.equal(await markReauthenticated(dependencies, { personId: other, id }), false);
  assert.ok(await findSession(dependencies, token));
});

test('ends a session twelve hours after its last use, and after thirty days', async (context) => {
  const { world, dependencies, clock, personId } = await setUp(context);
  const idle = await signedIn(world, personId);
  clock.at += 12 * hourMs - 1;
  assert.ok(await findSession(dependencies, idle.token));
  clock.at += 12 * hourMs;
  assert.equal(await findSession(dependencies, idle.token), undefined);
  const used = await signedIn(world, personId);
  for (let hours = 0; hours < 30 * 24; hours += 11) {
    assert.ok(await findSession(dependencies, used.token), `after ${hours} hours`);
    clock.at += 11 * hourMs;
  }
  assert.equal(await findSession(dependencies, used.token), undefined);
  assert.deepEqual(await listSessions(dependencies, personId), []);
});

test('records its use once a minute', async (context) => {
  const { world, dependencies, clock, personId } = await setUp(context);
  const { token } = await signedIn(world, personId);
  const start = clock.at;
  const seen = async () => (await listSessions(dependencies, personId))[0]!.lastSeenAtMs - start;
  clock.at = start + 59_000;
  await findSession(dependencies, token);
  assert.equal(await seen(), 0);
  clock.at = start + 61_000;
  await findSession(dependencies, token);
  assert.equal(await seen(), 61_000);
});

test('locks out a disabled or removed person at once', async (context) => {
  const { world, dependencies, database, personId } = await setUp(context);
  const { token } = await signedIn(world, personId);
  await database.query({ text: 'DELETE FROM memberships' });
  assert.deepEqual((await findSession(dependencies, token))?.memberships, []);
  await database.query({ text: 'UPDATE people SET disabled_at = now()' });
  assert.equal(await findSession(dependencies, token), undefined);
  const opening = { ...visitor, personId, signedInWith: 'PASSKEY' } as const;
  assert.equal(await openSession(database, dependencies, opening), undefined);
  await database.query({ text: 'DELETE FROM people' });
  assert.equal(await findSession(dependencies, token), undefined);
});

test('lists all sessions, and ends all others or all', async (context) => {
  const { world, dependencies, clock, database, personId } = await setUp(context);
  const first = await signedIn(world, personId);
  clock.at += 1_000;
  const opening = { address: null, userAgent: 'x'.repeat(900), personId } as const;
  const second = await openSession(database, dependencies, {
    ...opening,
    signedInWith: 'PASSWORD',
  });
  const listed = await listSessions(dependencies, personId);
  assert.deepEqual(
    listed.map(({ id, address, userAgent }) => [id, address, userAgent?.length]),
    [
      [second!.id, null, 200],
      [first.id, visitor.address, visitor.userAgent!.length],
    ],
  );
  assert.equal(await endOtherSessions(dependencies, first), 1);
  assert.equal(await findSession(dependencies, second!.token), undefined);
  assert.ok(await findSession(dependencies, first.token));
  assert.equal(await endAllSessions(dependencies, personId), 1);
  assert.equal(await findSession(dependencies, first.token), undefined);
});

test('needs no new confirmation of identity for ten minutes', async (context) => {
  const { world, dependencies, clock, personId } = await setUp(context);
  const session = await signedIn(world, personId);
  const isFresh = async () =>
    isFreshlyAuthenticated((await findSession(dependencies, session.token))!, clock.at);
  clock.at += 599_000;
  assert.equal(await isFresh(), true);
  clock.at += 1_000;
  assert.equal(await isFresh(), false);
  assert.equal(await markReauthenticated(dependencies, session), true);
  assert.equal(await isFresh(), true);
});
