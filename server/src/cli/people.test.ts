import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runCommand } from '../../test/support/command-line.ts';
import { addPerson, auditOf, joined, peopleWorld } from '../../test/support/people.ts';
import { formatId } from '../platform/values/ids.ts';
import { findInvitation } from '../tenants/people/invitations.ts';
import { insertMember } from '../tenants/people/member-store.ts';
import { findSession } from '../tenants/people/sessions.ts';
import { staffTeam } from '../tenants/people/teams.ts';
import { addPeopleCommands } from './people.ts';

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  const environment = { DATABASE_URL: world.url, CONSOLE_URL: 'https://pay.example.cv' };
  const people = (...words: string[]) =>
    runCommand(addPeopleCommands, ['people', ...words], environment);
  return { ...world, world, people, merchant: formatId('me', world.merchantId) };
}

test('invites, lists, resets, signs out and removes people', async (context) => {
  const { world, dependencies, people, merchant, clock } = await setUp(context);
  clock.at = Date.now();
  const invited = await people(
    'invite',
    '--merchant',
    merchant,
    '--role',
    'finance',
    'Ana@loja.cv',
  );
  assert.equal(invited.code, 0, invited.stderr);
  const [, token] = /https:\/\/pay\.example\.cv\/console\/invitation\/([\w-]{43})/.exec(
    invited.stdout,
  )!;
  const { email, role } = (await findInvitation(dependencies, token!))!;
  assert.deepEqual([email, role], ['ana@loja.cv', 'FINANCE']);

  const maria = await joined(world, 'maria@loja.cv');
  clock.at = Date.now();
  const [listed] = JSON.parse((await people('list', '--json')).stdout);
  assert.deepEqual(
    [listed.email, listed.hasPassword, listed.memberships],
    ['maria@loja.cv', true, [{ merchant, role: 'OWNER' }]],
  );
  assert.match((await people('list')).stdout, /maria@loja\.cv +Maria +password +me_\w+ OWNER/);
  const reset = JSON.parse((await people('reset', '--json', 'MARIA@loja.cv')).stdout);
  assert.match(reset.url, /^https:\/\/pay\.example\.cv\/console\/invitation\//);

  const last = await people('remove', 'maria@loja.cv');
  assert.deepEqual([last.code, last.stdout], [1, '']);
  assert.match(last.stderr, /must keep its last owner/);
  await joined(world, 'eva@loja.cv');
  assert.match((await people('sessions', 'end', 'maria@loja.cv')).stdout, /^1 session ended/);
  assert.equal(await findSession(dependencies, maria.token), undefined);
  assert.match((await people('disable', 'eva@loja.cv')).stdout, /Locked out/);
  assert.match((await people('enable', 'eva@loja.cv')).stdout, /sign in again/);
  assert.equal((await people('remove', 'maria@loja.cv')).code, 0);
  assert.match((await people('reset', 'maria@loja.cv')).stderr, /No such person/);
  const actors = (await auditOf(world.database)).map(({ actor }) => actor);
  assert.ok(actors.some((actor) => actor.startsWith('cli:')));
});

test('invites, lists and removes staff', async (context) => {
  const { world, dependencies, people, merchant, clock } = await setUp(context);
  clock.at = Date.now();
  const { url } = JSON.parse(
    (await people('invite', '--staff', 'finance', '--json', 'Rui@gateway.cv')).stdout,
  );
  const invitation = (await findInvitation(dependencies, url.split('/').at(-1)))!;
  const { email, merchantId, staffRole } = invitation;
  assert.deepEqual([email, merchantId, staffRole], ['rui@gateway.cv', null, 'FINANCE']);
  const both = ['--staff', 'admin', '--merchant', merchant, '--role', 'owner'];
  assert.match((await people('invite', ...both, 'a@x.cv')).stderr, /not both/);
  assert.match((await people('invite', 'a@x.cv')).stderr, /--merchant and --role, or --staff/);
  const root = await people('invite', '--staff', 'root', 'a@x.cv');
  assert.match(root.stderr, /admin, operations, finance, auditor/);
  const personId = await addPerson(world, 'rui@gateway.cv');
  const member = { ...staffTeam, role: 'FINANCE', personId } as const;
  await insertMember(dependencies.database, member, clock.at);
  assert.match((await people('list', '--staff')).stdout, /rui@gateway\.cv .*staff FINANCE/);
  assert.equal((await people('remove', '--staff', 'rui@gateway.cv')).code, 0);
  assert.match((await people('list', '--staff')).stdout, /There are no people yet/);
  assert.match((await people('list')).stdout, /rui@gateway\.cv/);
});

test('explains an unknown role or person', async (context) => {
  const { people, merchant } = await setUp(context);
  const role = await people('invite', '--merchant', merchant, '--role', 'root', 'ana@loja.cv');
  assert.match(role.stderr, /owner, finance, support, developer, viewer/);
  const email = await people('invite', '--merchant', merchant, '--role', 'owner', 'ana');
  assert.match(email.stderr, /e-mail address such as/);
  assert.match((await people('sessions', 'end', 'ana@loja.cv')).stderr, /Nobody has the e-mail/);
  assert.match((await people('list')).stdout, /There are no people yet/);
});
