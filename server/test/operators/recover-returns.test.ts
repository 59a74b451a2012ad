/** `zimbo operators recover`, and returns that a restored backup lacks. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import type { DomainError } from '../../src/platform/errors/errors.ts';
import { debit, givenBack, recoverWorld } from './recover-world.ts';
import { notFound, refused, success } from './scripted.ts';

const exceeds = (words: RegExp) => (error: Error & { code?: string }) => {
  assert.equal(error.code, 'REFUND_EXCEEDS_PAYMENT');
  assert.match(error.message, words);
  return true;
};

async function world(context: TestContext) {
  const base = await recoverWorld(context);
  const lateMinor = async (id: string) => {
    const text = 'SELECT late_refund_minor AS minor FROM payments WHERE id = $1';
    const [row] = await base.harness.database.query<{ minor: bigint }>({ text }, [id]);
    return row!.minor;
  };
  return { ...base, lateMinor };
}

test('keeps the amount of a forgotten refund unrefundable until a person closes its item', async (context) => {
  const { harness, rows, run, list, zimbo, lateMinor } = await world(context);
  const payment = await harness.debited('TX-1');
  rows.push(givenBack('TX-2', randomUUID(), 'TX-1', '100'), debit('TX-1', payment.id));
  await run('--dry-run');
  assert.equal(await lateMinor(payment.id), 0n, 'a dry run reserves nothing');
  assert.deepEqual(await run(), { debitsKnown: 1, givenBackListed: 1 });
  await run();
  assert.equal(await lateMinor(payment.id), 10_000n, 'it is reserved once');
  const words =
    /^Nothing of this payment is left to refund\..* The operator has already returned 10000 of it outside these refunds/;
  for (const amountMinor of [null, 10_000n, 1n]) {
    await assert.rejects(harness.refund(payment, amountMinor), exceeds(words));
  }
  assert.deepEqual(await checkLedger(harness.database), []);
  const [item] = await list();
  assert.equal((await zimbo('review', 'close', item!.id, '--reason', 'not ours')).code, 0);
  assert.equal(await lateMinor(payment.id), 0n);
  assert.equal((await harness.refund(payment, null)).amountMinor, 10_000n);
  await run();
  assert.equal(await lateMinor(payment.id), 0n, 'what was closed stays closed');
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('refunds nothing more while a returned part waits for a person, not even an amount that would fit', async (context) => {
  const { harness, rows, run, list, zimbo } = await world(context);
  const payment = await harness.debited('TX-1');
  rows.push(givenBack('TX-2', randomUUID(), 'TX-1', '40'));
  assert.deepEqual(await run(), { givenBackListed: 1 });
  // The merchant repeats the refund that the backup lacks.
  for (const amountMinor of [4_000n, 6_000n, null]) {
    await assert.rejects(harness.refund(payment, amountMinor), (error: DomainError) => {
      assert.equal(error.code, 'INVALID_STATE');
      assert.match(error.message, /^The operator has returned 4000 of this payment outside its/);
      return true;
    });
  }
  await assert.rejects(harness.refund(payment, 6_001n), exceeds(/^amount must be at most 6000,/));
  const other = await harness.debited('TX-3');
  assert.equal((await harness.refund(other, 4_000n)).amountMinor, 4_000n);
  assert.deepEqual(await checkLedger(harness.database), []);
  const [item] = await list();
  assert.equal((await zimbo('review', 'close', item!.id, '--reason', 'settled')).code, 0);
  assert.equal((await harness.refund(payment, 6_000n)).amountMinor, 6_000n);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('explains a return after a refund had FAILED: the remainder can be refunded', async (context) => {
  const { harness, rows, run } = await world(context);
  const payment = await harness.debited('TX-1');
  const failed = await harness.refund(payment, 1_000n);
  const { tenantId, id: reference } = failed;
  harness.operator.onReverse = () => refused;
  harness.nowMs = Date.now();
  await harness.work();
  const answer = success('TX-2', 1_000n);
  await harness.useCases.refundProcessor.notify({ tenantId, reference, answer });
  assert.equal((await harness.refund(payment, 2_000n)).amountMinor, 2_000n);
  rows.push(givenBack('TX-3', randomUUID(), 'TX-1', '40'));
  await run();
  await assert.rejects(harness.refund(payment, 1n), /has returned 4000 of this payment/);
});

test('leaves at most the remainder after a returned part, also for concurrent refunds', async (context) => {
  const { harness, rows, run } = await world(context);
  const payment = await harness.debited('TX-1');
  await harness.refund(payment, 1_000n);
  rows.push(givenBack('TX-2', randomUUID(), 'TX-1', '40'));
  const refunds = Array.from({ length: 20 }, () => harness.refund(payment, 1_000n));
  const [made] = await Promise.all([Promise.allSettled(refunds), run()]);
  const more = await Promise.allSettled(
    Array.from({ length: 10 }, () => harness.refund(payment, 1_000n)),
  );
  assert.ok(more.every(({ status }) => status === 'rejected'));
  const done = made.filter(({ status }) => status === 'fulfilled').length;
  assert.ok(done <= 9, String(done));
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('reserves a return whose debit comes later in the list, or that names the payment, too', async (context) => {
  const { harness, rows, run, list, lateMinor } = await world(context);
  const lost = await harness.sent();
  const [own, second] = [await harness.debited('TX-3'), await harness.debited('TX-5')];
  const refund = await harness.refund(second, 2_000n);
  await harness.useCases.refundProcessor.notify({
    tenantId: harness.tenantId,
    reference: refund.id,
    answer: { kind: 'succeeded', operatorTxId: 'TX-6', amountMinor: 2_000n },
  });
  const { originalTransactionReference: _, ...unnamed } = givenBack('TX-4', own.id, '', '6');
  rows.push(
    givenBack('TX-2', randomUUID(), 'TX-1', '100'),
    unnamed,
    givenBack('TX\0-7', refund.id, 'TX-5', '20'),
    { ...givenBack('TX-8', randomUUID(), 'TX-5', '1'), type: 'cashback' },
    givenBack('TX-9', randomUUID(), 'TX-5', 'many'),
    debit('TX-1', lost.id),
  );
  assert.deepEqual(await run(), { debitsBooked: 1, givenBackListed: 5 });
  assert.deepEqual(await Promise.all([lost, own, second].map(({ id }) => lateMinor(id))), [
    10_000n,
    600n,
    2_000n + 100n + 10_000n,
  ]);
  assert.equal((await list()).length, 5);
  await assert.rejects(harness.refund(lost, 1n), exceeds(/^Nothing/));
  await assert.rejects(harness.refund(own, 9_401n), exceeds(/^amount must be at most 9400,/));
  await assert.rejects(harness.refund(second, 1n), exceeds(/^Nothing/));
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('does not return a late debit that the operator has returned on its own', async (context) => {
  const { harness, rows, run } = await world(context);
  const known = await harness.debited('TX-1');
  rows.push(givenBack('TX-3', randomUUID(), 'TX-2', '100'), debit('TX-2', known.id));
  harness.operator.onQueryReversal = () => notFound;
  let asked = 0;
  harness.operator.onReverse = () => {
    asked += 1;
    return notFound;
  };
  assert.deepEqual(await run(), { debitsReversed: 1, givenBackListed: 1 });
  harness.nowMs = Date.now();
  await harness.workFor(60_000);
  assert.equal(asked, 0);
  assert.equal((await harness.reversals())[0]!.status, 'HELD');
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('reserves each of two returned parts under one id, and once', async (context) => {
  const { harness, rows, run, lateMinor, list } = await world(context);
  const payment = await harness.debited('TX-1');
  const at = (ageMs: number) => ({ creationDate: new Date(Date.now() - ageMs).toISOString() });
  rows.push(
    givenBack('TX-2', null, 'TX-1', '30'),
    givenBack('TX-2', null, 'TX-1', '50'),
    { ...givenBack('TX-2', null, 'TX-1', '5'), ...at(60_000) },
    { ...givenBack('TX-2', null, 'TX-1', '5'), ...at(120_000) },
  );
  assert.deepEqual(await run(), { givenBackListed: 4 });
  assert.equal(await lateMinor(payment.id), 9_000n);
  rows.reverse();
  assert.deepEqual(await run(), { givenBackListed: 4 });
  assert.deepEqual([await lateMinor(payment.id), (await list()).length], [9_000n, 4]);
  await assert.rejects(harness.refund(payment, 1_001n), exceeds(/at most 1000,/));
  assert.deepEqual(await checkLedger(harness.database), []);
});
