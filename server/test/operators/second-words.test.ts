/** The operator's answers after a definite one: booked if they are money, and shown to a person if they differ. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markDisbursementByHand } from '../../src/money/disbursements/lease-store.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { markByHand } from '../../src/money/payments/lease-store.ts';
import { markRefundByHand } from '../../src/money/refunds/lease-store.ts';
import { markReversalByHand } from '../../src/money/reversals/store.ts';
import type { ReviewItem } from '../../src/money/review/review-item.ts';
import { type Harness, openHarness } from './harness.ts';
import { debits, kinds, refunds, reversals } from './kinds.ts';
import { pending, refused, success } from './scripted.ts';

const dayMs = 86_400_000;

/** The subjects of items, and their kinds. */
const listed = async (harness: Harness) =>
  (await harness.review()).map(({ kind, subjectKind, subjectId }) => [
    kind,
    subjectKind,
    subjectId,
  ]);

async function theOne(harness: Harness): Promise<ReviewItem> {
  const items = await harness.review();
  assert.equal(items.length, 1, 'one is listed');
  return items[0]!;
}

test('reviews the transaction of a debited payment that is reported again with another amount', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.debited('OP-1');
  harness.operator.onQueryDebit = () => success('OP-1', 9_000n);
  await harness.useCases.processor.hint(payment.tenantId, payment.id);
  const item = await theOne(harness);
  assert.deepEqual([item.kind, item.subjectId], ['CONTRADICTION', payment.id]);
  assert.deepEqual(item.detail, {
    booked: { status: 'DEBITED', operatorTxId: 'OP-1', amountMinor: '10000', byHand: false },
    told: { kind: 'succeeded', operatorTxId: 'OP-1', amountMinor: '9000' },
  });
  const { status, dueAtMs } = await harness.payment(payment);
  assert.deepEqual([status, dueAtMs], ['DEBITED', null]);
  assert.deepEqual(await harness.reversals(), []);
});

test('shows a debit that the operator took back after its success to a person', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.debited('OP-1');
  harness.operator.onQueryDebit = () => refused;
  await harness.useCases.processor.hint(payment.tenantId, payment.id);
  assert.deepEqual(await listed(harness), [['CONTRADICTION', 'PAYMENT', payment.id]]);
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('reviews a debit being returned that is reported again with another amount', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  await harness.cancel(payment);
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.work();
  harness.operator.onQueryDebit = () => success('OP-1', 9_000n);
  await harness.useCases.processor.hint(payment.tenantId, payment.id);
  const [reversal, ...others] = await harness.reversals();
  assert.deepEqual(others, []);
  assert.equal(reversal!.amountMinor, 10_000n);
  const [item] = await harness.review();
  assert.deepEqual([item?.kind, item?.subjectId], ['CONTRADICTION', reversal!.id]);
  assert.deepEqual(item?.detail, {
    booked: { status: 'PENDING', operatorTxId: 'OP-1', amountMinor: '10000' },
    told: { operatorTxId: 'OP-1', amountMinor: '9000' },
  });
});

test('reserves a late return of a refund: no more than the remainder can be refunded', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.debited('OP-1');
  const refund = await harness.refund(payment, 4_000n);
  harness.operator.onReverse = () => refused;
  await harness.work();
  assert.equal((await harness.refundNow(refund)).status, 'FAILED');
  const { tenantId, id: reference } = refund;
  const answer = success('OP-R', 4_000n);
  for (let times = 0; times < 2; times++) {
    await harness.useCases.refundProcessor.notify({ tenantId, reference, answer });
  }
  const text = 'SELECT late_refund_minor AS late, refund_reserved_minor AS reserved FROM payments';
  assert.deepEqual(await harness.database.query({ text }), [{ late: 4_000n, reserved: 0n }]);
  assert.deepEqual(await listed(harness), [['CONTRADICTION', 'REFUND', refund.id]]);
  assert.deepEqual(await checkLedger(harness.database), []);
  const tooMuch = { code: 'REFUND_EXCEEDS_PAYMENT', message: /at most 6000/ };
  await assert.rejects(harness.refund(payment, 6_001n), tooMuch);
  const rest = await harness.refund(payment, null);
  assert.equal(rest.amountMinor, 6_000n);
  const nothing = { code: 'REFUND_EXCEEDS_PAYMENT', message: /Nothing of this payment is left/ };
  await assert.rejects(harness.refund(payment, 1n), nothing);
});

test('leaves nothing to refund if a refund was returned late after another took its place', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.debited('OP-1');
  const first = await harness.refund(payment, 10_000n);
  harness.operator.onReverse = ({ reference }) =>
    reference === first.id ? refused : success('OP-R2', 10_000n);
  await harness.work();
  await harness.refund(payment, 10_000n);
  await harness.work();
  const { tenantId, id: reference } = first;
  const answer = success('OP-R', 10_000n);
  await harness.useCases.refundProcessor.notify({ tenantId, reference, answer });
  const nothing = { code: 'REFUND_EXCEEDS_PAYMENT', message: /Nothing of this payment is left/ };
  await assert.rejects(harness.refund(payment, null), nothing);
  assert.equal((await harness.payment(payment)).status, 'REFUNDED');
  assert.equal((await harness.balances()).suspense, -10_000);
  assert.deepEqual(await checkLedger(harness.database), []);
});

for (const kind of [refunds, reversals]) {
  const subjectKind = kind.name.toUpperCase();
  const useCases = ({ useCases: { refundProcessor, reversalProcessor } }: Harness) =>
    kind === refunds ? refundProcessor : reversalProcessor;

  test(`shows a second success of a ${kind.name} under another transaction to a person: it was returned twice`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => kind.success);
    await harness.work();
    const { tenantId } = harness;
    assert.ok(kind.success.kind === 'succeeded');
    const { amountMinor } = kind.success;
    for (const operatorTxId of ['OP-R', 'OP-R2', 'OP-R2']) {
      kind.onQuery(harness, () => success(operatorTxId, amountMinor));
      await useCases(harness).hint(tenantId, reference);
    }
    const item = await theOne(harness);
    assert.deepEqual([item.subjectKind, item.subjectId], [subjectKind, reference]);
    assert.equal((item.detail.told as { operatorTxId: string }).operatorTxId, 'OP-R2');
    const { status, dueAtMs } = await kind.now(harness, reference);
    assert.deepEqual([status, dueAtMs], ['SUCCEEDED', null]);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`shows a refusal of a ${kind.name} after its success to a person, and changes nothing`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => kind.success);
    await harness.work();
    kind.onQuery(harness, () => refused);
    await useCases(harness).hint(harness.tenantId, reference);
    assert.deepEqual(await listed(harness), [['CONTRADICTION', subjectKind, reference]]);
    assert.equal((await kind.now(harness, reference)).status, 'SUCCEEDED');
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`shows a ${kind.name} of another amount than requested to a person`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => success('OP-R', 3_999n));
    await harness.work();
    assert.equal((await kind.now(harness, reference)).status, 'SUCCEEDED');
    const item = await theOne(harness);
    assert.deepEqual([item.subjectKind, item.subjectId], [subjectKind, reference]);
    assert.equal((item.detail.told as { amountMinor: string }).amountMinor, '3999');
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}

test('books a reversal that succeeds after it was refused', async (context) => {
  const harness = await openHarness(context);
  const reference = await reversals.begin(harness);
  harness.operator.onReverse = () => refused;
  await harness.work();
  assert.equal((await reversals.now(harness, reference)).status, 'FAILED');
  harness.operator.onQueryReversal = () => success('OP-R', 10_000n);
  await harness.useCases.reversalProcessor.hint(harness.tenantId, reference);
  assert.equal((await reversals.now(harness, reference)).status, 'SUCCEEDED');
  assert.equal((await harness.balances()).suspense, undefined);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('accepts any transaction of a reversal that succeeded before it was stored', async (context) => {
  const harness = await openHarness(context);
  const reference = await reversals.begin(harness);
  harness.operator.onReverse = () => success('OP-R', 10_000n);
  await harness.work();
  await harness.database.query({ text: 'UPDATE reversals SET operator_reversal_id = NULL' });
  harness.operator.onQueryReversal = () => success('OP-R', 10_000n);
  await harness.useCases.reversalProcessor.hint(harness.tenantId, reference);
  assert.deepEqual(await harness.review(), []);
});

/** A person records the outcome, like the command. */
async function resolve(
  harness: Harness,
  kind: (typeof kinds)[number],
  reference: string,
  said: 'done' | 'not done',
) {
  const subject = { tenantId: harness.tenantId, id: reference };
  const answer = said === 'done' ? kind.success : refused;
  const { processor, refundProcessor, reversalProcessor } = harness.useCases;
  if (kind === debits) {
    const seen = await harness.payment(subject);
    await markByHand(harness.database, subject);
    await processor.answered(seen, answer);
    return;
  }
  const notification = { tenantId: harness.tenantId, reference, answer };
  const { disbursementProcessor } = harness.useCases;
  const ways = {
    refund: { processor: refundProcessor, mark: markRefundByHand },
    reversal: { processor: reversalProcessor, mark: markReversalByHand },
    disbursement: { processor: disbursementProcessor, mark: markDisbursementByHand },
  };
  const way = ways[kind.name as keyof typeof ways];
  await way.processor.notify(notification);
  await way.mark(harness.database, subject);
}

for (const kind of kinds) {
  const subjectKind = kind === debits ? 'PAYMENT' : kind.name.toUpperCase();
  const begin = async (harness: Harness) => {
    const reference = await kind.begin(harness);
    await harness.work();
    return reference;
  };
  const hint = (harness: Harness, reference: string) => {
    const { processor, refundProcessor, reversalProcessor, disbursementProcessor } =
      harness.useCases;
    const processors = {
      debit: processor,
      refund: refundProcessor,
      reversal: reversalProcessor,
      disbursement: disbursementProcessor,
    };
    const asking = processors[kind.name];
    return asking.hint(harness.tenantId, reference);
  };

  test(`stops for a person at the first answer that contradicts a ${kind.name} recorded as done`, async (context) => {
    const harness = await openHarness(context);
    const reference = await begin(harness);
    await resolve(harness, kind, reference, 'done');
    const before = await harness.balances();
    kind.onQuery(harness, () => kind.success);
    await hint(harness, reference);
    assert.deepEqual(await listed(harness), [], 'the same word is none');
    assert.ok(kind.success.kind === 'succeeded');
    const { amountMinor } = kind.success;
    kind.onQuery(harness, () => success('OP-1O', amountMinor));
    await hint(harness, reference);
    await harness.workFor(dayMs);
    assert.deepEqual(await listed(harness), [['CONTRADICTION', subjectKind, reference]]);
    assert.deepEqual(
      await harness.balances(),
      before,
      'nothing was booked, and nothing given back',
    );
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`stops for a person at the first answer that contradicts a ${kind.name} recorded as not done`, async (context) => {
    const harness = await openHarness(context);
    const reference = await begin(harness);
    await resolve(harness, kind, reference, 'not done');
    const before = await harness.balances();
    const { status } = await kind.now(harness, reference);
    for (const answer of [refused, pending]) {
      kind.onQuery(harness, () => answer);
      await hint(harness, reference);
    }
    assert.deepEqual(await listed(harness), []);
    kind.onQuery(harness, () => kind.success);
    await hint(harness, reference);
    await harness.workFor(dayMs);
    assert.deepEqual(await listed(harness), [['CONTRADICTION', subjectKind, reference]]);
    assert.equal((await kind.now(harness, reference)).status, status);
    assert.deepEqual(
      await harness.balances(),
      before,
      'nothing was booked, and nothing given back',
    );
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}
