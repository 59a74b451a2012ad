/** The operator confirms a success that is not what we asked for: somebody is told at once, and nothing is given up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import type { OperatorAnswer } from '../../src/operators/operator.ts';
import { type Harness, openHarness, timing } from './harness.ts';
import { refunds, reversals } from './kinds.ts';
import { notFound, pending, success, unreachable } from './scripted.ts';

const told = {
  operatorTxId: 'OP-1',
  amount: '1.00,00',
  currency: 'CVE',
  type: 'merchantpay',
  reference: null,
};
const mismatch: OperatorAnswer = { kind: 'unknown', progress: 'MISMATCH', told };
const { watchMs } = timing;

const listed = async (harness: Harness) => (await harness.review()).map(({ kind }) => kind);

const events = async ({ database }: Harness, type: string) =>
  (await database.query({ text: 'SELECT FROM events WHERE type = $1' }, [type])).length;

test('a person is told at once, and the payment stays open for as long as it is watched', async (context) => {
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
      amount: told.amount,
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

for (const [name, answer, status] of [
  ['the right success', success('OP-1', 10_000n), 'DEBITED'],
  ['a definite failure', { kind: 'failed', failureCode: 'PAYER_DECLINED' }, 'FAILED'],
] as const) {
  test(`${name} that comes later ends it, and closes the item`, async (context) => {
    const harness = await openHarness(context);
    const payment = await harness.sent();
    harness.operator.onQueryDebit = () => mismatch;
    await harness.workFor(3_600_000);
    assert.deepEqual(await listed(harness), ['MISMATCH']);
    harness.operator.onQueryDebit = () => answer;
    await harness.workFor(4 * 3_600_000);
    assert.equal((await harness.payment(payment)).status, status);
    assert.deepEqual(await listed(harness), []);
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}

test('one that was cancelled before is listed too, and a success that is clear then goes back', async (context) => {
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

test('while the operator tells of a debit that does not match, nobody cancels the payment', async (context) => {
  const harness = await openHarness(context);
  harness.operator.onRequestDebit = () => mismatch;
  const payment = await harness.sent();
  const cancelled = harness.useCases.cancel(harness.tenantId, payment.id);
  await assert.rejects(cancelled, { code: 'INVALID_STATE', message: /does not match/ });
});

test('one that the ledger takes for unsent is not sent when the operator tells of it', async (context) => {
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
  test(`of a ${kind.name} a person is told at once too, and a clear answer closes the item`, async (context) => {
    const harness = await openHarness(context);
    const id = await kind.begin(harness);
    kind.onSend(harness, () => mismatch);
    kind.onQuery(harness, () => mismatch);
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

test('what goes back is off the list once a callback led to the right success', async (context) => {
  for (const kind of [refunds, reversals]) {
    const harness = await openHarness(context);
    const id = await kind.begin(harness);
    kind.onSend(harness, () => mismatch);
    await harness.work();
    assert.deepEqual(await listed(harness), ['MISMATCH'], kind.name);
    kind.onQuery(harness, () => kind.success);
    const name = kind === refunds ? 'REFUND' : 'REVERSAL';
    await harness.callBack(
      name,
      { tenantId: harness.tenantId, id },
      { ...told, transactionReference: 'OP-9', transactionStatus: 'completed' },
    );
    await harness.handleCallbacksFor(5_000);
    assert.equal((await kind.now(harness, id)).status, 'SUCCEEDED', kind.name);
    assert.deepEqual(await listed(harness), [], kind.name);
  }
});

test('of an operator that cannot be asked, a proven word of another amount keeps the payment open', async (context) => {
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
