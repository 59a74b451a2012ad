/** A callback is a hint, whatever it says: the operator's answer under our own reference counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { type Harness, leaseMs, openHarness } from './harness.ts';
import { kinds, refunds } from './kinds.ts';
import { notFound, pending, success, unreachable } from './scripted.ts';

const dayMs = 86_400_000;

const completed = (transactionReference: string, amount = '100.00') => ({
  transactionReference,
  transactionStatus: 'completed',
  amount,
  currency: 'CVE',
});
const rejected = { ...completed('OP-9'), transactionStatus: 'rejected' };

type Listed = Record<string, unknown>;

/** A case for a person: its subject, our booking, and the operator's answer. */
async function listed(harness: Harness) {
  return (await harness.review()).map(
    ({ kind, subjectKind, subjectId, detail }): Listed => ({
      kind,
      subjectKind,
      subjectId,
      ...detail,
    }),
  );
}

async function isUnanswered(harness: Harness): Promise<boolean> {
  const text = 'SELECT FROM operator_callbacks WHERE due_at IS NOT NULL';
  return (await harness.database.query({ text })).length > 0;
}

test('queries the operator at once, and books its answer', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.callBack('DEBIT', payment, completed('OP-1'));
  await harness.handleCallbacks();
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  assert.equal(harness.operator.count('queryDebit'), 1);
  assert.equal(await isUnanswered(harness), false);
  assert.deepEqual(await listed(harness), []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test("queries four times if the operator calls back before it knows its own answer, then at the payment's intervals", async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => pending;
  const startMs = harness.nowMs;
  await harness.callBack('DEBIT', payment, completed('OP-1'));
  await harness.handleCallbacksFor(200_000);
  const asked = harness.operator.heard.filter(({ call }) => call === 'queryDebit');
  assert.deepEqual(
    asked.map(({ atMs }) => atMs - startMs),
    [0, 500, 2_500, 7_500],
  );
  assert.equal((await harness.payment(payment)).status, 'OPERATOR_PENDING');
  assert.deepEqual(await listed(harness), [], 'it may still come');
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.work();
  await harness.handleCallbacksFor(dayMs);
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  assert.equal(await isUnanswered(harness), false);
  assert.deepEqual(await listed(harness), []);
});

test('debits nothing for a forged success with the transaction of another payment', async (context) => {
  const harness = await openHarness(context);
  const paid = await harness.debited('OP-1');
  const unpaid = await harness.sent();
  await harness.callBack('DEBIT', unpaid, completed('OP-1'));
  await harness.handleCallbacksFor(60_000);
  assert.equal(harness.operator.count('queryDebit', unpaid.id), 4);
  await harness.workFor(4 * dayMs);
  await harness.handleCallbacksFor(dayMs);
  assert.equal((await harness.payment(unpaid)).status, 'EXPIRED');
  assert.equal((await harness.payment(paid)).status, 'DEBITED');
  assert.deepEqual(await harness.balances(), {
    fees: 200,
    'operator:CVMOVEL': -10_000,
    payable: 9_800,
  });
  assert.deepEqual(await listed(harness), [
    {
      kind: 'CONTRADICTION',
      subjectKind: 'PAYMENT',
      subjectId: unpaid.id,
      booked: { outcome: 'FAILED', transactions: [] },
      told: completed('OP-1'),
      by: 'callback',
    },
  ]);
  assert.equal(await isUnanswered(harness), false);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('returns nothing for a forged success of a payment that had failed', async (context) => {
  const harness = await openHarness(context);
  const paid = await harness.debited('OP-1');
  const failing = await harness.sent();
  const failed = { kind: 'failed', failureCode: 'INSUFFICIENT_FUNDS' } as const;
  harness.operator.onQueryDebit = () => failed;
  harness.wait(20_000);
  await harness.work();
  assert.equal((await harness.payment(failing)).status, 'FAILED');
  await harness.callBack('DEBIT', failing, completed('OP-1'));
  await harness.handleCallbacksFor(dayMs);
  assert.deepEqual(await harness.reversals(), []);
  assert.equal((await harness.payment(paid)).status, 'DEBITED');
  assert.equal((await listed(harness))[0]?.subjectId, failing.id);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('books the amount of the query if the callback has another, and shows both to a person', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.callBack('DEBIT', payment, completed('OP-1', '105.00'));
  await harness.handleCallbacksFor(60_000);
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await harness.reversals(), []);
  assert.deepEqual(await listed(harness), [
    {
      kind: 'CONTRADICTION',
      subjectKind: 'PAYMENT',
      subjectId: payment.id,
      booked: {
        outcome: 'SUCCEEDED',
        transactions: [{ operatorTxId: 'OP-1', amountMinor: '10000' }],
      },
      told: completed('OP-1', '105.00'),
      by: 'callback',
    },
  ]);
  assert.deepEqual(await checkLedger(harness.database), []);
});

for (const kind of kinds) {
  const name = kind.name.toUpperCase() as 'DEBIT' | 'REFUND' | 'REVERSAL';
  const subject = (harness: Harness, id: string) => ({ tenantId: harness.tenantId, id });

  test(`fails no ${kind.name} by a forged failure, which could cause a second return or payment`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    await harness.work();
    kind.onQuery(harness, () => pending);
    await harness.callBack(name, subject(harness, reference), rejected);
    await harness.handleCallbacksFor(60_000);
    assert.match((await kind.now(harness, reference)).status, /OPERATOR_PENDING|PROCESSING/);
    kind.onQuery(harness, () => kind.success);
    await harness.workFor(200_000);
    await harness.handleCallbacksFor(dayMs);
    assert.match((await kind.now(harness, reference)).status, /DEBITED|SUCCEEDED/);
    const [item, ...others] = await listed(harness);
    assert.deepEqual(others, []);
    assert.equal(item!.subjectId, reference);
    assert.deepEqual(item!.told, rejected);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`queries once at a time for concurrent callbacks of a ${kind.name}`, async (context) => {
    const harness = await openHarness(context);
    const other = await openHarness(context, { database: harness.database });
    const reference = await kind.begin(harness);
    await harness.work();
    const before = harness.operator.count(kind.ask);
    let asking = 0;
    let maxQuerying = 0;
    for (const each of [harness, other]) {
      kind.onQuery(each, async () => {
        asking += 1;
        maxQuerying = Math.max(maxQuerying, asking);
        for (let trips = 0; trips < 5; trips++) await harness.database.query({ text: 'SELECT' });
        asking -= 1;
        return kind.success;
      });
    }
    for (const [index, amount] of ['100.00', '40.00', '1.00', '2.00'].entries()) {
      const taker = index % 2 === 0 ? harness : other;
      await taker.callBack(name, subject(harness, reference), completed('OP-R', amount));
    }
    other.nowMs = harness.nowMs;
    await Promise.all([harness.handleCallbacks(), other.handleCallbacks()]);
    assert.equal(maxQuerying, 1);
    assert.match((await kind.now(harness, reference)).status, /DEBITED|SUCCEEDED/);
    const questions = harness.operator.count(kind.ask) + other.operator.count(kind.ask) - before;
    assert.ok(questions <= 4, `${questions} questions`);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`lets a callback of a ${kind.name} wait during a query that runs anyway`, async (context) => {
    const harness = await openHarness(context);
    const other = await openHarness(context, { database: harness.database });
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => unreachable);
    await harness.work();
    await harness.callBack(name, subject(harness, reference), rejected);
    kind.onQuery(harness, async () => {
      other.nowMs = harness.nowMs;
      await other.handleCallbacks();
      return kind.success;
    });
    harness.wait(20_000);
    await harness.work();
    assert.equal(other.operator.count(kind.ask), 0);
    const text = 'SELECT look_count AS looks, due_at AS "dueAtMs" FROM operator_callbacks';
    const [callback] = await harness.database.query<{ looks: number; dueAtMs: number }>({ text });
    assert.deepEqual(callback, { looks: 0, dueAtMs: harness.nowMs + 500 });
  });

  test(`does not postpone planned queries of a ${kind.name} for forged callbacks`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => unreachable);
    await harness.work();
    const { queryCount } = await kind.now(harness, reference);
    kind.onQuery(harness, () => pending);
    for (let forged = 0; forged < 8; forged++) {
      const body = completed(`OP-${forged}`);
      await harness.callBack(name, subject(harness, reference), body);
    }
    await harness.handleCallbacksFor(60_000);
    assert.ok((await kind.now(harness, reference)).queryCount <= queryCount + 1);
  });

  test(`queries once for a callback that says that a ${kind.name} is pending`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    await harness.work();
    const before = harness.operator.count(kind.ask);
    kind.onQuery(harness, () => pending);
    const body = { ...completed('OP-R'), transactionStatus: 'pending' };
    await harness.callBack(name, subject(harness, reference), body);
    await harness.handleCallbacksFor(60_000);
    assert.equal(harness.operator.count(kind.ask) - before, 1);
    assert.equal(await isUnanswered(harness), false);
  });
}

for (const deduplicates of [false, true]) {
  test(`queries but never debits twice for a callback during a debit, deduplicated or not: ${deduplicates}`, async (context) => {
    const harness = await openHarness(context);
    const other = await openHarness(context, { database: harness.database });
    for (const { operator } of [harness, other])
      operator.known = { ...operator.known, deduplicates };
    harness.operator.onRequestDebit = async ({ tenantId, reference, amountMinor }) => {
      harness.wait(9_000);
      other.nowMs = harness.nowMs;
      assert.deepEqual(await other.useCases.processor.hint(tenantId, reference), notFound);
      return success('OP-1', amountMinor);
    };
    const payment = await harness.sent();
    assert.equal(payment.status, 'DEBITED');
    assert.equal(other.operator.count('queryDebit'), 1);
    assert.equal(other.operator.count('requestDebit'), 0);
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}

test('waits for the running query when a payment is cancelled', async (context) => {
  const harness = await openHarness(context);
  const other = await openHarness(context, { database: harness.database });
  const payment = await harness.sent();
  harness.operator.onQueryDebit = async () => {
    await harness.cancel(payment);
    other.nowMs = harness.nowMs;
    await other.work();
    assert.equal(other.operator.count('queryDebit'), 0);
    return pending;
  };
  harness.wait(20_000);
  await harness.work();
  other.operator.onQueryDebit = () => success('OP-1', 10_000n);
  other.wait(20_000);
  await other.work();
  assert.equal((await harness.reversals())[0]?.reason, 'LATE_DEBIT');
});

test('sends a payment once if it waits in memory while a callback makes another process take it', async (context) => {
  const harness = await openHarness(context);
  const other = await openHarness(context, { database: harness.database });
  const payment = await harness.create({ dueAtMs: harness.nowMs + leaseMs });
  await other.useCases.processor.hint(payment.tenantId, payment.id);
  await harness.useCases.processor.process(payment, 'MEMORY');
  assert.equal(other.operator.count('requestDebit'), 1);
  assert.equal(harness.operator.count('requestDebit'), 0);
});

test('watches an abandoned payment again after an acknowledgement', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  await harness.workFor(4 * dayMs);
  assert.deepEqual(harness.notReceived, [payment.id]);
  assert.equal((await harness.payment(payment)).dueAtMs, null);
  harness.operator.onQueryDebit = () => pending;
  const body = { ...completed('OP-1'), transactionStatus: 'pending' };
  await harness.callBack('DEBIT', payment, body);
  await harness.handleCallbacksFor(60_000);
  assert.notEqual((await harness.payment(payment)).dueAtMs, null);
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.workFor(dayMs);
  const [reversal] = await harness.reversals();
  assert.deepEqual([reversal?.reason, reversal?.operatorTxId], ['LATE_DEBIT', 'OP-1']);
});

test('finds and returns a late debit through its callback', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  await harness.workFor(4 * dayMs);
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.callBack('DEBIT', payment, completed('OP-1'));
  await harness.handleCallbacks();
  assert.equal((await harness.reversals())[0]?.reason, 'LATE_DEBIT');
  assert.equal(await isUnanswered(harness), false);
  assert.equal((await harness.payment(payment)).dueAtMs, null, 'nobody looks at it again');
});

test('queries and books a late success of a refund that a callback reports', async (context) => {
  const harness = await openHarness(context);
  const reference = await refunds.begin(harness);
  harness.operator.onReverse = () => ({ kind: 'failed', failureCode: 'OPERATOR_REJECTED' });
  await harness.work();
  assert.equal((await refunds.now(harness, reference)).status, 'FAILED');
  harness.operator.onQueryReversal = () => success('OP-R', 4_000n);
  await harness.callBack(
    'REFUND',
    { tenantId: harness.tenantId, id: reference },
    completed('OP-R', '40.00'),
  );
  await harness.handleCallbacks();
  assert.equal(harness.lateRefunds.length, 1);
  assert.equal((await harness.balances()).suspense, -4_000);
  assert.equal(await isUnanswered(harness), false);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('shows a callback of a refund that our records lack to a person, and books nothing', async (context) => {
  const harness = await openHarness(context);
  const id = '019aa5d4-e0fb-7000-8000-00000000000f';
  harness.operator.onQueryReversal = () => notFound;
  await harness.callBack('REFUND', { tenantId: harness.tenantId, id }, completed('OP-R'));
  await harness.handleCallbacksFor(60_000);
  assert.deepEqual(await listed(harness), [
    {
      kind: 'CONTRADICTION',
      subjectKind: 'REFUND',
      subjectId: id,
      booked: 'nothing',
      told: completed('OP-R'),
      by: 'callback',
    },
  ]);
  assert.deepEqual(await harness.balances(), {});
});
