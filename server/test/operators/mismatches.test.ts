/** The operator confirms a success that differs from our request: a person is told at once, and nothing is given up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperatorAnswer } from '../../src/integrations/operators/operator.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { closeReviewItems } from '../../src/money/review/store.ts';
import { type Harness, openHarness, timing } from './harness.ts';
import { type Kind, refunds, reversals } from './kinds.ts';
import { notFound, pending, refused, success, unreachable } from './scripted.ts';

const reported = {
  operatorTxId: 'OP-1',
  amount: '1.00,00',
  currency: 'CVE',
  type: 'merchantpay',
  reference: null,
};
const mismatch: OperatorAnswer = { kind: 'unknown', progress: 'MISMATCH', reported };
/** The same for the transaction that then returns the money. */
const mismatchOf = ({ success }: Kind): OperatorAnswer => {
  assert.equal(success.kind, 'succeeded');
  return { ...mismatch, reported: { ...reported, operatorTxId: success.operatorTxId } };
};
const { watchMs } = timing;

const listed = async (harness: Harness) => (await harness.review()).map(({ kind }) => kind);

const events = async ({ database }: Harness, type: string) =>
  (await database.query({ text: 'SELECT FROM events WHERE type = $1' }, [type])).length;

test('tells a person at once, and keeps the payment open for as long as it is watched', async (context) => {
  const harness = await openHarness(context);
  harness.operator.onRequestDebit = () => mismatch;
  const payment = await harness.sent();
  assert.deepEqual(await listed(harness), ['MISMATCH']);
  const [item] = await harness.review();
  const { status, amountMinor, currency } = payment;
  assert.deepEqual(item?.detail, {
    booked: { status, operatorTxId: null, amountMinor: amountMinor.toString(), currency },
    told: {
      transactionReference: 'OP-1',
      transactionStatus: 'succeeded',
      amount: reported.amount,
      currency: 'CVE',
      type: 'merchantpay',
      reference: null,
    },
  });
  const answers = [mismatch, pending, notFound, unreachable];
  let asked = 0;
  harness.operator.onQueryDebit = () => answers[asked++ % answers.length]!;
  await harness.workFor(watchMs - 60_000);
  assert.ok(asked > 20, 'it is asked about meanwhile');
  assert.equal((await harness.payment(payment)).status, status);
  assert.equal(await events(harness, 'payment.expired'), 0);
  assert.deepEqual(await listed(harness), ['MISMATCH']);
  await harness.workFor(watchMs);
  assert.equal((await harness.payment(payment)).status, 'EXPIRED');
  assert.deepEqual((await listed(harness)).toSorted(), ['MISMATCH', 'UNCLEAR']);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('ends the payment by the right success that comes later, and closes the item', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => mismatch;
  await harness.workFor(3_600_000);
  assert.deepEqual(await listed(harness), ['MISMATCH']);
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.workFor(4 * 3_600_000);
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await listed(harness), []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('keeps the item if the right success has another transaction: both may have been debited', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => mismatch;
  await harness.workFor(3_600_000);
  harness.operator.onQueryDebit = () => success('OP-2', 10_000n);
  await harness.workFor(4 * 3_600_000);
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await listed(harness), ['MISMATCH']);
});

for (const kind of [refunds, reversals]) {
  test(`keeps the item if the right success of a ${kind.name} has another transaction`, async (context) => {
    const harness = await openHarness(context);
    const id = await kind.begin(harness);
    const other = { ...mismatch, reported: { ...reported, operatorTxId: 'OP-OTHER' } };
    kind.onSend(harness, () => other);
    kind.onQuery(harness, () => other);
    await harness.work();
    kind.onQuery(harness, () => kind.success);
    await harness.workFor(4 * 3_600_000);
    assert.equal((await kind.now(harness, id)).status, 'SUCCEEDED');
    assert.deepEqual(await listed(harness), ['MISMATCH']);
  });
}

test('keeps a success whose transaction cannot be read for now, and reports it once the payment would expire', async (context) => {
  const harness = await openHarness(context);
  harness.operator.onRequestDebit = () => ({ ...mismatch, progress: 'UNREACHABLE' });
  const payment = await harness.sent();
  assert.deepEqual(await listed(harness), []);
  harness.operator.onQueryDebit = () => ({ ...mismatch, progress: 'UNREACHABLE' });
  await harness.workFor(watchMs - 60_000);
  assert.equal((await harness.payment(payment)).status, payment.status);
  assert.deepEqual(await listed(harness), ['MISMATCH']);
});

test('treats a later failure as a contradiction: the payment stays open, and a person must look into it', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => mismatch;
  await harness.workFor(3_600_000);
  harness.operator.onQueryDebit = () => ({ kind: 'failed', failureCode: 'PAYER_DECLINED' });
  await harness.workFor(4 * 3_600_000);
  assert.equal((await harness.payment(payment)).status, payment.status);
  assert.deepEqual(await listed(harness), ['MISMATCH', 'CONTRADICTION']);
  await harness.workFor(watchMs);
  const { status, failureCode, dueAtMs } = await harness.payment(payment);
  assert.deepEqual([status, failureCode, dueAtMs], ['EXPIRED', 'CONFIRMATION_TIMEOUT', null]);
  assert.deepEqual(await listed(harness), ['MISMATCH', 'CONTRADICTION', 'UNCLEAR']);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('ends nothing by a later failure of a cancelled payment either', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  await harness.cancel(payment);
  harness.operator.onQueryDebit = () => mismatch;
  await harness.workFor(3_600_000);
  harness.operator.onQueryDebit = () => refused;
  await harness.workFor(4 * 3_600_000);
  assert.notEqual((await harness.payment(payment)).dueAtMs, null, 'it is still asked about');
  assert.deepEqual(await listed(harness), ['MISMATCH', 'CONTRADICTION']);
  await harness.workFor(watchMs);
  assert.deepEqual(await listed(harness), ['MISMATCH', 'CONTRADICTION', 'UNCLEAR']);
});

test('lists a payment that was cancelled before too, and returns a success that then is clear', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  await harness.useCases.cancel(harness.tenantId, payment.id);
  harness.operator.onQueryDebit = () => mismatch;
  await harness.workFor(3_600_000);
  assert.deepEqual(await listed(harness), ['MISMATCH']);
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  harness.operator.onReverse = () => success('OP-2', 10_000n);
  await harness.workFor(4 * 3_600_000);
  assert.deepEqual(await listed(harness), []);
  assert.deepEqual(await harness.balances(), {});
});

test('forbids the cancel while the operator reports a debit that does not match', async (context) => {
  const harness = await openHarness(context);
  harness.operator.onRequestDebit = () => mismatch;
  const payment = await harness.sent();
  const cancelled = harness.useCases.cancel(harness.tenantId, payment.id);
  await assert.rejects(cancelled, { code: 'INVALID_STATE', message: /does not match/ });
});

test('does not send a payment that the ledger calls unsent when the operator reports it', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.create();
  const text = `UPDATE payments SET due_at = created_at`;
  await harness.database.query({ text });
  harness.operator.onQueryDebit = () => mismatch;
  await harness.work();
  assert.equal((await harness.payment(payment)).status, 'OPERATOR_PENDING');
  harness.operator.onQueryDebit = () => notFound;
  await harness.workFor(3_600_000);
  assert.equal(harness.operator.count('requestDebit'), 0);
  assert.deepEqual(await listed(harness), ['MISMATCH']);
});

for (const kind of [refunds, reversals]) {
  test(`tells a person at once about a ${kind.name} too, and closes the item after a clear answer`, async (context) => {
    const harness = await openHarness(context);
    const id = await kind.begin(harness);
    kind.onSend(harness, () => mismatchOf(kind));
    kind.onQuery(harness, () => mismatchOf(kind));
    await harness.work();
    assert.deepEqual(await listed(harness), ['MISMATCH']);
    await harness.workFor(3_600_000);
    assert.deepEqual(await listed(harness), ['MISMATCH']);
    assert.ok(['PENDING', 'PROCESSING'].includes((await kind.now(harness, id)).status));
    kind.onQuery(harness, () => kind.success);
    await harness.workFor(4 * 3_600_000);
    assert.equal((await kind.now(harness, id)).status, 'SUCCEEDED');
    assert.deepEqual(await listed(harness), []);
  });
}

for (const kind of [refunds, reversals]) {
  for (const [name, answer] of [
    ['refuses', refused],
    ['does not find', notFound],
  ] as const) {
    test(`does not give up a ${kind.name} that the operator ${name} after such a success`, async (context) => {
      const harness = await openHarness(context);
      harness.operator.known = { ...harness.operator.known, deduplicates: true };
      const id = await kind.begin(harness);
      kind.onSend(harness, () => mismatchOf(kind));
      await harness.work();
      kind.onQuery(harness, () => answer);
      const before = await harness.balances();
      await harness.workFor(2 * watchMs);
      const { tenantId } = harness;
      const processor = harness.useCases[`${kind.name as 'refund' | 'reversal'}Processor`];
      await processor.notify({ tenantId, reference: id, answer: refused });
      assert.equal((await kind.now(harness, id)).status, 'PROCESSING');
      assert.equal(harness.operator.count('reverse'), 1, 'it is sent once');
      assert.deepEqual(harness.notReceived, []);
      assert.deepEqual(await harness.balances(), before);
      const kinds = (await listed(harness)).toSorted();
      assert.deepEqual(kinds, ['CONTRADICTION', 'MISMATCH', 'UNCLEAR']);
      kind.onQuery(harness, () => kind.success);
      await processor.hint(tenantId, id);
      assert.equal((await kind.now(harness, id)).status, 'SUCCEEDED');
      assert.deepEqual(await listed(harness), ['CONTRADICTION'], 'that one is for a person');
    });
  }
}

test("does not give up a refund after a failure if it was returned by another's transaction", async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.debited('OP-1');
  harness.operator.onReverse = () => success('OP-R', 4_000n);
  await harness.refund(payment, 4_000n);
  await harness.work();
  const second = await harness.refund(payment, 4_000n);
  await harness.work();
  harness.operator.onQueryReversal = () => refused;
  await harness.workFor(3_600_000);
  assert.equal((await harness.refundNow(second)).status, 'PROCESSING');
  assert.deepEqual(await listed(harness), ['CLASH', 'CONTRADICTION']);
});

test('reopens a closed item that is reported again, unless a person closed the very same', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.debited('OP-9');
  const { requestReview } = harness.useCases.processorDependencies;
  const tell = (status: string) => {
    const detail = { booked: { status }, told: reported };
    return requestReview('PAYMENT', payment, { kind: 'MISMATCH', about: 'OP-1', detail });
  };
  const close = async (by: string) => {
    const { tenantId, id: subjectId } = payment;
    const closing = { tenantId, subjectId, nowMs: harness.nowMs, by, reason: 'known' };
    assert.equal(await closeReviewItems(harness.database, closing), 1);
  };
  await tell('OPERATOR_PENDING');
  await close('Ana');
  await tell('OPERATOR_PENDING');
  assert.deepEqual(await listed(harness), [], 'she has seen it');
  harness.wait(60_000);
  await tell('DEBITED');
  const [item] = await harness.review();
  assert.deepEqual([item?.createdAtMs, item?.closedBy], [harness.nowMs, null]);
  await close('gateway');
  await tell('DEBITED');
  assert.deepEqual(await listed(harness), ['MISMATCH'], 'no person has seen it');
});

test('removes a return from the list once a callback led to the right success', async (context) => {
  for (const kind of [refunds, reversals]) {
    const harness = await openHarness(context);
    const id = await kind.begin(harness);
    kind.onSend(harness, () => mismatchOf(kind));
    await harness.work();
    assert.deepEqual(await listed(harness), ['MISMATCH'], kind.name);
    kind.onQuery(harness, () => kind.success);
    const name = kind === refunds ? 'REFUND' : 'REVERSAL';
    await harness.callBack(
      name,
      { tenantId: harness.tenantId, id },
      { ...reported, transactionReference: 'OP-9', transactionStatus: 'completed' },
    );
    await harness.handleCallbacksFor(5_000);
    assert.equal((await kind.now(harness, id)).status, 'SUCCEEDED', kind.name);
    assert.deepEqual(await listed(harness), [], kind.name);
  }
});

for (const kind of [refunds, reversals]) {
  test(`keeps a ${kind.name} open after an authentic callback of another amount, without queries`, async (context) => {
    const harness = await openHarness(context);
    const id = await kind.begin(harness);
    harness.operator.known = { ...harness.operator.known, answersQueries: false };
    await harness.work();
    const { tenantId } = harness;
    const name = kind === refunds ? 'REFUND' : 'REVERSAL';
    const address = { operator: 'CVMOVEL', kind: name, tenantId, reference: id } as const;
    const about = { currency: 'CVE', requestingOrganisationTransactionReference: id };
    for (const [transactionStatus, amount] of [
      ['completed', '77.00'],
      ['failed', kind === refunds ? '40' : '100'],
    ] as const) {
      const body = { transactionReference: 'OP-R', transactionStatus, amount, ...about };
      await harness.useCases.take({ address, authenticated: true, body });
      await harness.handleCallbacks();
    }
    assert.equal((await kind.now(harness, id)).status, 'PROCESSING');
  });
}

test('uses the callback that names our reference after one that does not, without queries', async (context) => {
  const harness = await openHarness(context);
  harness.operator.known = { ...harness.operator.known, answersQueries: false };
  const payment = await harness.sent();
  const { tenantId, id: reference } = payment;
  const address = { operator: 'CVMOVEL', kind: 'DEBIT', tenantId, reference } as const;
  const told = { transactionReference: 'OP-1', transactionStatus: 'completed', amount: '100' };
  for (const named of [{}, { requestingOrganisationTransactionReference: reference }]) {
    const body = { ...told, currency: 'CVE', ...named };
    await harness.useCases.take({ address, authenticated: true, body });
    await harness.handleCallbacks();
  }
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
});

test('debits nothing for a debit of another phone, without queries', async (context) => {
  const harness = await openHarness(context);
  harness.operator.known = { ...harness.operator.known, answersQueries: false };
  harness.operator.onQueryDebit = () => pending;
  const payment = await harness.sent();
  const { tenantId, id: reference, operatorPhone } = payment;
  const address = { operator: 'CVMOVEL', kind: 'DEBIT', tenantId, reference } as const;
  for (const [value, status] of [
    ['+2389999999', payment.status],
    [operatorPhone, 'DEBITED'],
  ] as const) {
    const body = {
      transactionReference: `OP-${value.length}${status}`,
      transactionStatus: 'completed',
      amount: '100',
      currency: 'CVE',
      requestingOrganisationTransactionReference: reference,
      debitParty: [{ key: 'msisdn', value }],
    };
    await harness.useCases.take({ address, authenticated: true, body });
    await harness.handleCallbacks();
    assert.equal((await harness.payment(payment)).status, status);
  }
});

test('keeps a payment open after an authentic callback of another amount, without queries', async (context) => {
  const harness = await openHarness(context);
  harness.operator.known = { ...harness.operator.known, answersQueries: false };
  harness.operator.onQueryDebit = () => pending;
  const { tenantId, id: reference } = await harness.sent();
  const address = { operator: 'CVMOVEL', kind: 'DEBIT', tenantId, reference } as const;
  const told = {
    transactionReference: 'OP-1',
    transactionStatus: 'completed',
    currency: 'CVE',
    requestingOrganisationTransactionReference: reference,
  };
  const tell = async (amount: string) => {
    const body = { ...told, amount };
    await harness.useCases.take({ address, authenticated: true, body });
    await harness.handleCallbacks();
  };
  await tell('100,00');
  assert.deepEqual(await listed(harness), ['CONTRADICTION']);
  await harness.workFor(watchMs - 60_000);
  assert.equal((await harness.payment({ tenantId, id: reference })).status, 'OPERATOR_PENDING');
  await tell('100.00');
  assert.equal((await harness.payment({ tenantId, id: reference })).status, 'DEBITED');
});
