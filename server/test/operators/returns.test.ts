/** A return is booked once: one transaction of an operator returns one refund or reversal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountTransaction } from '../../src/integrations/operators/adapter.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import type { Refund } from '../../src/money/refunds/refund.ts';
import { findSubject } from '../../src/money/review/subjects.ts';
import { matchReturn } from '../../src/operations/recovery/match-returns.ts';
import { type Harness, openHarness } from './harness.ts';
import { beginReversal, type Kind, refunds, reversals } from './kinds.ts';
import { refused, success } from './scripted.ts';

const dayMs = 86_400_000;

const outgoing = ({ database }: Harness) =>
  database.query<Record<string, string>>({
    text: `SELECT account, operator_tx_id AS "operatorTxId", kind, subject_id AS "subjectId"
      FROM outgoing_transactions ORDER BY operator_tx_id`,
  });

const clashes = async (harness: Harness) =>
  (await harness.review())
    .filter(({ kind }) => kind === 'CLASH')
    .map(
      ({ subjectKind, subjectId, detail }): Record<string, unknown> => ({
        subjectKind,
        subjectId,
        ...detail,
      }),
    );

const told = (operatorTxId: string, amountMinor: bigint) => ({
  operatorTxId,
  amountMinor: amountMinor.toString(),
});

/** Two refunds of two payments, whose answers the test chooses. */
async function twoRefunds(harness: Harness, answers: readonly string[]): Promise<Refund[]> {
  const both: Refund[] = [];
  for (const [index, operatorTxId] of answers.entries()) {
    const payment = await harness.debited(`OP-${index}`);
    const refund = await harness.refund(payment, 4_000n);
    harness.operator.onReverse = () => success(operatorTxId, 4_000n);
    await harness.work();
    both.push(refund);
  }
  return both;
}

test('books one of two refunds with the same transaction, and shows both to a person', async (context) => {
  const harness = await openHarness(context);
  const [first, second] = await twoRefunds(harness, ['OP-R', 'OP-R']);
  const { id: subjectId, tenantId } = first!;
  assert.equal((await harness.refundNow(first!)).status, 'SUCCEEDED');
  assert.equal((await harness.refundNow(second!)).status, 'PROCESSING');
  assert.deepEqual(await clashes(harness), [
    {
      subjectKind: 'REFUND',
      subjectId: second!.id,
      booked: { tenantId, kind: 'REFUND', subjectId },
      told: told('OP-R', 4_000n),
    },
  ]);
  harness.operator.onQueryReversal = () => success('OP-R', 4_000n);
  await harness.workFor(4 * dayMs);
  const now = await harness.refundNow(second!);
  assert.deepEqual([now.status, now.operatorRefundId], ['PROCESSING', null]);
  const kinds = (await harness.review()).map(({ kind }) => kind);
  assert.deepEqual(kinds, ['CLASH', 'UNCLEAR'], 'it stays open for a person');
  const account = 'walletid@loja';
  assert.deepEqual(await outgoing(harness), [
    { account, operatorTxId: 'OP-R', kind: 'REFUND', subjectId },
  ]);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('returns only one of two parts of a payment by one transaction', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.debited('OP-1');
  harness.operator.onReverse = () => success('OP-R', 3_000n);
  await harness.refund(payment, 3_000n);
  await harness.work();
  await harness.refund(payment, 2_000n);
  await harness.work();
  const text = 'SELECT refunded_minor AS refunded FROM payments WHERE id = $1';
  assert.deepEqual(await harness.database.query({ text }, [payment.id]), [{ refunded: 3_000n }]);
  assert.equal((await clashes(harness)).length, 1);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test("succeeds with a refund's own transaction after its first answer clashed", async (context) => {
  const harness = await openHarness(context);
  const [, second] = await twoRefunds(harness, ['OP-R', 'OP-R']);
  harness.operator.onQueryReversal = () => success('OP-R2', 4_000n);
  await harness.workFor(60_000);
  const { status, operatorRefundId } = await harness.refundNow(second!);
  assert.deepEqual([status, operatorRefundId], ['SUCCEEDED', 'OP-R2']);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('returns only one of a refund and a reversal by one transaction', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.debited('OP-1');
  await beginReversal(harness, payment, 'OP-2');
  harness.operator.onReverse = () => success('OP-R', 10_000n);
  await harness.work();
  const refund = await harness.refund(payment, 10_000n);
  await harness.work();
  assert.equal((await harness.reversals())[0]!.status, 'SUCCEEDED');
  assert.equal((await harness.refundNow(refund)).status, 'PROCESSING');
  assert.equal((await clashes(harness)).length, 1);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('returns only one of two reversals by one transaction', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.debited('OP-1');
  harness.operator.onReverse = () => success('OP-R', 10_000n);
  for (const operatorTxId of ['OP-2', 'OP-3']) {
    await beginReversal(harness, payment, operatorTxId);
    await harness.work();
  }
  const statuses = (await harness.reversals()).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), ['PROCESSING', 'SUCCEEDED']);
  assert.equal((await harness.balances()).suspense, 10_000);
  const [clash] = await clashes(harness);
  assert.equal(clash?.subjectKind, 'REVERSAL');
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('lets one refund succeed when two processes hear of one transaction at once', async (context) => {
  const harness = await openHarness(context);
  const other = await openHarness(context, { database: harness.database });
  for (let round = 0; round < 5; round++) {
    const both: Refund[] = [];
    for (const part of ['A', 'B']) {
      both.push(await harness.refund(await harness.debited(`OP-${round}${part}`), null));
    }
    const answer = success(`OP-R${round}`, 10_000n);
    await Promise.all(
      both.map(({ tenantId, id: reference }, index) =>
        (index ? other : harness).useCases.refundProcessor.notify({ tenantId, reference, answer }),
      ),
    );
    const statuses = await Promise.all(
      both.map(async (refund) => (await harness.refundNow(refund)).status),
    );
    assert.deepEqual(statuses.toSorted(), ['PROCESSING', 'SUCCEEDED']);
  }
  assert.equal((await clashes(harness)).length, 5);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test("does not count a FAILED refund as returned late by another's transaction", async (context) => {
  const harness = await openHarness(context);
  await twoRefunds(harness, ['OP-R']);
  const failed = await harness.refund(await harness.debited('OP-9'), 4_000n);
  harness.operator.onReverse = () => refused;
  await harness.work();
  const { tenantId, id: reference } = failed;
  const answer = success('OP-R', 4_000n);
  await harness.useCases.refundProcessor.notify({ tenantId, reference, answer });
  assert.equal((await harness.refundNow(failed)).operatorRefundId, null);
  assert.equal((await harness.balances()).suspense, undefined);
  assert.equal((await clashes(harness)).length, 1);
  assert.deepEqual(await checkLedger(harness.database), []);
});

for (const kind of [refunds, reversals] as Kind[]) {
  const debitTxId = kind === refunds ? 'OP-1' : 'OP-2';
  const amountMinor = kind === refunds ? 4_000n : 10_000n;

  test(`keeps a ${kind.name} open that names the debit itself as its return, and tells a person`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => success(debitTxId, amountMinor));
    await harness.work();
    assert.equal((await kind.now(harness, reference)).status, 'PROCESSING');
    assert.equal((await clashes(harness)).length, 1);
    assert.deepEqual(await outgoing(harness), []);
    kind.onQuery(harness, () => kind.success);
    await harness.workFor(60_000);
    assert.equal((await kind.now(harness, reference)).status, 'SUCCEEDED');
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`keeps a simulated ${kind.name} open that names the debit itself as its return, and tells a person`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    // Transactions of simulated operators are booked nowhere, so no booking refuses it.
    harness.operator.known = { ...harness.operator.known, account: null };
    kind.onSend(harness, () => success(debitTxId, amountMinor));
    await harness.work();
    assert.equal((await kind.now(harness, reference)).status, 'PROCESSING');
    assert.equal((await clashes(harness)).length, 1);
  });

  test(`sees no clash of a ${kind.name} with itself after a lost COMMIT`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => kind.success);
    kind.onQuery(harness, () => kind.success);
    let lost = 0;
    harness.afterStatement = (name) => {
      if (!name.endsWith('move_booking') || lost > 0) return;
      lost += 1;
      throw new Error('Connection terminated unexpectedly');
    };
    await harness.work().catch((error: Error) => assert.match(error.message, /terminated/));
    await harness.workFor(120_000);
    assert.equal(lost, 1);
    assert.equal((await kind.now(harness, reference)).status, 'SUCCEEDED');
    assert.deepEqual(await clashes(harness), []);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  test(`lets the return of a ${kind.name} without an account stand for any account`, async (context) => {
    const harness = await openHarness(context);
    await twoRefunds(harness, ['OP-R']);
    await harness.database.query({ text: `UPDATE outgoing_transactions SET account = ''` });
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => success('OP-R', amountMinor));
    await harness.work();
    assert.equal((await kind.now(harness, reference)).status, 'PROCESSING');
    assert.equal((await clashes(harness)).length, 1);
  });
}

for (const kind of [refunds, reversals] as Kind[]) {
  test(`returns no ${kind.name} of another payment by the transaction of a debit`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    const other = await harness.debited('OP-OTHER');
    kind.onSend(harness, () => success('OP-OTHER', kind === refunds ? 4_000n : 10_000n));
    kind.onQuery(harness, () => success('OP-OTHER', kind === refunds ? 4_000n : 10_000n));
    await harness.workFor(60_000);
    assert.equal((await kind.now(harness, reference)).status, 'PROCESSING');
    const [clash, ...more] = await clashes(harness);
    assert.deepEqual(clash?.booked, {
      tenantId: other.tenantId,
      paymentId: other.id,
      kind: 'DEBIT',
    });
    assert.deepEqual(more, []);
    assert.deepEqual(await outgoing(harness), []);
    kind.onQuery(harness, () => kind.success);
    await harness.workFor(3_600_000);
    assert.equal((await kind.now(harness, reference)).status, 'SUCCEEDED');
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}

test('debits no payment by the transaction of a refund, in time or late', async (context) => {
  const harness = await openHarness(context);
  const [refund] = await twoRefunds(harness, ['OP-R']);
  const inTime = await harness.debited('OP-R');
  assert.equal(inTime.status, 'OPERATOR_PENDING');
  const late = await harness.sent();
  await harness.cancel(late);
  harness.operator.onQueryDebit = () => success('OP-R', 10_000n);
  await harness.workFor(60_000);
  assert.deepEqual(await harness.reversals(), []);
  const booked = { tenantId: refund!.tenantId, kind: 'REFUND', subjectId: refund!.id };
  assert.deepEqual(
    new Map((await clashes(harness)).map((clash) => [clash.subjectId, clash.booked])),
    new Map([
      [inTime.id, booked],
      [late.id, booked],
    ]),
  );
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('keeps the transactions of another account apart, in both directions', async (context) => {
  const harness = await openHarness(context);
  const debited = await harness.debited('OP-R');
  harness.operator.known = { ...harness.operator.known, account: 'walletid@other' };
  await twoRefunds(harness, ['OP-R']);
  const refund = await harness.refund(debited, 1_000n);
  harness.operator.onReverse = () => success('OP-0', 1_000n);
  await harness.work();
  // Its own payment was debited by OP-0, under this account.
  assert.equal((await harness.refundNow(refund)).status, 'PROCESSING');
  assert.equal((await clashes(harness)).length, 1);
  assert.deepEqual(
    (await outgoing(harness)).map(({ operatorTxId }) => operatorTxId),
    ['OP-R'],
  );
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('finds transactions booked in both directions in the ledger check', async (context) => {
  const harness = await openHarness(context);
  await twoRefunds(harness, ['OP-R']);
  await harness.debited('OP-9');
  const { database } = harness;
  for (const text of [
    `UPDATE refunds SET operator_refund_id = 'OP-9'`,
    `UPDATE outgoing_transactions SET operator_tx_id = 'OP-9'`,
  ]) {
    await database.query({ text });
  }
  const [problem, ...others] = (await checkLedger(database)).map(({ message }) => message);
  assert.match(
    problem!,
    /^CVMOVEL's OP-9 is booked as what gave back refund re_\w+, and as the debit of payment pi_\w+$/,
  );
  assert.deepEqual(others, []);
});

test('books nothing for merchants that only test', async (context) => {
  const harness = await openHarness(context, { mode: 'test' });
  harness.operator.known = { ...harness.operator.known, account: null };
  const refund = await harness.refund(await harness.debited('OP-1', { operator: 'MOCK' }), null);
  harness.operator.onReverse = () => success('OP-R', 10_000n);
  await harness.work();
  assert.equal((await harness.refundNow(refund)).status, 'SUCCEEDED');
  assert.deepEqual(await outgoing(harness), []);
});

test("books returns from the operator's list, but no clash and no return of another debit", async (context) => {
  const harness = await openHarness(context);
  const [, second] = await twoRefunds(harness, ['OP-R', 'OP-R']);
  const { operator, database, useCases } = harness;
  const row: AccountTransaction = {
    operatorTxId: 'OP-R',
    reference: second!.id,
    kind: 'GIVEN_BACK',
    status: 'SUCCEEDED',
    amountMinor: 4_000n,
    currency: 'CVE',
    atMs: harness.nowMs,
    debitTxId: null,
  };
  const holds = async (change: Partial<AccountTransaction>) => {
    const dependencies = {
      ...useCases.refundDependencies,
      operator: 'CVMOVEL',
      traits: { ...operator.known, account: 'walletid@loja' },
      currencies: ['CVE'],
      payments: useCases.processor,
      refunds: useCases.refundProcessor,
      reversals: useCases.reversalProcessor,
      reverse: useCases.reverse,
      ensureUnassigned: async () => {},
      isDryRun: false,
    } as unknown as Parameters<typeof matchReturn>[0];
    const known = {
      bookings: new Map(),
      returned: new Map(),
      subjects: new Map(),
      expected: new Map(),
    };
    const subject = await findSubject(database, second!.id);
    return matchReturn(dependencies, { ...row, ...change }, known as never, subject);
  };
  assert.equal(await holds({}), 'LISTED');
  assert.equal(await holds({ operatorTxId: 'OP-R2', debitTxId: 'OP-7' }), 'LISTED');
  assert.equal(await holds({ operatorTxId: 'OP-1' }), 'LISTED');
  assert.equal((await harness.refundNow(second!)).operatorRefundId, null);
  assert.equal(await holds({ operatorTxId: 'OP-R2', debitTxId: 'OP-1' }), 'BOOKED');
  assert.equal((await harness.refundNow(second!)).operatorRefundId, 'OP-R2');
});

test('finds a transaction that returned two objects, or none, in the ledger check', async (context) => {
  const harness = await openHarness(context);
  await twoRefunds(harness, ['OP-R', 'OP-S']);
  const { database } = harness;
  const text = `UPDATE refunds SET operator_refund_id = 'OP-R' WHERE operator_refund_id = 'OP-S'`;
  await database.query({ text });
  const messages = (await checkLedger(database)).map(({ message }) => message);
  assert.equal(messages.length, 2);
  assert.match(messages[0]!, /^CVMOVEL's OP-R gave back refund re_\w+, and is booked for another/);
  assert.match(messages[1]!, /^CVMOVEL's OP-S is booked as what gave back refund re_\w+, which/);
});
