/** A callback beyond the limit is refused, and the operator is queried once more all the same. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { CallbackKind } from '../../src/integrations/operators/callback-token.ts';
import { type Harness, openHarness } from './harness.ts';
import { kinds } from './kinds.ts';
import { notFound, pending, refused, success, unreachable } from './scripted.ts';

const word = (number: number) => ({
  transactionReference: `TX-${number}`,
  transactionStatus: 'completed',
  amount: '100',
  currency: 'CVE',
});

const questions = ({ operator }: Harness) =>
  operator.heard.filter(({ call }) => call.startsWith('query')).length;

test('finds a success by a query if its callback comes after ten others', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => pending;
  const taken: string[] = [];
  for (let number = 1; number <= 10; number++) {
    taken.push(await harness.callBack('DEBIT', payment, word(number)));
    await harness.handleCallbacksFor(20_000);
  }
  assert.deepEqual(taken.slice(7), ['TAKEN', 'TOO_MANY', 'TOO_MANY']);
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  assert.equal(await harness.callBack('DEBIT', payment, word(11)), 'TOO_MANY');
  await harness.handleCallbacksFor(5_000);
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
});

test('queries once more for a callback that comes during a query', async (context) => {
  // In the same millisecond too, and through a process whose clock is behind.
  for (const afterMs of [1, 0, -1_000]) {
    const harness = await openHarness(context);
    const payment = await harness.sent();
    let isTold = false;
    harness.operator.onQueryDebit = async () => {
      if (isTold) return success('OP-1', 10_000n);
      isTold = true;
      harness.nowMs += afterMs;
      await harness.callBack('DEBIT', payment, word(10));
      harness.nowMs += 2_000;
      return pending;
    };
    for (let number = 1; number <= 9; number++) {
      await harness.callBack('DEBIT', payment, word(number));
    }
    const text = `UPDATE operator_callbacks SET due_at = NULL WHERE outcome <> 'excess'`;
    await harness.database.query({ text });
    await harness.handleCallbacksFor(5_000);
    assert.equal((await harness.payment(payment)).status, 'DEBITED', `${afterMs} ms after`);
  }
});

test('finds a debit that our records lack, in any spelling of its currency, and beyond the limit', async (context) => {
  const words: object[][] = [
    [{ ...word(1), currency: 'cve' }],
    [{ ...word(1), currency: undefined }],
    Array.from({ length: 10 }, (_, number) => ({ ...word(number), currency: 'EUR' })),
  ];
  for (const told of words) {
    const harness = await openHarness(context);
    const forgotten = { tenantId: (await harness.sent()).tenantId, id: randomUUID() };
    harness.operator.onQueryDebit = ({ currency }) =>
      currency === 'CVE' ? success('OP-9', 10_000n) : pending;
    for (const body of told) await harness.callBack('DEBIT', forgotten, body);
    await harness.handleCallbacksFor(60_000);
    const text = 'SELECT operator_tx_id AS id, status FROM reversals';
    assert.deepEqual(await harness.database.query({ text }), [{ id: 'OP-9', status: 'HELD' }]);
  }
});

test('does not let strangers make us query endlessly', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => pending;
  for (let number = 1; number <= 9; number++) {
    await harness.callBack('DEBIT', payment, word(number));
  }
  const text = `UPDATE operator_callbacks SET due_at = NULL WHERE outcome <> 'excess'`;
  await harness.database.query({ text });
  for (let number = 10; number <= 500; number++) {
    await harness.callBack('DEBIT', payment, word(number));
    await harness.handleCallbacksFor(60_000);
  }
  assert.ok(questions(harness) <= 20, `${questions(harness)} questions in eight hours`);
  const count = `SELECT count(*)::integer AS rows FROM operator_callbacks`;
  assert.deepEqual(await harness.database.query({ text: count }), [{ rows: 9 }]);
});

test('queries refunds and reversals once more too', async (context) => {
  for (const kind of kinds) {
    const harness = await openHarness(context);
    const id = await kind.begin(harness);
    kind.onSend(harness, () => pending);
    kind.onQuery(harness, () => pending);
    await harness.work();
    const name = kind.name.toUpperCase() as CallbackKind;
    for (let number = 1; number <= 9; number++) {
      await harness.callBack(name, { tenantId: harness.tenantId, id }, word(number));
    }
    const text = `UPDATE operator_callbacks SET due_at = NULL WHERE outcome <> 'excess'`;
    await harness.database.query({ text });
    const before = questions(harness);
    await harness.handleCallbacksFor(5_000);
    assert.equal(questions(harness), before + 1, kind.name);
  }
});

/** A payment that failed, with so many callbacks that the next one is not kept. */
async function failedWithCallbacks(harness: Harness) {
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => refused;
  await harness.callBack('DEBIT', payment, word(1));
  await harness.handleCallbacksFor(20_000);
  assert.equal((await harness.payment(payment)).status, 'FAILED');
  for (let number = 2; number <= 9; number++) {
    await harness.callBack('DEBIT', payment, word(number));
  }
  const text = `UPDATE operator_callbacks SET due_at = NULL`;
  await harness.database.query({ text });
  return payment;
}

test('queries until the operator answers if the payment had ended', async (context) => {
  for (const silence of [unreachable, notFound]) {
    const harness = await openHarness(context);
    const payment = await failedWithCallbacks(harness);
    harness.operator.onQueryDebit = () => silence;
    assert.equal(await harness.callBack('DEBIT', payment, word(10)), 'TOO_MANY');
    await harness.handleCallbacksFor(10_000);
    harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
    await harness.handleCallbacksFor(60_000);
    const text = 'SELECT operator_tx_id AS id, reason FROM reversals';
    const late = [{ id: 'OP-1', reason: 'LATE_DEBIT' }];
    assert.deepEqual(await harness.database.query({ text }), late);
  }
});

test('lists the payment for a person if the operator never answers', async (context) => {
  const harness = await openHarness(context);
  const payment = await failedWithCallbacks(harness);
  const before = (await harness.review()).length;
  harness.operator.onQueryDebit = () => unreachable;
  await harness.callBack('DEBIT', payment, word(10));
  await harness.handleCallbacksFor(24 * 3_600_000);
  assert.ok(questions(harness) <= 30, `${questions(harness)} questions in a day`);
  const items = await harness.review();
  assert.equal(items.length, before + 1);
  assert.equal(items.at(-1)!.kind, 'CONTRADICTION');
});

test('lists the payment again for a later callback after a person has closed the case', async (context) => {
  const harness = await openHarness(context);
  const payment = await failedWithCallbacks(harness);
  harness.operator.onQueryDebit = () => unreachable;
  await harness.callBack('DEBIT', payment, word(10));
  await harness.handleCallbacksFor(24 * 3_600_000);
  const close = `UPDATE review_items SET closed_at = created_at, closed_by = 'a person', reason = 'seen'`;
  await harness.database.query({ text: close });
  assert.equal(await harness.callBack('DEBIT', payment, word(11)), 'TOO_MANY');
  await harness.handleCallbacksFor(24 * 3_600_000);
  const items = await harness.review();
  assert.deepEqual(
    items.map(({ kind }) => kind),
    ['CONTRADICTION'],
  );
});
