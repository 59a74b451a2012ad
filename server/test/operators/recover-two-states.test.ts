/** `zimbo operators recover`, and a list that has one transaction twice, in two states. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { debit, givenBack, recoverWorld } from './recover-world.ts';
import { notFound, success } from './scripted.ts';

const as = (transactionStatus: string) => ({ transactionStatus });

const orders = [
  ['the success first', <Row>(rows: Row[]) => rows],
  ['the success last', <Row>(rows: Row[]) => rows.toReversed()],
] as const;

for (const [order, ordered] of orders) {
  test(`books but does not refund a debit that succeeded and was reversed: ${order}`, async (context) => {
    const { harness, rows, run, list } = await recoverWorld(context);
    const payment = await harness.sent();
    const [reversed, failed] = [await harness.sent(), await harness.sent()];
    rows.push(
      ...ordered([
        debit('TX-1', payment.id),
        debit('TX-2', failed.id),
        debit('TX-3', reversed.id),
        debit('TX-3', null, as('reversed')),
        debit('TX-2', failed.id, as('failed')),
        debit('TX-9', payment.id, as('failed')),
      ]),
    );
    const counts = { debitsBooked: 3, debitsListed: 2, debitsFailed: 1 };
    assert.deepEqual(await run('--dry-run'), counts);
    assert.deepEqual(await run(), counts);
    assert.deepEqual(await run(), { debitsKnown: 3, debitsListed: 2, debitsFailed: 1 });
    assert.deepEqual((await list()).map(({ operatorSays }) => operatorSays).toSorted(), [
      'in its list, failed, 100.00 CVE, TX-2',
      'in its list, failed, 100.00 CVE, TX-3',
    ]);
    for (const each of [reversed, failed]) {
      assert.equal((await harness.payment(each)).status, 'DEBITED');
      await assert.rejects(harness.refund(each, 1n), /Nothing of this payment is left/);
    }
    assert.equal((await harness.refund(payment, null)).amountMinor, 10_000n);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`does not return a debit in suspense again that was reversed: ${order}`, async (context) => {
    const { harness, rows, run, list, zimbo } = await recoverWorld(context);
    const payment = await harness.debited('TX-1');
    const lost = randomUUID();
    rows.push(
      ...ordered([
        debit('TX-2', payment.id),
        debit('TX-9', lost),
        debit('TX-9', lost, as('reversed')),
        debit('TX-2', payment.id, as('reversed')),
      ]),
    );
    const found = { debitsReversed: 1, debitsHeld: 1, debitsListed: 2 };
    assert.deepEqual(await run('--dry-run'), found);
    assert.deepEqual(await run(), found);
    const before = await list();
    assert.deepEqual(await run(), { debitsKnown: 2, debitsListed: 2 });
    harness.operator.onQueryReversal = () => notFound;
    harness.operator.onReverse = () => success('RV-1', 10_000n);
    harness.nowMs = Date.now();
    await harness.workFor(60_000);
    assert.equal(harness.operator.count('reverse'), 0);
    assert.deepEqual(
      (await list())
        .filter(({ kind }) => kind !== 'HELD')
        .map(({ id }) => id)
        .toSorted(),
      before.map(({ id }) => id).toSorted(),
    );
    for (const { id } of await harness.reversals()) {
      assert.match((await zimbo('review', 'resolve', id, '--reverse')).all, /back already/);
    }
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`shows a refund that both finished and failed to a person: ${order}`, async (context) => {
    const { harness, rows, run, list } = await recoverWorld(context);
    const payment = await harness.debited('TX-1');
    const refund = await harness.refund(payment, 4_000n);
    const done = givenBack('RV-1', refund.id, 'TX-1');
    rows.push(...ordered([done, { ...done, ...as('failed') }]));
    const counts = { givenBackBooked: 1, givenBackListed: 1 };
    assert.deepEqual(await run('--dry-run'), counts);
    assert.deepEqual(await run(), counts);
    assert.deepEqual(await run(), { givenBackKnown: 1, givenBackListed: 1 });
    assert.deepEqual(
      (await list()).map(({ kind, operatorSays }) => `${kind} ${operatorSays}`),
      ['CONTRADICTION in its list, failed, 40.00 CVE, RV-1'],
    );
    assert.equal((await harness.refundNow(refund)).status, 'SUCCEEDED');
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}
