import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  notFound,
  pending,
  refused,
  success,
  unreachable,
} from '../../../test/operators/scripted.ts';
import {
  balancesOf,
  casesOf,
  checkGivenBack,
  checkPaidOnce,
  composeDisbursing,
  eventsOf,
  hourMs,
  watchMs,
} from '../../../test/support/disbursement-processor.ts';
import { checkLedger } from '../ledger/check.ts';
import { openReviewItems } from '../review/store.ts';

const paid = success('OP-1', 4_000n);

test('commits PROCESSING before the operator hears of a disbursement, and books what it says', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator } = disbursing;
  const disbursement = await disbursing.add({ statementDescriptor: 'LOJA' });
  operator.onDisburse = async (request) => {
    assert.equal((await disbursing.now(disbursement)).status, 'PROCESSING');
    const { tenantId, reference, operatorPhone: phone } = disbursement;
    const amount = { amountMinor: 4_000n, currency: 'CVE', statementDescriptor: 'LOJA' };
    const own = { tenantId, reference, operator: 'CVMOVEL', phone };
    assert.deepEqual(request, { ...own, ...amount, repeated: false });
    return paid;
  };
  await disbursing.work();
  await checkPaidOnce(disbursing, disbursement);
});

test('asks before the first request, even of a new row', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator } = disbursing;
  const disbursement = await disbursing.add();
  // A restore took the first try away; the reference is the same.
  operator.onQueryDisbursement = () => paid;
  await disbursing.work('MEMORY');
  assert.equal(operator.count('disburse'), 0);
  await checkPaidOnce(disbursing, disbursement);
});

test('sends a new row at once to an operator that deduplicates', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator } = disbursing;
  operator.known = { ...operator.known, deduplicates: true };
  operator.onDisburse = () => paid;
  const disbursement = await disbursing.add();
  await disbursing.work('MEMORY');
  assert.equal(operator.count('queryDisbursement'), 0);
  await checkPaidOnce(disbursing, disbursement);
});

test('gives amount and fee back when the operator refuses', async (context) => {
  const disbursing = await composeDisbursing(context);
  disbursing.operator.onDisburse = () => ({ kind: 'failed', failureCode: 'PAYER_NOT_FOUND' });
  const disbursement = await disbursing.add();
  await disbursing.work();
  await checkGivenBack(disbursing, disbursement, 'PAYEE_NOT_FOUND');
});

for (const sent of [true, false]) {
  test(`pays once after a worker was killed ${sent ? 'after' : 'before'} it called the operator`, async (context) => {
    const disbursing = await composeDisbursing(context);
    const { operator } = disbursing;
    const disbursement = await disbursing.add();
    operator.onDisburse = () => {
      if (sent) operator.onQueryDisbursement = () => paid;
      throw new Error('killed');
    };
    await assert.rejects(disbursing.work(), /killed/);
    assert.equal((await disbursing.now(disbursement)).status, 'PROCESSING');
    assert.deepEqual(await disbursing.claim(), [], 'its lease keeps others away');
    disbursing.wait(hourMs);
    await disbursing.work();
    assert.equal(operator.count('disburse'), 1, 'what may have been sent is only asked about');
    const now = await disbursing.now(disbursement);
    assert.equal(now.status, sent ? 'SUCCEEDED' : 'PROCESSING');
  });
}

test('asks about a lost answer, and pays once', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator } = disbursing;
  const disbursement = await disbursing.add();
  operator.onDisburse = () => unreachable;
  await disbursing.work();
  operator.onQueryDisbursement = () => pending;
  disbursing.wait(hourMs);
  await disbursing.work();
  assert.equal((await disbursing.now(disbursement)).status, 'PROCESSING');
  assert.equal((await balancesOf(disbursing)).disbursements_in_transit, 4_000);
  operator.onQueryDisbursement = () => paid;
  disbursing.wait(3 * hourMs);
  await disbursing.work();
  assert.equal(operator.count('disburse'), 1);
  await checkPaidOnce(disbursing, disbursement);
});

test('goes to a person when the watch ends without an outcome, and no clock fails it', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator } = disbursing;
  const disbursement = await disbursing.add();
  operator.onDisburse = () => pending;
  await disbursing.work();
  operator.onQueryDisbursement = () => pending;
  disbursing.wait(watchMs);
  await disbursing.work();
  const now = await disbursing.now(disbursement);
  assert.deepEqual([now.status, now.dueAtMs], ['PROCESSING', null]);
  assert.deepEqual(await casesOf(disbursing), [['UNCLEAR', 'DISBURSEMENT', disbursement.id]]);
  // The operator's later word counts, and settles the case.
  const { tenantId, reference } = disbursement;
  await disbursing.processor.notify({ tenantId, reference, answer: paid });
  await checkPaidOnce(disbursing, disbursement);
  assert.deepEqual(await casesOf(disbursing), []);
});

test('asks a person about a request that the operator does not find by the end of the watch', async (context) => {
  const disbursing = await composeDisbursing(context);
  const disbursement = await disbursing.add();
  disbursing.operator.onDisburse = () => unreachable;
  await disbursing.work();
  disbursing.wait(watchMs);
  await disbursing.work();
  assert.equal((await disbursing.now(disbursement)).status, 'PROCESSING');
  assert.deepEqual(await casesOf(disbursing), [['UNCLEAR', 'DISBURSEMENT', disbursement.id]]);
  assert.deepEqual(disbursing.notReceived, []);
});

test('writes nothing under a lost lease', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator, processor } = disbursing;
  await disbursing.add();
  const [mine] = await disbursing.claim();
  disbursing.wait(hourMs);
  await disbursing.claim();
  await processor.process(mine!, 'DATABASE');
  assert.equal(operator.count('disburse'), 0);
  assert.equal((await disbursing.now(mine!)).status, 'CREATED');
});

test('pays once with two workers at once', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator, processor } = disbursing;
  const disbursement = await disbursing.add();
  operator.onDisburse = () => {
    operator.onQueryDisbursement = () => paid;
    return paid;
  };
  const [mine] = await disbursing.claim();
  const { tenantId, reference } = disbursement;
  await Promise.all([
    processor.process(mine!, 'DATABASE'),
    disbursing.processorWith(operator).hint(tenantId, reference),
    disbursing.processorWith(operator).process(mine!, 'DATABASE'),
  ]);
  disbursing.wait(hourMs);
  await disbursing.work();
  assert.equal(operator.count('disburse'), 1);
  await checkPaidOnce(disbursing, disbursement);
});

for (const status of ['FAILED', 'CANCELLED'] as const) {
  test(`books a success after ${status} from suspense, once`, async (context) => {
    const disbursing = await composeDisbursing(context);
    const { operator, processor, applyTransition } = disbursing;
    const disbursement = await disbursing.add();
    if (status === 'FAILED') {
      operator.onDisburse = () => refused;
      await disbursing.work();
    } else {
      await applyTransition(disbursement, { to: 'CANCELLED', dueAtMs: null });
    }
    const { tenantId, reference } = disbursement;
    const notification = { tenantId, reference, answer: paid };
    await Promise.all(Array.from({ length: 8 }, () => processor.notify(notification)));
    await processor.notify(notification);
    const now = await disbursing.now(disbursement);
    assert.deepEqual([now.status, now.operatorTxId], [status, 'OP-1']);
    assert.deepEqual(await balancesOf(disbursing), { suspense: -4_000, 'operator:CVMOVEL': 4_000 });
    assert.equal(disbursing.late.length, 1, 'it is counted once');
    assert.deepEqual(await casesOf(disbursing), [['CONTRADICTION', 'DISBURSEMENT', now.id]]);
    assert.deepEqual(await eventsOf(disbursing), [`disbursement.${status.toLowerCase()}`]);
    assert.deepEqual(await checkLedger(disbursing.database), []);
  });
}

test('does not book a transaction that is booked for something else', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator } = disbursing;
  operator.onDisburse = () => paid;
  await disbursing.add();
  await disbursing.work();
  const second = await disbursing.add();
  await disbursing.work();
  const now = await disbursing.now(second);
  assert.deepEqual([now.status, now.operatorTxId], ['PROCESSING', null]);
  assert.notEqual(now.dueAtMs, null, 'it is still asked about');
  assert.deepEqual(await casesOf(disbursing), [['CLASH', 'DISBURSEMENT', second.id]]);
  // The operator no longer knows it: that is not enough to give the amount back.
  disbursing.wait(watchMs);
  operator.onQueryDisbursement = () => notFound;
  await disbursing.work();
  assert.equal((await disbursing.now(second)).status, 'PROCESSING');
});

test('shows a person a success of another amount, and a success that is later denied', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator, processor } = disbursing;
  operator.onDisburse = () => success('OP-9', 3_999n);
  const disbursement = await disbursing.add();
  await disbursing.work();
  await checkPaidOnce(disbursing, disbursement);
  const { tenantId, reference } = disbursement;
  disbursing.wait(hourMs);
  await processor.notify({ tenantId, reference, answer: refused });
  await checkPaidOnce(disbursing, disbursement);
  const items = await openReviewItems(disbursing.database);
  assert.deepEqual(
    items.map(({ kind, detail }) => [kind, detail.told]),
    [
      ['CONTRADICTION', { operatorTxId: 'OP-9', amountMinor: '3999' }],
      ['CONTRADICTION', { failureCode: 'OPERATOR_REJECTED' }],
    ],
  );
});

test('shows a person a success that is not what was asked for, and keeps asking', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator } = disbursing;
  const reported = { amount: '39', currency: 'CVE', type: 'disbursement', reference: null };
  operator.onDisburse = () => ({
    kind: 'unknown',
    progress: 'MISMATCH',
    reported: { operatorTxId: 'OP-7', ...reported },
  });
  const disbursement = await disbursing.add();
  await disbursing.work();
  const now = await disbursing.now(disbursement);
  assert.deepEqual([now.status, now.operatorTxId], ['PROCESSING', null]);
  assert.deepEqual(await casesOf(disbursing), [['MISMATCH', 'DISBURSEMENT', disbursement.id]]);
  // What it reported may have been paid, so a later refusal gives nothing back.
  operator.onQueryDisbursement = () => refused;
  disbursing.wait(hourMs);
  await disbursing.work();
  assert.equal((await disbursing.now(disbursement)).status, 'PROCESSING');
});
