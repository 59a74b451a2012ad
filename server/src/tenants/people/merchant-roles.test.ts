/** Roles that owners put together: never more than their author holds, at every change. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addMember, addPerson, auditOf, peopleWorld } from '../../../test/support/people.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { inviteByQr } from './invitations.ts';
import { changeRole, listMembers } from './members.ts';
import {
  changeMerchantRole,
  createMerchantRole,
  deleteMerchantRole,
  listMerchantRoles,
} from './merchant-roles.ts';
import { can, grantable, type Permission, permissions, type Role } from './permissions.ts';

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  const { dependencies, merchantId } = world;
  /** What a form of an author with this role orders. */
  const order = (given: readonly string[], { by = 'OWNER' as Role, name = 'Balcão' } = {}) => ({
    merchantId,
    name,
    permissions: given,
    holds: (permission: Permission) => can(by, permission),
  });
  const rolesNow = async () =>
    (await listMerchantRoles(dependencies, merchantId)).map((role) => [
      role.name,
      role.permissions,
    ]);
  return { ...world, world, order, rolesNow };
}

test('makes no role with a permission that its author lacks, nor with the one to manage people', async (context) => {
  const { dependencies, order, rolesNow } = await setUp(context);
  const wrong = { code: 'FORBIDDEN' };
  for (const permission of permissions) {
    const given = order(['payments.charge', permission], { by: 'CASHIER' });
    if (can('CASHIER', permission)) continue;
    await assert.rejects(createMerchantRole(dependencies, given), wrong, permission);
  }
  for (const unknown of ['people.write', 'everything', 'toString']) {
    const given = order(['payments.charge', unknown]);
    await assert.rejects(createMerchantRole(dependencies, given), wrong, unknown);
  }
  const none = createMerchantRole(dependencies, order([]));
  await assert.rejects(none, { code: 'VALIDATION_ERROR' });
  assert.deepEqual(await rolesNow(), []);
  await createMerchantRole(dependencies, order(grantable));
  assert.deepEqual(await rolesNow(), [['Balcão', grantable]]);
});

test('lets an author whose rights have shrunk since neither widen nor confirm a role', async (context) => {
  const { dependencies, database, order, rolesNow, merchantId } = await setUp(context);
  const made = ['payments.charge', 'refunds.create'];
  const id = await createMerchantRole(dependencies, order(made));
  const shrunk = { by: 'CASHIER' as const, name: 'Loja' };
  const again = changeMerchantRole(dependencies, { ...order(made, shrunk), id });
  await assert.rejects(
    again,
    { code: 'FORBIDDEN' },
    'a new name for what the author no longer holds',
  );
  const wider = { ...order([...made, 'settings.write'], shrunk), id };
  await assert.rejects(changeMerchantRole(dependencies, wider), { code: 'FORBIDDEN' });
  assert.deepEqual(await rolesNow(), [['Balcão', made]]);
  await changeMerchantRole(dependencies, { ...order(['payments.charge'], shrunk), id });
  assert.deepEqual(await rolesNow(), [['Loja', ['payments.charge']]]);
  const written = (await auditOf(database)).map(({ action }) => action);
  assert.deepEqual(written, ['role.created', 'role.changed']);
  assert.equal((await listMerchantRoles(dependencies, merchantId))[0]!.uses, 0);
});

test('keeps roles to their merchant', async (context) => {
  const { dependencies, world, order, rolesNow, merchantId } = await setUp(context);
  const id = await createMerchantRole(dependencies, order(['payments.charge']));
  const other = await createMerchant(dependencies, 'Loja do Mindelo');
  const theirs = { merchantId: other.id, id };
  const missing = { code: 'NOT_FOUND' };
  const change = { ...order(['refunds.create']), ...theirs };
  await assert.rejects(changeMerchantRole(dependencies, change), missing);
  await assert.rejects(deleteMerchantRole(dependencies, theirs), missing);
  assert.deepEqual(await listMerchantRoles(dependencies, other.id), []);
  const personId = await addPerson(world, 'ana@mindelo.cv');
  await addMember({ ...world, merchantId: other.id }, personId, 'OWNER');
  await addMember(
    { ...world, merchantId: other.id },
    await addPerson(world, 'eva@mindelo.cv'),
    'OWNER',
  );
  const post = { merchantId: other.id, personId, role: 'CUSTOM', roleId: id } as const;
  await assert.rejects(changeRole(dependencies, post), missing);
  assert.deepEqual(await rolesNow(), [['Balcão', ['payments.charge']]]);
  await deleteMerchantRole(dependencies, { merchantId, id });
});

test('keeps a role that a member has, and one name for each role', async (context) => {
  const { dependencies, world, order, merchantId } = await setUp(context);
  const id = await createMerchantRole(dependencies, order(['payments.charge']));
  const other = await createMerchantRole(
    dependencies,
    order(['payments.charge'], { name: 'Loja' }),
  );
  for (const name of ['BALCÃO', 'Balcao', 'Balcão\u200b', 'Ваlcão']) {
    const twin = order(['payments.charge'], { name });
    await assert.rejects(createMerchantRole(dependencies, twin), { code: 'VALIDATION_ERROR' });
    const renamed = changeMerchantRole(dependencies, { ...twin, id: other });
    await assert.rejects(renamed, { code: 'VALIDATION_ERROR' });
  }
  const personId = await addPerson(world, 'rui@loja.cv');
  await addMember(world, personId, 'VIEWER');
  await changeRole(dependencies, { merchantId, personId, role: 'CUSTOM', roleId: id });
  assert.deepEqual(
    (await listMembers(dependencies, { merchantId })).map((each) => each.role),
    ['CUSTOM'],
  );
  const removal = deleteMerchantRole(dependencies, { merchantId, id });
  await assert.rejects(removal, { code: 'INVALID_STATE' });
  await changeRole(dependencies, { merchantId, personId, role: 'VIEWER' });
  await inviteByQr(dependencies, { merchantId });
  await deleteMerchantRole(dependencies, { merchantId, id });
});

test('takes 20 roles of a merchant, however many are made at once', async (context) => {
  const { dependencies, order, rolesNow } = await setUp(context);
  const made = await Promise.allSettled(
    Array.from({ length: 24 }, (_, number) =>
      createMerchantRole(dependencies, order(['payments.charge'], { name: `Caixa ${number}` })),
    ),
  );
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 20);
  assert.equal((await rolesNow()).length, 20);
});
