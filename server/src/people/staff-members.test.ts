import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/support/database.ts';
import { addStaff } from '../../test/support/staff-member.ts';
import { systemClock } from '../clock.ts';
import { randomIds } from '../ids.ts';
import { listStaff, removeStaff } from './staff-members.ts';

test('the last administrator stays, also when two remove each other at once', async (context) => {
  const { database } = await testDatabase(context);
  const dependencies = { database, clock: systemClock, ids: randomIds() };
  const [one, other] = [await addStaff(database, 'ADMIN'), await addStaff(database, 'ADMIN')];
  const auditor = await addStaff(database, 'AUDITOR');
  await removeStaff(dependencies, auditor);
  await assert.rejects(removeStaff(dependencies, auditor), { code: 'NOT_FOUND' });
  const removals = await Promise.allSettled([
    removeStaff(dependencies, one),
    removeStaff(dependencies, other),
  ]);
  assert.equal(removals.filter(({ status }) => status === 'rejected').length, 1);
  const [left, ...more] = await listStaff(database);
  assert.deepEqual([left!.role, more], ['ADMIN', []]);
  await assert.rejects(removeStaff(dependencies, left!.personId), { code: 'INVALID_STATE' });
});
