import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Harness, openHarness } from '../../../test/operators/harness.ts';
import { beginReversal } from '../../../test/operators/kinds.ts';
import { success } from '../../../test/operators/scripted.ts';
import { checkLedger } from '../ledger/check.ts';
import { enterReturns } from './backfill-transactions.ts';

/** A refund and a reversal from before their transactions were stored. */
async function givenBack(harness: Harness, refundTxIds: readonly string[]) {
  for (const [index, operatorTxId] of refundTxIds.entries()) {
    const payment = await harness.debited(`OP-${index}`);
    await harness.refund(payment, 4_000n);
    harness.operator.onReverse = () => success(`OP-R${index}`, 4_000n);
    await harness.work();
    const text = 'UPDATE refunds SET operator_refund_id = $1 WHERE operator_refund_id = $2';
    await harness.database.query({ text }, [operatorTxId, `OP-R${index}`]);
    harness.wait(1_000);
  }
  await beginReversal(harness, await harness.debited('OP-8'), 'OP-9');
  harness.operator.onReverse = () => success('OP-V', 10_000n);
  await harness.work();
}

async function forget({ database }: Harness): Promise<void> {
  await database.query({ text: 'DELETE FROM outgoing_transactions' });
  await database.query({ text: 'UPDATE refunds SET transaction_entered = false' });
  await database.query({ text: 'UPDATE reversals SET transaction_entered = false' });
}

const entered = async ({ database }: Harness) => {
  const text = `SELECT account || '/' || kind || '/' || operator_tx_id AS row FROM outgoing_transactions ORDER BY 1`;
  return (await database.query<{ row: string }>({ text })).map(({ row }) => row);
};

const enter = (harness: Harness) =>
  enterReturns({ ...harness.useCases.base, ...harness.useCases.refundDependencies });

test('books older returns once, for any account', async (context) => {
  const harness = await openHarness(context);
  await givenBack(harness, ['OP-R0', 'OP-R1']);
  await forget(harness);
  assert.equal(await enter(harness), 3);
  const rows = ['/REFUND/OP-R0', '/REFUND/OP-R1', '/REVERSAL/OP-V'];
  assert.deepEqual(await entered(harness), rows);
  assert.equal(await enter(harness), 0);
  assert.deepEqual(await entered(harness), rows);
  assert.deepEqual(await harness.review(), []);
  assert.deepEqual(await checkLedger(harness.database), []);
  const refund = await harness.refund(await harness.debited('OP-7'), 4_000n);
  harness.operator.onReverse = () => success('OP-R1', 4_000n);
  await harness.work();
  assert.equal((await harness.refundNow(refund)).status, 'PROCESSING');
});

test('books a shared transaction for the older return, lists the other once, and changes neither', async (context) => {
  const harness = await openHarness(context);
  await givenBack(harness, ['OP-R0', 'OP-R0', 'OP-V']);
  await forget(harness);
  await enter(harness);
  assert.deepEqual(await entered(harness), ['/REFUND/OP-R0', '/REFUND/OP-V']);
  const items = await harness.review();
  assert.deepEqual(items.map(({ kind, subjectKind }) => `${kind} ${subjectKind}`).toSorted(), [
    'CLASH REFUND',
    'CLASH REVERSAL',
  ]);
  await forget(harness);
  await enter(harness);
  assert.equal((await harness.review()).length, 2);
  const text = `SELECT status FROM refunds UNION ALL SELECT status FROM reversals`;
  const statuses = await harness.database.query<{ status: string }>({ text });
  assert.ok(statuses.every(({ status }) => status === 'SUCCEEDED'));
});

test('leaves a transaction that is now booked under an account, for another row or for its own', async (context) => {
  const harness = await openHarness(context);
  await givenBack(harness, ['OP-R0', 'OP-R0']);
  const text = 'UPDATE refunds SET transaction_entered = false';
  await harness.database.query({ text });
  const remove = `DELETE FROM outgoing_transactions WHERE operator_tx_id = 'OP-R1'`;
  await harness.database.query({ text: remove });
  await enter(harness);
  const account = 'walletid@loja';
  assert.deepEqual(await entered(harness), [`${account}/REFUND/OP-R0`, `${account}/REVERSAL/OP-V`]);
  assert.equal((await harness.review()).length, 1);
});

test("lists but does not book a return by another payment's debit; ignores its own payment's debit", async (context) => {
  const harness = await openHarness(context);
  await givenBack(harness, ['OP-1', 'OP-8', 'OP-2']);
  await forget(harness);
  assert.equal(await enter(harness), 4);
  assert.deepEqual(await entered(harness), ['/REFUND/OP-2', '/REVERSAL/OP-V']);
  const items = await harness.review();
  assert.deepEqual(
    items.map(({ kind, detail }) => [kind, (detail.booked as { kind: string }).kind]),
    [
      ['CLASH', 'DEBIT'],
      ['CLASH', 'DEBIT'],
    ],
  );
  assert.equal(await enter(harness), 0);
  assert.equal((await harness.review()).length, 2);
});

test('books nothing for merchants that only test', async (context) => {
  const harness = await openHarness(context, { mode: 'test' });
  harness.operator.known = { ...harness.operator.known, account: null };
  await givenBack(harness, ['OP-R0', 'OP-R0']);
  await forget(harness);
  assert.equal(await enter(harness), 3);
  assert.deepEqual(await entered(harness), []);
  assert.deepEqual(await harness.review(), []);
  assert.equal(await enter(harness), 0);
});
