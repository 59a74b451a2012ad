import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchDependencies, batchOf, plannedReferences } from '../../../test/support/batches.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { fund } from '../../../test/support/disbursing.ts';
import { columnsWith, privacyDependencies } from '../../../test/support/privacy.ts';
import { addTenant } from '../../../test/support/refunding.ts';
import { processBatch } from '../../money/disbursements/batches/process.ts';
import { eraseDue, erasePerson } from './erasures.ts';
import { exportPerson } from './export.ts';

const phone = '+2389917654';
const national = '9917654';

test('a row that is not written yet keeps its phone until its disbursement has ended, whatever is erased meanwhile', async (context) => {
  const { database } = await freshDatabase(context);
  const tenantId = await addTenant(database);
  await fund(database, tenantId, 100_000);
  const batch = await batchOf(database, tenantId, {
    key: `salaries of ${phone}`,
    rows: [
      { operatorPhone: phone, description: `For ${national}` },
      { operatorPhone: '+2389912345' },
    ],
  });
  const references = await plannedReferences(database);
  const dependencies = privacyDependencies(context, database);
  const lines: string[] = [];
  for await (const line of exportPerson(dependencies, phone)) lines.push(line);
  const [row] = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'rowOfBatch');
  assert.equal(row.data.data.operatorPhone, phone);
  assert.ok(
    lines.every((line) => !line.includes('9912345')),
    'others in the batch are not told',
  );

  const { waits } = await erasePerson(dependencies, phone);
  assert.deepEqual(
    waits.map(({ reason }) => reason),
    ['MONEY_UNDER_WAY'],
  );
  assert.deepEqual(await columnsWith(database, national), ['disbursement_batches.items']);
  const processing = { ...batchDependencies(database), batchLeaseMs: 10_000, wake() {} };
  const sealed = { ...batch, idempotencyKey: 'sealed' };
  await processBatch(processing, { ...sealed, mode: 'test' }, () => false);
  const text = 'SELECT operator_phone AS phone, reference FROM disbursements ORDER BY batch_row';
  const rows = await database.query<{ phone: string; reference: string }>({ text });
  assert.equal(rows[0]!.phone, phone, 'it is paid all the same');
  assert.deepEqual(
    rows.map(({ reference }) => reference),
    references,
    'the name at the operator is that of the request',
  );
  const later = async (hours: number) => {
    const clock = { nowMs: () => Date.now() + hours * 3_600_000 };
    return eraseDue({ ...dependencies, clock });
  };
  assert.equal((await later(2)).waits.length, 1, 'it is about to be sent');
  const end = `UPDATE disbursements SET status = 'FAILED', due_at = NULL, version = version + 1`;
  await database.query({ text: end });
  assert.equal((await later(4)).erased, 1);
  await later(6);
  assert.deepEqual(await columnsWith(database, national), []);
  const [first, second] = await database.query<{ phone: string | null }>({ text });
  assert.deepEqual([first!.phone, second!.phone], [null, '+2389912345']);
});
