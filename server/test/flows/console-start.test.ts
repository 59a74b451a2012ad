/** Where people begin whose role has few permissions, and where a form leads those who may not see its result. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { worksWith } from '../../src/interfaces/console/parts/useless-permissions.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { grantable, type Permission } from '../../src/tenants/people/permissions.ts';
import type { Member, PageAnswer } from '../support/console.ts';
import { fresh } from '../support/console-buttons.ts';
import { twoShops } from '../support/console-shops.ts';

const world = twoShops({ after: (work) => after(work as () => void) });

/** A member of a custom role, and what gives that role other permissions. */
async function withOwnRole() {
  const { site, ours } = await world;
  const { database } = site.gateway;
  const member = await site.signIn('VIEWER', ours.merchantId);
  const made = `
WITH made AS (INSERT INTO merchant_roles (merchant_id, id, name, permissions, created_at)
  VALUES ($1, gen_random_uuid(), gen_random_uuid()::text, '{}', now()) RETURNING id)
UPDATE memberships SET role = 'CUSTOM', role_id = (SELECT id FROM made) WHERE person_id = $2
RETURNING role_id AS id`;
  const values = [ours.merchantId, member.personId];
  const [role] = await database.query<{ id: string }>({ text: made }, values);
  const grant = async (...permissions: Permission[]) => {
    const text = 'UPDATE merchant_roles SET permissions = $2 WHERE id = $1';
    await database.query({ text }, [role!.id, permissions]);
  };
  return { site, member, grant, base: site.baseOf(ours.merchantId), things: ours.test };
}

async function follow(member: Member, path: string): Promise<PageAnswer> {
  let answer = await member.get(path);
  for (let left = 4; left > 0 && answer.location !== null; left -= 1)
    answer = await member.get(answer.location);
  return answer;
}

test('begins on a page that the role may see, or says that the role opens none', async () => {
  const { member, grant } = await withOwnRole();
  const opensNothing: Permission[] = [];
  for (const permission of grantable) {
    await grant(permission);
    const start = await follow(member, '/console');
    if (start.status === 403) {
      assert.match(start.text, /Your role opens no page yet/, permission);
      assert.match(start.text, /href="\/console\/account"/, permission);
      opensNothing.push(permission);
      continue;
    }
    assert.equal(start.status, 200, permission);
    for (const [, to] of start.text.matchAll(/ href="([^"#?]*\/console\/me_[^"#?]*)/g))
      assert.notEqual((await follow(member, to!)).status, 403, `${permission}: ${to}`);
  }
  // A form for links opens, but the role never sees what it makes.
  const useless = Object.keys(worksWith).filter((each) => each !== 'links.write');
  assert.deepEqual(opensNothing, useless);
});

test('tells people who may not see the result that the work is done', async () => {
  const { member, grant } = await withOwnRole();
  await grant('products.write');
  const form = { action: 'create', ...fresh(), name: 'Café', price: '1', currency: 'CVE' };
  const made = await member.send('products/new', form);
  const shown = await follow(member, made.location!);
  assert.equal(shown.status, 200);
  assert.match(shown.text, /Done\. Your role does not include the page of the result\./);
  const refused = await member.send('products/new', { ...form, ...fresh(), name: '' });
  assert.equal(refused.status, 400);
});

test('lets somebody at the till refund an own charge, and shows that charge again', async () => {
  const { member, grant, site, things } = await withOwnRole();
  const text = `INSERT INTO till_charges (tenant_id, payment_id, person_id)
    SELECT tenant_id, id, $1 FROM payments WHERE id = $2`;
  await site.gateway.database.query({ text }, [member.personId, parseId('pi', things.payment)]);
  await grant('payments.charge');
  const link = `payments/${things.payment}/refund`;
  assert.ok(!(await member.get(`charge/${things.payment}`)).text.includes(link));
  await grant('payments.charge', 'refunds.create');
  assert.ok((await member.get(`charge/${things.payment}`)).text.includes(link));
  assert.match((await member.get(link)).text, new RegExp(`href="[^"]*/charge/${things.payment}"`));
  const form = { action: 'refund', ...fresh(), amount: '1', reason: '' };
  const shown = await follow(member, (await member.send(link, form)).location!);
  assert.deepEqual([shown.status, /The refund was requested/.test(shown.text)], [200, true]);
});

test('says of a custom role which permissions are of no use alone', async () => {
  const { member, grant, site } = await withOwnRole();
  await grant('money.read', 'refunds.create');
  const { ours } = await world;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const { text } = await owner.get('roles');
  assert.match(text, /“Refund” is of use only with “See totals[^“]*” or “Charge a customer”/);
  await grant('payments.read', 'refunds.create');
  assert.doesNotMatch((await owner.get('roles')).text, /“Refund” is of use only/);
  assert.equal((await follow(member, '/console')).status, 200);
});
