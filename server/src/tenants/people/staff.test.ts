import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addMember, addPerson, auditOf, peopleWorld } from '../../../test/support/people.ts';
import { formatId } from '../../platform/values/ids.ts';
import { findInvitation, invite } from './invitations.ts';
import { insertMember } from './member-store.ts';
import { changeRole, disablePerson, listMembers, removeMember, removePerson } from './members.ts';
import {
  parseStaffRole,
  type StaffRole,
  staffCan,
  staffOpens,
  staffPermissions,
  staffRoles,
} from './staff-permissions.ts';
import { staffTeam } from './teams.ts';

const page = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'staff.md');

test('the page on the staff shows who may do what', () => {
  const [, shown] = readFileSync(page, 'utf8').split(
    /<!-- (?:permissions: .*|end of permissions) -->\n/,
  );
  const titleOf = (role: StaffRole) => role[0] + role.slice(1).toLowerCase();
  const rows = staffPermissions.map((permission) => [
    staffOpens(permission),
    `\`${permission}\``,
    ...staffRoles.map((role) => (staffCan(role, permission) ? '✓' : '')),
  ]);
  const lines = [
    ['', 'Permission', ...staffRoles.map(titleOf)],
    ['---', '---', ...staffRoles.map(() => '---')],
    ...rows,
  ].map(
    (cells) => `|${cells.map((cell) => (cell.startsWith('-') ? cell : ` ${cell} `)).join('|')}|`,
  );
  assert.equal(shown, `\n${lines.join('\n')}\n\n`);
});

test('allows administrators everything, auditors no changes, and only administrators to change the staff', () => {
  assert.deepEqual(
    staffPermissions.filter((permission) => !staffCan('ADMIN', permission)),
    [],
  );
  const writing = staffPermissions.filter((permission) => !permission.endsWith('.read'));
  for (const permission of writing) assert.ok(!staffCan('AUDITOR', permission), permission);
  assert.ok(!staffCan('AUDITOR', 'phones.read'));
  for (const role of staffRoles.filter((each) => each !== 'ADMIN')) {
    assert.ok(!staffCan(role, 'staff.write') && !staffCan(role, 'admin_keys.write'), role);
  }
  assert.deepEqual([parseStaffRole('finance'), parseStaffRole('root')], ['FINANCE', undefined]);
});

async function setUp(context: TestContext, admins = 2) {
  const world = await peopleWorld(context);
  const people: string[] = [];
  for (let number = 0; number < admins; number++) {
    const personId = await addPerson(world, `admin${number}@gateway.cv`);
    await insertMember(world.database, { ...staffTeam, role: 'ADMIN', personId }, world.clock.at);
    people.push(personId);
  }
  return { ...world, world, people };
}

test('keeps one administrator when administrators remove or demote each other at once', async (context) => {
  const { dependencies, people } = await setUp(context, 8);
  const attempts = people.map((personId, index) =>
    index % 2 === 0
      ? removeMember(dependencies, { ...staffTeam, personId })
      : changeRole(dependencies, { ...staffTeam, personId, role: 'AUDITOR' }),
  );
  const refused = (await Promise.allSettled(attempts)).filter(
    ({ status }) => status === 'rejected',
  );
  assert.equal(refused.length, 1);
  const left = (await listMembers(dependencies, staffTeam)).filter(({ role }) => role === 'ADMIN');
  assert.equal(left.length, 1);
});

test('keeps the account of the last administrator, not counting disabled ones', async (context) => {
  const { dependencies, people } = await setUp(context);
  const [first, second] = people as [string, string];
  await disablePerson(dependencies, first, true);
  const last = removePerson(dependencies, second);
  await assert.rejects(last, { code: 'INVALID_STATE' });
  await disablePerson(dependencies, first, false);
  await removePerson(dependencies, second);
  assert.deepEqual(
    (await listMembers(dependencies, staffTeam)).map(({ personId }) => personId),
    [first],
  );
});

test('separates the staff from the members of a merchant', async (context) => {
  const { dependencies, people, merchantId, world } = await setUp(context);
  const [personId] = people as [string];
  await addMember(world, personId, 'OWNER');
  await assert.rejects(removeMember(dependencies, { merchantId, personId }), {
    code: 'INVALID_STATE',
  });
  await removeMember(dependencies, { ...staffTeam, personId });
  assert.equal((await listMembers(dependencies, { merchantId })).length, 1);
  assert.equal((await listMembers(dependencies, staffTeam)).length, 1);
});

test('revokes the invitations of a removed or demoted person, to the staff and to other people’s merchants', async (context) => {
  const { dependencies, people, merchantId, world } = await setUp(context, 3);
  const opens = async (token: string) => (await findInvitation(dependencies, token)) !== undefined;
  const invitedBy = async (personId: string) => {
    const author = { ...dependencies, actor: `person:${formatId('pe', personId)}` };
    const toStaff = await invite(author, {
      ...staffTeam,
      role: 'ADMIN',
      email: `a${personId}@x.cv`,
    });
    const order = { merchantId, role: 'OWNER', email: `b${personId}@x.cv` } as const;
    return [toStaff.token, (await invite(author, order)).token] as const;
  };
  const [removed, demoted, owner] = people as [string, string, string];
  const ofRemoved = await invitedBy(removed);
  const ofDemoted = await invitedBy(demoted);
  await removeMember(dependencies, { ...staffTeam, personId: removed });
  await changeRole(dependencies, { ...staffTeam, personId: demoted, role: 'OPERATIONS' });
  for (const token of [...ofRemoved, ofDemoted[0]]) assert.equal(await opens(token), false);
  await addMember(world, owner, 'OWNER');
  const another = await addPerson(world, 'another@gateway.cv');
  await insertMember(
    world.database,
    { ...staffTeam, role: 'ADMIN', personId: another },
    world.clock.at,
  );
  const [toStaff, toMerchant] = await invitedBy(owner);
  await removeMember(dependencies, { ...staffTeam, personId: owner });
  assert.deepEqual([await opens(toStaff), await opens(toMerchant)], [false, true]);
});

test('revokes the owner invitations of a demoted or locked-out administrator', async (context) => {
  const { dependencies, people, merchantId, world } = await setUp(context);
  const opens = async (token: string) => (await findInvitation(dependencies, token)) !== undefined;
  const admin = people[0]!;
  const operations = await addPerson(world, 'operations@gateway.cv');
  const post = { ...staffTeam, personId: operations } as const;
  await insertMember(world.database, { ...post, role: 'OPERATIONS' }, world.clock.at);
  const invitedBy = async (personId: string, number: number) => {
    const author = { ...dependencies, actor: `person:${formatId('pe', personId)}` };
    const order = { merchantId, role: 'OWNER', email: `elsewhere${number}@x.cv` } as const;
    return (await invite(author, order)).token;
  };
  const first = await invitedBy(operations, 1);
  await changeRole(dependencies, { ...post, role: 'ADMIN' });
  assert.equal(await opens(first), true, 'authors who may still invite keep theirs');
  const second = await invitedBy(operations, 2);
  await changeRole(dependencies, { ...post, role: 'OPERATIONS' });
  const third = await invitedBy(operations, 3);
  await changeRole(dependencies, { ...post, role: 'AUDITOR' });
  for (const token of [first, second, third]) assert.equal(await opens(token), false);
  await addMember(world, operations, 'VIEWER');
  await changeRole(dependencies, { ...post, role: 'OPERATIONS' });
  const fourth = await invitedBy(operations, 4);
  await removeMember(dependencies, post);
  assert.equal(await opens(fourth), false, 'as a viewer they could not have made it');

  await addMember(world, admin, 'OWNER');
  const author = { ...dependencies, actor: `person:${formatId('pe', admin)}` };
  const toStaff = { ...staffTeam, role: 'ADMIN', email: 'thief@x.cv' } as const;
  const links = [(await invite(author, toStaff)).token, await invitedBy(admin, 5)];
  await disablePerson(dependencies, admin, true);
  for (const token of links) assert.equal(await opens(token), false, 'locked out');
});

test('records each change of the staff', async (context) => {
  const { dependencies, database, people } = await setUp(context);
  const personId = people[1]!;
  await invite(dependencies, { ...staffTeam, role: 'FINANCE', email: 'rui@gateway.cv' });
  await changeRole(dependencies, { ...staffTeam, personId, role: 'FINANCE' });
  await removeMember(dependencies, { ...staffTeam, personId });
  const records = await auditOf(database);
  assert.deepEqual(
    records.map(({ action }) => action),
    ['person.invited', 'person.role_changed', 'person.removed'],
  );
  for (const { whole } of records) assert.match(whole, /STAFF/);
});
