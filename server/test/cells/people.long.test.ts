/**
 * People are in one cell, the home, and work for merchants of any cell. These tests cover every way
 * to admit a person.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPeopleCommands } from '../../src/cli/people.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { adminApi } from '../support/admin.ts';
import { commandRunner } from '../support/cell-installation.ts';
import { memberIn, staffAt } from '../support/console.ts';
import { staffCells, type World } from '../support/staff-cells.ts';
import { joinedBy, Stranger } from '../support/stranger.ts';

const linkIn = (text: string) => /\/console\/invitation\/[\w-]+/.exec(text)?.[0] ?? '';

/** The invited person joins, signs in, and sees the merchant's name. */
async function walk(world: World, link: string, cell: string): Promise<void> {
  const stranger = new Stranger(world);
  const asked = await stranger.get(link);
  assert.equal(asked.status, 200, link);
  assert.match(asked.text, new RegExp(`Loja ${cell}`), 'the merchant has its name on the link');
  assert.equal((await joinedBy(stranger, link)).answer.status, 200);
  const { location } = await stranger.get('/console');
  assert.equal(location, `/console/${world.merchants[cell]}/live`);
  const page = await stranger.get(`${location}/payments`);
  assert.equal(page.status, 200);
  assert.match(page.text, new RegExp(`Loja ${cell}`));
}

async function emailsIn(world: World, cell: string, table: string): Promise<string[]> {
  const text = `SELECT email FROM ${table} ORDER BY email`;
  const rows = await world.databases[cell]!.query<{ email: string }>({ text });
  return rows.map(({ email }) => email);
}

test('lets an owner invite to a merchant of any cell', async (context) => {
  const world = await staffCells(context);
  for (const cell of ['north', 'home']) {
    const merchantId = parseId('me', world.merchants[cell]!)!;
    const owner = await memberIn(world.origin, world.databases.home!, merchantId);
    const email = `ana@${cell}.cv`;
    const invited = await owner.send('team', { action: 'invite', email, role: 'FINANCE' });
    assert.equal(invited.status, 200, invited.text);
    const open = await owner.get('team');
    assert.match(open.text, new RegExp(email), 'the invitation is listed as open');
    await walk(world, linkIn(invited.text), cell);
    assert.match(
      (await owner.get('team')).text,
      /password and code/,
      'the sign-in method is listed, too',
    );
  }
  assert.deepEqual(await emailsIn(world, 'north', 'invitations'), []);
});

test('lets staff invite to a merchant of any cell on its page', async (context) => {
  const world = await staffCells(context);
  for (const [cell, folder] of [
    ['south', '/cells/south'],
    ['home', ''],
  ] as const) {
    const page = `/console/staff${folder}/merchants/${world.merchants[cell]}`;
    const invited = await world.admin.send(page, { action: 'invite', email: `rui@${cell}.cv` });
    assert.equal(invited.status, 200, invited.text);
    await walk(world, linkIn(invited.text), cell);
    assert.match((await world.admin.get(page)).text, new RegExp(`rui@${cell}\\.cv`));
  }
  assert.deepEqual(await emailsIn(world, 'south', 'invitations'), []);
});

test('invites to a merchant of any cell by command', async (context) => {
  const world = await staffCells(context);
  const run = commandRunner({
    DATABASE_URL: world.homeUrl,
    CONSOLE_URL: world.origin,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const invite = (merchant: string, email: string) =>
    run(addPeopleCommands, 'people', 'invite', '--merchant', merchant, '--role', 'owner', email);
  for (const cell of ['north', 'home']) {
    const said = await invite(world.merchants[cell]!, `eva@${cell}.cv`);
    assert.deepEqual([said.code, said.stderr], [0, '']);
    await walk(world, linkIn(said.stdout), cell);
  }
  const nobodys = world.merchants.north!.replace(/.{8}$/, '00000000');
  const refused = await invite(nobodys, 'eva@nobody.cv');
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /There is no merchant/);
});

test('manages people in the home from the pages and the API of any cell', async (context) => {
  const world = await staffCells(context);
  const { databases, origin, url } = world;
  const rui = await staffAt(origin, databases.home!, 'AUDITOR');
  const page = '/console/staff/cells/north/team';
  const invited = await world.admin.send(page, {
    action: 'invite',
    email: 'ana@gateway.cv',
    role: 'FINANCE',
  });
  assert.equal(invited.status, 200, invited.text);
  assert.match((await world.admin.get(page)).text, /ana@gateway\.cv/);
  const api = await adminApi({ database: databases.home!, url });
  const inNorth = { 'zimbo-cell': 'north' };
  const { body } = await api('GET', '/admin/v1/staff', undefined, inNorth);
  const staff = body.data as { id: string; role: string }[];
  const auditor = staff.find(({ role }) => role === 'AUDITOR');
  assert.ok(auditor, 'returns the same staff from every cell');
  await api('DELETE', `/admin/v1/staff/${auditor.id}`, undefined, inNorth);
  assert.equal((await rui.get('/console/staff')).status, 302, 'signed out');
  const keys = await api('GET', '/admin/v1/admin-keys', undefined, inNorth);
  assert.equal((keys.body.data as unknown[]).length, 1);
  const [key] = keys.body.data as { id: string }[];
  const path = `/admin/v1/admin-keys/${key!.id}/revoke`;
  assert.equal((await api('POST', path, undefined, inNorth)).status, 200);
});
