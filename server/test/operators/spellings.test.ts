/** A transaction is the same however the operator or a person spells its UUID. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { searchPayments } from '../../src/money/payments/search.ts';
import { findByTransaction } from '../../src/money/payments/search-all.ts';
import { type Harness, openHarness } from './harness.ts';
import { success } from './scripted.ts';

const amountMinor = 10_000n;
const capitals = (name: string) => name.toUpperCase();
/** Its letters alternate in case. */
const mixed = (name: string) =>
  Array.from(name, (each, index) => (index % 2 ? each.toUpperCase() : each)).join('');

async function kindsListed(harness: Harness): Promise<string[]> {
  return (await harness.review()).map(({ kind, subjectKind }) => `${kind} ${subjectKind}`);
}

for (const [first, second] of [
  [String, capitals],
  [capitals, String],
  [mixed, capitals],
] as const) {
  test(`debits one payment by a UUID, ${first.name} and then ${second.name}`, async (context) => {
    const harness = await openHarness(context);
    const id = randomUUID();
    const paid = await harness.debited(first(id));
    assert.equal(paid.operatorTxId, first(id), 'people see what the operator wrote');
    const other = await harness.debited(second(id));
    assert.equal(other.status, 'OPERATOR_PENDING');
    assert.deepEqual(await kindsListed(harness), ['CLASH PAYMENT']);
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}

test('returns one refund by a UUID, in any spelling', async (context) => {
  const harness = await openHarness(context);
  const id = randomUUID();
  const statuses = [];
  for (const [index, told] of [id, capitals(id)].entries()) {
    const refund = await harness.refund(await harness.debited(`OP-${index}`), 4_000n);
    harness.operator.onReverse = () => success(told, 4_000n);
    harness.operator.onQueryReversal = () => success(told, 4_000n);
    await harness.work();
    statuses.push((await harness.refundNow(refund)).status);
  }
  assert.deepEqual(statuses, ['SUCCEEDED', 'PROCESSING']);
  assert.deepEqual(await kindsListed(harness), ['CLASH REFUND']);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('returns a wrong debit once, in any spelling', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  await harness.cancel(payment);
  const id = randomUUID();
  for (const told of [id, capitals(id), id]) {
    const { tenantId, id: reference } = payment;
    const answer = success(told, amountMinor);
    await harness.useCases.processor.notify({ tenantId, reference, answer });
  }
  harness.operator.onReverse = () => success('OP-V', amountMinor);
  await harness.work();
  assert.deepEqual(
    (await harness.reversals()).map(({ status, operatorTxId }) => [status, operatorTxId]),
    [['SUCCEEDED', id]],
  );
  assert.equal(harness.operator.count('reverse'), 1);
  assert.deepEqual(await kindsListed(harness), []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('recognises bookings of older programs in capitals', async (context) => {
  const harness = await openHarness(context);
  const id = randomUUID();
  const paid = await harness.debited(capitals(id));
  const text = 'UPDATE operator_transactions SET operator_tx_id = $1';
  await harness.database.query({ text }, [capitals(id)]);
  assert.equal((await harness.debited(id)).status, 'OPERATOR_PENDING');
  assert.deepEqual(await kindsListed(harness), ['CLASH PAYMENT']);
  assert.deepEqual(await checkLedger(harness.database), []);
  const [found] = await findByTransaction(harness.database, id);
  assert.equal(found?.id, paid.id);
});

test('distinguishes two ids that differ in case if they are not UUIDs', async (context) => {
  const harness = await openHarness(context);
  for (const name of [
    'tx-9a',
    'TX-9A',
    'aaaaaaaabbbbccccddddeeeeeeeeeeee',
    'AAAAAAAABBBBCCCCDDDDEEEEEEEEEEEE',
  ]) {
    assert.equal((await harness.debited(name)).status, 'DEBITED', name);
  }
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('finds a payment by its transaction in any spelling', async (context) => {
  const harness = await openHarness(context);
  const { database, tenantId } = harness;
  const id = randomUUID();
  const paid = await harness.debited(mixed(id));
  for (const typed of [id, capitals(id), mixed(id)]) {
    const who = { tenantId, mode: 'live', seesPhones: false } as const;
    const found = await searchPayments(database, who, typed, {}, { limit: 5 });
    assert.deepEqual(
      found.rows.map((each) => each.id),
      [paid.id],
      typed,
    );
    assert.deepEqual(
      (await findByTransaction(database, typed)).map((each) => each.id),
      [paid.id],
    );
  }
});
