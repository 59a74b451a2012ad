import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pending, success } from '../../../test/operators/scripted.ts';
import { batchOf } from '../../../test/support/batches.ts';
import {
  composeDisbursing,
  eventsOf,
  hourMs,
} from '../../../test/support/disbursement-processor.ts';
import { columnsWith, privacyDependencies } from '../../../test/support/privacy.ts';
import { checkLedger } from '../../money/ledger/check.ts';
import { closeReviewItems } from '../../money/review/store.ts';
import { eraseDue, erasePerson } from './erasures.ts';
import { exportPerson } from './export.ts';
import { oldPersonalData } from './retention-store.ts';

const phone = '+2389917654';
const national = '9917654';
const texts = {
  operatorPhone: phone,
  externalId: `salary of ${phone.slice(1)}`,
  customerId: `c ${phone}`,
  description: `For ${national}`,
  statementDescriptor: `TO ${phone.slice(1)}`,
  metadata: JSON.stringify({ phone }),
  idempotencyKey: `first of ${phone}`,
};

test('keeps the phone of a disbursement while its money is under way, and then erases it everywhere', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator, database, clock } = disbursing;
  const disbursement = await disbursing.add(texts);
  operator.onDisburse = () => pending;
  await disbursing.work();
  const own = privacyDependencies(context, database);
  const dependencies = { ...own, clock };
  const { payments, waits } = await erasePerson(dependencies, phone);
  const wait = { id: disbursement.id, reason: 'MONEY_UNDER_WAY', keptUntilMs: null };
  assert.deepEqual([payments, waits], [0, [{ ...wait, tenantId: disbursing.tenantId }]]);
  const kept = await disbursing.now(disbursement);
  assert.deepEqual([kept.operatorPhone, kept.metadata], [phone, texts.metadata]);

  operator.onQueryDisbursement = () => success('OP-1', 4_000n);
  disbursing.wait(2 * hourMs);
  await disbursing.work();
  assert.deepEqual(await eventsOf(disbursing), ['disbursement.succeeded']);
  await eraseDue(dependencies);
  const now = await disbursing.now(disbursement);
  const { operatorPhone, customerId, description, metadata, externalId } = now;
  assert.deepEqual([operatorPhone, customerId, description, metadata], [null, null, null, null]);
  assert.deepEqual([externalId, now.statementDescriptor], ['salary of 0', 'TO 0']);
  assert.deepEqual([now.status, now.amountMinor, now.operatorTxId], ['SUCCEEDED', 4_000n, 'OP-1']);
  assert.deepEqual(await columnsWith(database, national), []);
  assert.deepEqual(await checkLedger(database), []);
});

test('waits for a person, and for the legal retention of live disbursements that were paid', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator, database, clock } = disbursing;
  const disbursement = await disbursing.add(texts);
  operator.onDisburse = () => success('OP-1', 3_999n);
  await disbursing.work();
  const legalRetentionMs = 48 * hourMs;
  const dependencies = { ...privacyDependencies(context, database), clock, legalRetentionMs };
  const { waits } = await erasePerson(dependencies, phone);
  assert.deepEqual(
    waits.map(({ reason }) => reason),
    ['FOR_REVIEW'],
  );
  const { tenantId, id: subjectId } = disbursement;
  const closing = { tenantId, subjectId, nowMs: clock.nowMs(), by: 'test', reason: 'settled' };
  await closeReviewItems(database, closing);
  disbursing.wait(49 * hourMs - 60_000);
  assert.deepEqual((await eraseDue(dependencies)).waits, []);
  assert.equal((await disbursing.now(disbursement)).operatorPhone, null);
});

test('erases old disbursements without a request', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { database, clock, tenantId } = disbursing;
  const before = { nowMs: () => Date.parse('2025-01-01T00:00:00Z') };
  await batchOf(database, tenantId, { key: 'salaries', rows: [{}], clock: before });
  await database.query({ text: `UPDATE disbursement_batches SET description = 'For Ana'` });
  const [open, cancelled] = [
    await disbursing.add(texts),
    await disbursing.add({ ...texts, idempotencyKey: null }),
  ];
  await disbursing.applyTransition(cancelled, { to: 'CANCELLED', dueAtMs: null });
  const { requestHashes } = privacyDependencies(context, database);
  const walks = oldPersonalData({ clock, requestHashes, legalRetentionMs: 0 });
  const last = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
  const first = '00000000-0000-0000-0000-000000000000';
  for (const walk of walks) {
    for (const found of await walk.tenants(database, last)) {
      const range = await walk.next(database, { tenantId: found, afterId: first }, last, 100);
      if (range)
        await database.transaction((transaction) => walk.remove(transaction, range, clock.nowMs()));
    }
  }
  assert.equal((await disbursing.now(cancelled)).operatorPhone, null);
  const described = 'SELECT description FROM disbursement_batches';
  assert.deepEqual(await database.query({ text: described }), [{ description: null }]);
  assert.equal((await disbursing.now(open)).operatorPhone, phone, 'it is about to be paid');
  const waiting = { text: 'SELECT payment_id AS id FROM erasing_payments WHERE tenant_id = $1' };
  assert.deepEqual(await database.query(waiting, [tenantId]), [{ id: open.id }]);
});

test('exports the disbursements of a phone', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator, database } = disbursing;
  operator.onDisburse = () => success('OP-1', 4_000n);
  const disbursement = await disbursing.add(texts);
  await disbursing.add();
  await disbursing.work();
  const lines: { kind: string; data: { id?: string } }[] = [];
  const dependencies = privacyDependencies(context, database);
  for await (const line of exportPerson(dependencies, phone)) lines.push(JSON.parse(line));
  const [first] = lines;
  assert.deepEqual([first!.kind, first!.data.id], ['disbursement', disbursement.id]);
  assert.ok(lines.some(({ kind }) => kind === 'event'));
  assert.equal(lines.filter(({ kind }) => kind === 'disbursement').length, 1);
});
