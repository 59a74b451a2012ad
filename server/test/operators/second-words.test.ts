/** What the operator says after it was definite: booked where it is money, and for a person where it differs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import { markByHand } from '../../src/payments/due-store.ts';
import { markRefundByHand } from '../../src/refunds/due-store.ts';
import { markReversalByHand } from '../../src/reversals/store.ts';
import type { ReviewItem } from '../../src/review/review-item.ts';
import { type Books, openBooks } from './books.ts';
import { debits, kinds, refunds, reversals } from './kinds.ts';
import { pending, refused, success } from './scripted.ts';

const dayMs = 86_400_000;

/** Who is listed, and for what. */
const listed = async (books: Books) =>
  (await books.review()).map(({ kind, subjectKind, subjectId }) => [kind, subjectKind, subjectId]);

async function theOne(books: Books): Promise<ReviewItem> {
  const items = await books.review();
  assert.equal(items.length, 1, 'one is listed');
  return items[0]!;
}

test('the transaction of a debited payment, told again with another amount, is for a person', async (context) => {
  const books = await openBooks(context);
  const payment = await books.debited('OP-1');
  books.operator.onAskDebit = () => success('OP-1', 9_000n);
  await books.parts.attend.hint(payment.tenantId, payment.id);
  const item = await theOne(books);
  assert.deepEqual([item.kind, item.subjectId], ['CONTRADICTION', payment.id]);
  assert.deepEqual(item.detail, {
    booked: { status: 'DEBITED', operatorTxId: 'OP-1', amountMinor: '10000', byHand: false },
    told: { kind: 'succeeded', operatorTxId: 'OP-1', amountMinor: '9000' },
  });
  const { status, dueAtMs } = await books.payment(payment);
  assert.deepEqual([status, dueAtMs], ['DEBITED', null]);
  assert.deepEqual(await books.reversals(), []);
});

test('a debit that the operator took back after it had succeeded is for a person', async (context) => {
  const books = await openBooks(context);
  const payment = await books.debited('OP-1');
  books.operator.onAskDebit = () => refused;
  await books.parts.attend.hint(payment.tenantId, payment.id);
  assert.deepEqual(await listed(books), [['CONTRADICTION', 'PAYMENT', payment.id]]);
  assert.equal((await books.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await checkLedger(books.database), []);
});

test('a debit that goes back, told again with another amount, is for a person', async (context) => {
  const books = await openBooks(context);
  const payment = await books.sent();
  await books.cancel(payment);
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.work();
  books.operator.onAskDebit = () => success('OP-1', 9_000n);
  await books.parts.attend.hint(payment.tenantId, payment.id);
  const [reversal, ...others] = await books.reversals();
  assert.deepEqual(others, []);
  assert.equal(reversal!.amountMinor, 10_000n);
  const [item] = await books.review();
  assert.deepEqual([item?.kind, item?.subjectId], ['CONTRADICTION', reversal!.id]);
  assert.deepEqual(item?.detail, {
    booked: { status: 'PENDING', operatorTxId: 'OP-1', amountMinor: '10000' },
    told: { operatorTxId: 'OP-1', amountMinor: '9000' },
  });
});

test('what a refund gave back late is reserved: no more than the rest can be refunded', async (context) => {
  const books = await openBooks(context);
  const payment = await books.debited('OP-1');
  const refund = await books.refund(payment, 4_000n);
  books.operator.onReverse = () => refused;
  await books.work();
  assert.equal((await books.refundNow(refund)).status, 'FAILED');
  const { tenantId, id: reference } = refund;
  const answer = success('OP-R', 4_000n);
  for (let times = 0; times < 2; times++) {
    await books.parts.attendRefund.notice({ tenantId, reference, answer });
  }
  const text = 'SELECT late_refund_minor AS late, refund_reserved_minor AS reserved FROM payments';
  assert.deepEqual(await books.database.query({ text }), [{ late: 4_000n, reserved: 0n }]);
  assert.deepEqual(await listed(books), [['CONTRADICTION', 'REFUND', refund.id]]);
  assert.deepEqual(await checkLedger(books.database), []);
  const tooMuch = { code: 'REFUND_EXCEEDS_PAYMENT', message: /at most 6000/ };
  await assert.rejects(books.refund(payment, 6_001n), tooMuch);
  const rest = await books.refund(payment, null);
  assert.equal(rest.amountMinor, 6_000n);
  const nothing = { code: 'REFUND_EXCEEDS_PAYMENT', message: /Nothing of this payment is left/ };
  await assert.rejects(books.refund(payment, 1n), nothing);
});

test('a refund that was given back late after another had taken its place leaves nothing to refund', async (context) => {
  const books = await openBooks(context);
  const payment = await books.debited('OP-1');
  const first = await books.refund(payment, 10_000n);
  books.operator.onReverse = ({ reference }) =>
    reference === first.id ? refused : success('OP-R2', 10_000n);
  await books.work();
  await books.refund(payment, 10_000n);
  await books.work();
  const { tenantId, id: reference } = first;
  const answer = success('OP-R', 10_000n);
  await books.parts.attendRefund.notice({ tenantId, reference, answer });
  const nothing = { code: 'REFUND_EXCEEDS_PAYMENT', message: /Nothing of this payment is left/ };
  await assert.rejects(books.refund(payment, null), nothing);
  assert.equal((await books.payment(payment)).status, 'REFUNDED');
  assert.equal((await books.balances()).suspense, -10_000);
  assert.deepEqual(await checkLedger(books.database), []);
});

for (const kind of [refunds, reversals]) {
  const subjectKind = kind.name.toUpperCase();
  const parts = ({ parts: { attendRefund, attendReversal } }: Books) =>
    kind === refunds ? attendRefund : attendReversal;

  test(`a second success of a ${kind.name} under another transaction is for a person: it was given back twice`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    kind.onSend(books, () => kind.success);
    await books.work();
    const { tenantId } = books;
    assert.ok(kind.success.kind === 'succeeded');
    const { amountMinor } = kind.success;
    for (const operatorTxId of ['OP-R', 'OP-R2', 'OP-R2']) {
      kind.onAsk(books, () => success(operatorTxId, amountMinor));
      await parts(books).hint(tenantId, reference);
    }
    const item = await theOne(books);
    assert.deepEqual([item.subjectKind, item.subjectId], [subjectKind, reference]);
    assert.equal((item.detail.told as { operatorTxId: string }).operatorTxId, 'OP-R2');
    const { status, dueAtMs } = await kind.now(books, reference);
    assert.deepEqual([status, dueAtMs], ['SUCCEEDED', null]);
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`a refusal of a ${kind.name} after its success is for a person, and changes nothing`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    kind.onSend(books, () => kind.success);
    await books.work();
    kind.onAsk(books, () => refused);
    await parts(books).hint(books.tenantId, reference);
    assert.deepEqual(await listed(books), [['CONTRADICTION', subjectKind, reference]]);
    assert.equal((await kind.now(books, reference)).status, 'SUCCEEDED');
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`another amount given back by a ${kind.name} than was asked for is for a person`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    kind.onSend(books, () => success('OP-R', 3_999n));
    await books.work();
    assert.equal((await kind.now(books, reference)).status, 'SUCCEEDED');
    const item = await theOne(books);
    assert.deepEqual([item.subjectKind, item.subjectId], [subjectKind, reference]);
    assert.equal((item.detail.told as { amountMinor: string }).amountMinor, '3999');
    assert.deepEqual(await checkLedger(books.database), []);
  });
}

test('a reversal that succeeds after it was refused is booked', async (context) => {
  const books = await openBooks(context);
  const reference = await reversals.begin(books);
  books.operator.onReverse = () => refused;
  await books.work();
  assert.equal((await reversals.now(books, reference)).status, 'FAILED');
  books.operator.onAskReversal = () => success('OP-R', 10_000n);
  await books.parts.attendReversal.hint(books.tenantId, reference);
  assert.equal((await reversals.now(books, reference)).status, 'SUCCEEDED');
  assert.equal((await books.balances()).suspense, undefined);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('a reversal that succeeded before its transaction was kept agrees with any', async (context) => {
  const books = await openBooks(context);
  const reference = await reversals.begin(books);
  books.operator.onReverse = () => success('OP-R', 10_000n);
  await books.work();
  await books.database.query({ text: 'UPDATE reversals SET operator_reversal_id = NULL' });
  books.operator.onAskReversal = () => success('OP-R', 10_000n);
  await books.parts.attendReversal.hint(books.tenantId, reference);
  assert.deepEqual(await books.review(), []);
});

/** A person says what became of it, as the command does. */
async function resolve(
  books: Books,
  kind: (typeof kinds)[number],
  reference: string,
  said: 'done' | 'not done',
) {
  const subject = { tenantId: books.tenantId, id: reference };
  const answer = said === 'done' ? kind.success : refused;
  const { attend, attendRefund, attendReversal } = books.parts;
  if (kind === debits) {
    const seen = await books.payment(subject);
    await markByHand(books.database, subject);
    await attend.answered(seen, answer);
    return;
  }
  const notice = { tenantId: books.tenantId, reference, answer };
  await (kind === refunds ? attendRefund : attendReversal).notice(notice);
  await (kind === refunds ? markRefundByHand : markReversalByHand)(books.database, subject);
}

for (const kind of kinds) {
  const subjectKind = kind === debits ? 'PAYMENT' : kind.name.toUpperCase();
  const begin = async (books: Books) => {
    const reference = await kind.begin(books);
    await books.work();
    return reference;
  };
  const hint = (books: Books, reference: string) => {
    const { attend, attendRefund, attendReversal } = books.parts;
    const asking = { debit: attend, refund: attendRefund, reversal: attendReversal }[kind.name];
    return asking.hint(books.tenantId, reference);
  };

  test(`a ${kind.name} that a person called done: the first different word stops for a person`, async (context) => {
    const books = await openBooks(context);
    const reference = await begin(books);
    await resolve(books, kind, reference, 'done');
    const before = await books.balances();
    kind.onAsk(books, () => kind.success);
    await hint(books, reference);
    assert.deepEqual(await listed(books), [], 'the same word is none');
    assert.ok(kind.success.kind === 'succeeded');
    const { amountMinor } = kind.success;
    kind.onAsk(books, () => success('OP-1O', amountMinor));
    await hint(books, reference);
    await books.workFor(dayMs);
    assert.deepEqual(await listed(books), [['CONTRADICTION', subjectKind, reference]]);
    assert.deepEqual(await books.balances(), before, 'nothing was booked, and nothing given back');
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`a ${kind.name} that a person called not done: the first different word stops for a person`, async (context) => {
    const books = await openBooks(context);
    const reference = await begin(books);
    await resolve(books, kind, reference, 'not done');
    const before = await books.balances();
    const { status } = await kind.now(books, reference);
    for (const answer of [refused, pending]) {
      kind.onAsk(books, () => answer);
      await hint(books, reference);
    }
    assert.deepEqual(await listed(books), []);
    kind.onAsk(books, () => kind.success);
    await hint(books, reference);
    await books.workFor(dayMs);
    assert.deepEqual(await listed(books), [['CONTRADICTION', subjectKind, reference]]);
    assert.equal((await kind.now(books, reference)).status, status);
    assert.deepEqual(await books.balances(), before, 'nothing was booked, and nothing given back');
    assert.deepEqual(await checkLedger(books.database), []);
  });
}
