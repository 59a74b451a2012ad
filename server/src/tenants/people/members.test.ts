import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  addMember,
  addPerson,
  auditOf,
  joined,
  peopleWorld,
} from '../../../test/support/people.ts';
import { changeRole, disablePerson, listMembers, removeMember, removePerson } from './members.ts';
import { findSession } from './sessions.ts';

async function setUp(context: TestContext, owners = 2) {
  const world = await peopleWorld(context);
  const { dependencies, merchantId } = world;
  const people: string[] = [];
  for (let number = 0; number < owners; number++) {
    const personId = await addPerson(world, `owner${number}@loja.cv`);
    await addMember(world, personId, 'OWNER');
    people.push(personId);
  }
  const rolesNow = async () =>
    (await listMembers(dependencies, { merchantId })).map(({ role }) => role).sort();
  return { ...world, world, people, rolesNow };
}

test('keeps one owner when owners remove or demote each other at once', async (context) => {
  const { dependencies, database, merchantId, people, rolesNow, world } = await setUp(context, 8);
  for (let round = 0; round < 5; round++) {
    await database.query({ text: 'DELETE FROM memberships' });
    for (const personId of people) await addMember(world, personId, 'OWNER');
    const attempts = people.map((personId, index) =>
      index % 2 === 0
        ? removeMember(dependencies, { merchantId, personId })
        : changeRole(dependencies, { merchantId, personId, role: 'VIEWER' }),
    );
    const results = await Promise.allSettled(attempts);
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1);
    assert.equal((refused[0] as PromiseRejectedResult).reason.code, 'INVALID_STATE');
    assert.equal((await rolesNow()).filter((role) => role === 'OWNER').length, 1);
  }
});

test('does not count a disabled owner', async (context) => {
  const { dependencies, merchantId, people } = await setUp(context);
  const [first, second] = people as [string, string];
  await disablePerson(dependencies, first, true);
  const member = { merchantId, personId: second };
  await assert.rejects(removeMember(dependencies, member), { code: 'INVALID_STATE' });
  await disablePerson(dependencies, first, false);
  await removeMember(dependencies, member);
});

test('changes roles and removes members, with a record for each', async (context) => {
  const { dependencies, database, merchantId, people, rolesNow } = await setUp(context);
  const personId = people[1]!;
  await changeRole(dependencies, { merchantId, personId, role: 'SUPPORT' });
  await changeRole(dependencies, { merchantId, personId, role: 'SUPPORT' });
  assert.deepEqual(await rolesNow(), ['OWNER', 'SUPPORT']);
  await removeMember(dependencies, { merchantId, personId });
  await assert.rejects(removeMember(dependencies, { merchantId, personId }), { code: 'NOT_FOUND' });
  const missing = changeRole(dependencies, { merchantId, personId, role: 'OWNER' });
  await assert.rejects(missing, { code: 'NOT_FOUND' });
  assert.deepEqual(
    (await auditOf(database)).map(({ action }) => action),
    ['person.role_changed', 'person.removed'],
  );
});

test('does not change members through another merchant', async (context) => {
  const { dependencies, people } = await setUp(context);
  const elsewhere = { merchantId: dependencies.ids.next(0), personId: people[0]! };
  await assert.rejects(removeMember(dependencies, elsewhere), { code: 'NOT_FOUND' });
});

test('leaves no data of a removed person', async (context) => {
  const { dependencies, database, world } = await setUp(context, 1);
  const { personId, token } = await joined(world, 'maria@loja.cv');
  await removePerson(dependencies, personId);
  assert.equal(await findSession(dependencies, token), undefined);
  const tables = ['people', 'passkeys', 'recovery_codes', 'memberships', 'person_sessions'];
  for (const table of tables) {
    const column = table === 'people' ? 'id' : 'person_id';
    const text = `SELECT FROM ${table} WHERE ${column} = $1`;
    assert.deepEqual(await database.query({ text }, [personId]), [], table);
  }
  const text = "SELECT FROM invitations WHERE email LIKE 'maria%'";
  assert.deepEqual(await database.query({ text }), []);
  await assert.rejects(removePerson(dependencies, personId), { code: 'NOT_FOUND' });
});

test('keeps the account of the last owner of a merchant', async (context) => {
  const { dependencies, people, rolesNow } = await setUp(context, 1);
  await assert.rejects(removePerson(dependencies, people[0]!), { code: 'INVALID_STATE' });
  assert.deepEqual(await rolesNow(), ['OWNER']);
});

test('locks a disabled person out at once, and can enable them again', async (context) => {
  const { dependencies, world } = await setUp(context);
  const { personId, token } = await joined(world, 'maria@loja.cv');
  assert.equal(await disablePerson(dependencies, personId, true), true);
  assert.equal(await disablePerson(dependencies, personId, true), false);
  assert.equal(await findSession(dependencies, token), undefined);
  await disablePerson(dependencies, personId, false);
  assert.equal(await findSession(dependencies, token), undefined, 'the session does not come back');
});
