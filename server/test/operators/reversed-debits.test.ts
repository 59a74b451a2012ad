/** The operator calls a booked debit failed or reversed: none of it is returned a second time. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { OperatorAnswer } from '../../src/integrations/operators/operator.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import type { Payment } from '../../src/money/payments/payment.ts';
import { findRefundableAmount } from '../../src/money/refunds/refundable-amount.ts';
import { debitRequest, startGsma } from './adapter.ts';
import { refunds } from './kinds.ts';
import { debit, recoverWorld } from './recover-world.ts';
import { pending, refused, success } from './scripted.ts';

const hourMs = 3_600_000;

const reversed: OperatorAnswer = {
  kind: 'failed',
  failureCode: 'OPERATOR_REJECTED',
  isReversed: true,
};
const nothingLeft = { code: 'REFUND_EXCEEDS_PAYMENT' };

async function world(context: TestContext) {
  const base = await recoverWorld(context);
  const { harness, rows, run } = base;
  const lateMinor = async ({ id }: Payment) => {
    const text = 'SELECT late_refund_minor AS minor FROM payments WHERE id = $1';
    return (await harness.database.query<{ minor: bigint }>({ text }, [id]))[0]!.minor;
  };
  const leftMinor = async ({ tenantId, id }: Payment) =>
    (await findRefundableAmount(harness.database, tenantId, id))?.leftMinor;
  /** The operator calls back, and gives the same answer to a query. */
  const live = async (payment: Payment, answer: OperatorAnswer = reversed) => {
    harness.operator.onQueryDebit = () => answer;
    const transactionStatus = answer === reversed ? 'reversed' : 'failed';
    const body = { ...debit('TX-1', payment.id), transactionStatus };
    assert.equal(await harness.callBack('DEBIT', payment, body), 'TAKEN');
    await harness.handleCallbacksFor(60_000);
  };
  const recover = async (payment: Payment) => {
    if (rows.length === 0) {
      rows.push(debit('TX-1', payment.id, { transactionStatus: 'reversed' }));
    }
    await run();
  };
  /** A partial refund that the operator has carried out. */
  const refunded = async (payment: Payment, amountMinor: bigint) => {
    const { id: reference, tenantId } = await harness.refund(payment, amountMinor);
    const answer = success(`RV-${amountMinor}`, amountMinor);
    await harness.useCases.refundProcessor.notify({ tenantId, reference, answer });
  };
  const close = async () => {
    for (const { id } of await base.list()) {
      const ended = await base.zimbo('review', 'close', id, '--reason', 'the debit stands');
      assert.equal(ended.code, 0, ended.all);
    }
  };
  return { ...base, lateMinor, leftMinor, live, recover, refunded, close };
}

for (const answer of [reversed, refused]) {
  const what = answer === reversed ? 'reversed' : 'failed';
  test(`lists a debit that ${what} once, and refunds none of it before a person has looked`, async (context) => {
    const { harness, live, lateMinor, list, close } = await world(context);
    const payment = await harness.debited('TX-1');
    await live(payment, answer);
    await harness.useCases.processor.hint(harness.tenantId, payment.id);
    const said = (await list()).map((each) => `${each.kind}: ${each.operatorSays}`);
    const words = answer === reversed ? 'reversed by the operator' : 'failed (OPERATOR_REJECTED)';
    assert.deepEqual(said, [`CONTRADICTION: ${words}`]);
    assert.equal(await lateMinor(payment), 10_000n);
    for (const amountMinor of [null, 1n]) {
      await assert.rejects(harness.refund(payment, amountMinor), nothingLeft);
    }
    assert.deepEqual(await checkLedger(harness.database), []);
    await close();
    assert.equal(await lateMinor(payment), 0n);
    await live(payment, answer);
    assert.deepEqual(await list(), [], 'a person has seen it');
    await harness.refund(payment, null);
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}

test('reserves a reversed debit after an authentic callback, without queries', async (context) => {
  const { harness, lateMinor, list } = await world(context);
  const payment = await harness.debited('TX-1');
  harness.operator.known = { ...harness.operator.known, answersQueries: false };
  const body = debit('TX-1', payment.id, { transactionStatus: 'reversed' });
  const { tenantId, id: reference } = payment;
  const address = { operator: 'CVMOVEL', kind: 'DEBIT', tenantId, reference } as const;
  await harness.useCases.take({ address, authenticated: true, body });
  await harness.handleCallbacksFor(60_000);
  assert.equal((await list()).length, 1);
  assert.equal(await lateMinor(payment), 10_000n);
});

for (const order of ['list first', 'answer first']) {
  test(`makes one item of a reversed debit from the operator’s list and answers, ${order}`, async (context) => {
    const { harness, live, recover, lateMinor, list } = await world(context);
    const payment = await harness.debited('TX-1');
    const told = [() => recover(payment), () => live(payment)];
    for (const tell of order === 'list first' ? told : told.toReversed()) await tell();
    await recover(payment);
    assert.equal((await list()).length, 1);
    assert.equal(await lateMinor(payment), 10_000n);
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}

test('keeps an unsent refund waiting until a person has closed the item', async (context) => {
  const { harness, live, close } = await world(context);
  const payment = await harness.debited('TX-1');
  const { id } = await harness.refund(payment, 4_000n);
  await live(payment);
  await harness.workFor(2 * hourMs);
  assert.equal(harness.operator.count('reverse'), 0);
  assert.equal((await refunds.now(harness, id)).status, 'PENDING');
  await close();
  await harness.workFor(2 * hourMs);
  assert.equal(harness.operator.count('reverse'), 1);
});

test('never reserves more than the remainder after refunds that were made, or are under way', async (context) => {
  const { harness, live, refunded, leftMinor, lateMinor, close } = await world(context);
  const payment = await harness.debited('TX-1');
  await refunded(payment, 3_000n);
  await harness.refund(payment, 2_000n);
  await live(payment);
  assert.equal(await leftMinor(payment), 0n);
  assert.equal(await lateMinor(payment), 10_000n);
  await assert.rejects(harness.refund(payment, null), nothingLeft);
  assert.deepEqual(await checkLedger(harness.database), []);
  await close();
  assert.equal(await leftMinor(payment), 5_000n);
  assert.equal(await lateMinor(payment), 0n);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('sees no contradiction in a debit that the operator calls reversed because it was refunded', async (context) => {
  const { harness, live, refunded, lateMinor, list } = await world(context);
  const payment = await harness.debited('TX-1');
  await refunded(payment, 10_000n);
  await live(payment);
  assert.deepEqual(await list(), []);
  assert.equal(await lateMinor(payment), 0n);
  const another = await harness.debited('TX-2');
  await harness.refund(another, null);
  harness.operator.onReverse = () => pending;
  await harness.work();
  await live(another);
  assert.deepEqual(await list(), [], 'the refund is under way');
});

test('distinguishes a reversed debit from a failed one', async (context) => {
  const { provider, operator } = await startGsma(context);
  const told = { ...debit('TX-1', null), amount: '1' };
  for (const transactionStatus of ['reversed', 'failed']) {
    provider.fault = () => ({ status: 201, body: { ...told, transactionStatus } });
    const answer = await operator.requestDebit(debitRequest());
    const expected: OperatorAnswer = transactionStatus === 'reversed' ? reversed : refused;
    assert.deepEqual(answer, expected, transactionStatus);
  }
});
