/** A database set back by a restore or a failover: a request that it calls unsent may have been sent. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { suspense } from '../../src/money/ledger/suspense.ts';
import { leaseMs, openHarness } from './harness.ts';
import { kinds, refunds } from './kinds.ts';
import { notFound, pending, success, unreachable } from './scripted.ts';

const dayMs = 86_400_000;

for (const kind of kinds) {
  test(`queries a ${kind.name} from the database before it is sent`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    await harness.work();
    const calls = harness.operator.heard.filter((each) => each.reference === reference);
    assert.deepEqual(
      calls.map(({ call }) => call),
      [kind.ask, kind.send],
    );
  });

  test(`does not resend a ${kind.name} that the operator has, whatever the database says`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onQuery(harness, () => pending);
    await harness.work();
    const { status, sentAtMs } = await kind.now(harness, reference);
    assert.match(status, /OPERATOR_PENDING|PROCESSING/);
    assert.equal(sentAtMs, harness.nowMs, 'it counts as sent from now');
    kind.onQuery(harness, () => kind.success);
    await harness.workFor(60_000);
    assert.equal(harness.operator.count(kind.send, reference), 0);
    assert.match((await kind.now(harness, reference)).status, /DEBITED|SUCCEEDED/);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`books a ${kind.name} that the operator has done, whatever the database says`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onQuery(harness, () => kind.success);
    await harness.work();
    assert.equal(harness.operator.count(kind.send, reference), 0);
    const { status, dueAtMs } = await kind.now(harness, reference);
    assert.match(status, /DEBITED|SUCCEEDED/);
    assert.equal(dueAtMs, null);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`waits with a ${kind.name} while the operator cannot say whether it has it`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onQuery(harness, () => unreachable);
    await harness.workFor(200_000);
    assert.equal(harness.operator.count(kind.send, reference), 0);
    kind.onQuery(harness, () => notFound);
    await harness.workFor(200_000);
    assert.equal(harness.operator.count(kind.send, reference), 1);
  });

  test(`sends a ${kind.name} by the state in the database if the operator has no queries`, async (context) => {
    const harness = await openHarness(context);
    const { known } = harness.operator;
    const reference = await kind.begin(harness);
    harness.operator.known = { ...known, answersQueries: false };
    await harness.work();
    assert.equal(harness.operator.count(kind.ask), 0);
    assert.equal(harness.operator.count(kind.send, reference), 1);
  });
}

test('sends a payment that this process has just written without a query', async (context) => {
  const harness = await openHarness(context);
  await harness.sent();
  assert.deepEqual(
    harness.operator.heard.map(({ call }) => call),
    ['requestDebit'],
  );
});

test('sends a refund that this process has just written without a query', async (context) => {
  const harness = await openHarness(context);
  const reference = await refunds.begin(harness);
  const text = 'SELECT tenant_id AS "tenantId", id FROM refunds WHERE id = $1';
  const [row] = await harness.database.query<{ tenantId: string; id: string }>({ text }, [
    reference,
  ]);
  const refund = await harness.refundNow(row as never);
  await harness.useCases.refundProcessor.process(refund, 'MEMORY');
  assert.equal(harness.operator.count('queryReversal'), 0);
  assert.equal(harness.operator.count('reverse', reference), 1);
});

test('ends a payment of this process that nobody processed before its expiry without a query', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.create({ dueAtMs: harness.nowMs + 300_000 + leaseMs });
  harness.wait(300_000);
  await harness.useCases.processor.process(payment, 'MEMORY');
  const { status, dueAtMs } = await harness.payment(payment);
  assert.deepEqual([status, dueAtMs], ['EXPIRED', null]);
  assert.deepEqual(harness.operator.heard, []);
});

test('queries a payment from the database before it is closed, and finds a debit', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.create();
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  harness.wait(3_600_000);
  await harness.work();
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('queries a payment from the database once more if it expires while the operator is silent', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.create();
  harness.operator.onQueryDebit = () => unreachable;
  harness.wait(3_600_000);
  await harness.work();
  const { status, dueAtMs } = await harness.payment(payment);
  assert.equal(status, 'EXPIRED');
  assert.notEqual(dueAtMs, null);
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.workFor(60_000);
  assert.equal((await harness.reversals())[0]?.reason, 'LATE_DEBIT');
});

test('queries a payment from the database that is cancelled before it is closed', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.create();
  await harness.cancel(payment);
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.work();
  assert.equal((await harness.reversals())[0]?.reason, 'LATE_DEBIT');
  assert.equal((await harness.payment(payment)).status, 'CANCELLED');
});

const completed = (transactionReference: string) => ({
  transactionReference,
  transactionStatus: 'completed',
  amount: '100.00',
  currency: 'CVE',
});

test('holds a debit of a reference that our records lack in suspense, and sends nothing', async (context) => {
  const harness = await openHarness(context);
  const lost = { tenantId: harness.tenantId, id: randomUUID() };
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.callBack('DEBIT', lost, completed('OP-1'));
  await harness.handleCallbacks();
  const [held, ...others] = await harness.reversals();
  assert.deepEqual(others, []);
  const { paymentId, reason, status, dueAtMs } = held!;
  assert.deepEqual(
    [paymentId, reason, status, dueAtMs],
    [lost.id, 'UNKNOWN_REFERENCE', 'HELD', null],
  );
  assert.deepEqual(await harness.balances(), { 'operator:CVMOVEL': -10_000, suspense: 10_000 });
  assert.deepEqual(
    (await suspense(harness.database)).map(({ reason, status }) => [reason, status]),
    [['UNKNOWN_REFERENCE', 'HELD']],
  );
  await harness.workFor(4 * dayMs);
  await harness.handleCallbacksFor(dayMs);
  assert.equal(harness.operator.count('reverse'), 0);
  assert.equal(harness.operator.count('queryReversal'), 0);
  const [item, ...more] = await harness.review();
  assert.deepEqual(more, []);
  assert.deepEqual([item!.kind, item!.subjectId], ['UNKNOWN_REFERENCE', lost.id]);
  assert.deepEqual(item!.detail, {
    booked: 'nothing',
    told: { operatorTxId: 'OP-1', amountMinor: '10000', currency: 'CVE' },
  });
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('keeps a held debit held, whatever callbacks say, until its reversal is a fact', async (context) => {
  const harness = await openHarness(context);
  const lost = { tenantId: harness.tenantId, id: randomUUID() };
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.callBack('DEBIT', lost, completed('OP-1'));
  await harness.handleCallbacks();
  const [held] = await harness.reversals();
  for (const transactionStatus of ['pending', 'rejected', 'completed']) {
    await harness.callBack('REVERSAL', held!, { ...completed('OP-R'), transactionStatus });
  }
  await harness.handleCallbacksFor(60_000);
  await harness.workFor(dayMs);
  assert.equal((await harness.reversals())[0]?.status, 'HELD');
  assert.equal(harness.operator.count('reverse'), 0);
  // A person had the operator return it under our own reference.
  harness.operator.onQueryReversal = () => success('OP-R', 10_000n);
  await harness.useCases.reversalProcessor.hint(harness.tenantId, held!.id);
  assert.equal((await harness.reversals())[0]?.status, 'SUCCEEDED');
  assert.deepEqual(await harness.balances(), {});
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('trusts the operator, not the callback, about a reference that our records lack', async (context) => {
  const harness = await openHarness(context);
  const lost = { tenantId: harness.tenantId, id: randomUUID() };
  await harness.callBack('DEBIT', lost, completed('OP-1'));
  await harness.handleCallbacksFor(60_000);
  assert.equal(harness.operator.count('queryDebit'), 4);
  assert.deepEqual(await harness.reversals(), []);
  assert.deepEqual(await harness.balances(), {});
  assert.deepEqual(
    (await harness.review()).map(({ kind, subjectId, detail }) => [kind, subjectId, detail.booked]),
    [['CONTRADICTION', lost.id, 'nothing']],
  );
});

test('does not hold a booked transaction for a reference that our records lack', async (context) => {
  const harness = await openHarness(context);
  const paid = await harness.debited('OP-1');
  const lost = { tenantId: harness.tenantId, id: randomUUID() };
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.callBack('DEBIT', lost, completed('OP-1'));
  await harness.handleCallbacks();
  assert.deepEqual(await harness.reversals(), []);
  assert.deepEqual(
    (await harness.review()).map(({ kind, subjectId }) => [kind, subjectId]),
    [['CLASH', lost.id]],
  );
  assert.equal((await harness.payment(paid)).status, 'DEBITED');
});

for (const kind of ['DEBIT', 'REFUND', 'REVERSAL'] as const) {
  test(`finishes a ${kind} callback about a merchant that a restore removed, and warns`, async (context) => {
    const harness = await openHarness(context);
    const lost = { tenantId: randomUUID(), id: randomUUID() };
    const body = {
      transactionReference: 'OP-1',
      transactionStatus: 'completed',
      amount: '100.00',
      currency: 'CVE',
    };
    assert.equal(await harness.callBack(kind, lost, body), 'TAKEN');
    await harness.handleCallbacks();
    const open = 'SELECT FROM operator_callbacks WHERE due_at IS NOT NULL';
    assert.deepEqual(await harness.database.query({ text: open }), []);
    assert.deepEqual(harness.warnings, [
      'a callback is about a merchant that this database does not have',
    ]);
    assert.deepEqual(await harness.review(), []);
    assert.deepEqual(harness.operator.heard, [], 'nobody is left to book an answer for');
  });
}
