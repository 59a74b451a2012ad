/** Removing a credential ends the sessions that it opened. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { joined, peopleWorld, visitor } from '../../../test/support/people.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { invite, inviteByQr, listInvitations } from './invitations.ts';
import { changeRole, removeMember } from './members.ts';
import { markEnded } from './session-store.ts';
import { authorOf, findSession, openSession, requireOpen } from './sessions.ts';
import { deleteIdentity, insertIdentity, noteIdentityUse } from './sso/identity-store.ts';
import { staffTeam } from './teams.ts';
import { enrolTill, listTills } from './till-devices.ts';

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  await joined(world, 'ana@loja.cv');
  const { personId } = await joined(world, 'maria@loja.cv');
  const open = async (database = world.database) => {
    const opening = { ...visitor, personId, signedInWith: 'PASSKEY' } as const;
    return (await openSession(database, world.dependencies, opening))!;
  };
  const isOpen = async ({ token }: { token: string }) =>
    (await findSession(world.dependencies, token)) !== undefined;
  return { ...world, personId, open, isOpen };
}

const waiting = `
SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const waitForLocks = (database: Database, count: number) =>
  eventually(
    `${count} wait for a lock`,
    async () => (await database.query({ text: waiting })).length === count,
  );

test('signs a person out at a change of role, except in the session that made the change', async (context) => {
  const { dependencies, merchantId, personId, open, isOpen } = await setUp(context);
  const [before, own] = [await open(), await open()];
  await changeRole(dependencies, { merchantId, personId, role: 'OWNER' });
  assert.ok(await isOpen(before), 'the session existed before');
  await changeRole(dependencies, { merchantId, personId, role: 'VIEWER' }, own.id);
  assert.deepEqual([await isOpen(before), await isOpen(own)], [false, true]);
  await changeRole(dependencies, { merchantId, personId, role: 'FINANCE' });
  assert.equal(await isOpen(own), false);
});

test('leaves no invitation or shared phone of a member who is removed meanwhile', async (context) => {
  const { dependencies, database, merchantId, personId, open } = await setUp(context);
  const { id } = await open();
  const session = { id, personId };
  const order = { merchantId, role: 'OWNER', email: 'thief@evil.example' } as const;
  const till = { merchantId, personId, sessionId: id, label: 'Firefox' };
  const makers = [
    () => invite({ ...dependencies, session }, order),
    () => inviteByQr({ ...dependencies, session }, { merchantId }),
    () => enrolTill(dependencies, till),
  ];
  let late: Promise<unknown>[] = [];
  await database.transaction(async (transaction) => {
    await markEnded(transaction, session, dependencies.clock.nowMs());
    late = makers.map((make) => make());
    await waitForLocks(database, makers.length);
  });
  for (const { status } of await Promise.allSettled(late)) assert.equal(status, 'rejected');
  for (const make of makers) await assert.rejects(make(), { code: 'FORBIDDEN' });
  assert.deepEqual(await listInvitations(dependencies, { merchantId }), []);
  assert.deepEqual(await listTills(dependencies, { merchantId }), []);
});

test('revokes an invitation that was under way when its author was removed', async (context) => {
  const { dependencies, database, merchantId, personId, open } = await setUp(context);
  const session = { id: (await open()).id, personId };
  let removed: Promise<void> | undefined;
  await database.transaction(async (transaction) => {
    await requireOpen(transaction, session);
    removed = removeMember(dependencies, { merchantId, personId });
    await waitForLocks(database, 1);
    const inside = Object.assign(transaction, {
      transaction: (work: (own: Queryable) => unknown) => work(transaction),
    }) as unknown as Database;
    const author = { ...dependencies, ...authorOf(personId, visitor), database: inside, session };
    await invite(author, { merchantId, role: 'OWNER', email: 'thief@evil.example' });
  });
  await removed;
  assert.deepEqual(await listInvitations(dependencies, { merchantId }), []);
});

test('signs out a person removed from a merchant or the staff', async (context) => {
  const { dependencies, database, merchantId, personId, open, isOpen } = await setUp(context);
  const text = `INSERT INTO staff (person_id, role, created_at) VALUES ($1, 'FINANCE', now())`;
  await database.query({ text }, [personId]);
  for (const team of [{ merchantId }, staffTeam]) {
    const session = await open();
    await removeMember(dependencies, { ...team, personId });
    assert.equal(await isOpen(session), false);
  }
});

test('ends a session begun with an identity that was removed during sign-in', async (context) => {
  const { dependencies, database, clock, personId, isOpen } = await setUp(context);
  const identity = { issuer: 'https://login.example.cv', subject: '1' };
  await insertIdentity(database, identity, personId, clock.at);
  const [used, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const entering = database.transaction(async (transaction) => {
    await noteIdentityUse(transaction, identity, clock.at);
    used.resolve();
    await taken.promise;
    const sso = { ...identity, sid: null, authenticatedAtMs: null, box: () => Buffer.from('x') };
    const opening = { ...visitor, personId, signedInWith: 'SSO', sso } as const;
    return (await openSession(transaction, dependencies, opening))!;
  });
  await used.promise;
  const taking = database.transaction((transaction) =>
    deleteIdentity(transaction, personId, identity, clock.at),
  );
  await eventually('it waits', async () => {
    const text = `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await database.query<{ count: number }>({ text }))[0]!.count > 0;
  });
  taken.resolve();
  const session = await entering;
  assert.equal(await taking, true);
  assert.equal(await isOpen(session), false);
});
