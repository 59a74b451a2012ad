import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { findInvitation, invite } from '../../src/tenants/people/invitations.ts';
import { adminApi } from '../support/admin.ts';
import { testGateway } from '../support/gateway.ts';
import { addStaff } from '../support/staff-member.ts';

test('revokes the invitations of a person removed from the staff over /admin/v1', async (context) => {
  const gateway = await testGateway(context);
  const { database } = gateway;
  const admin = await adminApi(gateway);
  const [stays, goes] = [await addStaff(database, 'ADMIN'), await addStaff(database, 'ADMIN')];
  const dependencies = { database, clock: systemClock, ids: randomIds() };
  const inviting = {
    ...dependencies,
    actor: `person:${formatId('pe', goes)}`,
    origin: '192.0.2.7',
  };
  const order = { email: 'friend@example.cv', team: 'STAFF', role: 'ADMIN' } as const;
  const { token } = await invite(inviting, order);
  const isOpen = async () => (await findInvitation(dependencies, token)) !== undefined;
  assert.equal(await isOpen(), true);
  const removal = await admin('DELETE', `/admin/v1/staff/${formatId('pe', goes)}`);
  assert.equal(removal.status, 204);
  assert.equal(await isOpen(), false);
  const listed = await admin('GET', '/admin/v1/staff');
  const ids = listed.body.data.map(({ id }: { id: string }) => id);
  assert.deepEqual(ids, [formatId('pe', stays)]);
  const last = await admin('DELETE', `/admin/v1/staff/${formatId('pe', stays)}`);
  assert.deepEqual([last.status, last.body.error.code], [409, 'INVALID_STATE']);
});
