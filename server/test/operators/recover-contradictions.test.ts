/** `zimbo operators recover`, and a list that disagrees with the ledger. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { AccountTransaction } from '../../src/integrations/operators/adapter.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import type { RecoverDependencies } from '../../src/operations/recovery/dependencies.ts';
import { Tally } from '../../src/operations/recovery/outcomes.ts';
import { recover } from '../../src/operations/recovery/recover.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { ensureUnassigned } from '../../src/tenants/merchants/unassigned-merchant.ts';
import { openHarness, timing } from './harness.ts';
import { debit, givenBack, recoverWorld } from './recover-world.ts';
import { notFound, refused as refusal, success } from './scripted.ts';

async function world(context: TestContext) {
  const base = await recoverWorld(context);
  const { harness } = base;
  const lateMinor = async (id: string) => {
    const text = 'SELECT late_refund_minor AS minor FROM payments WHERE id = $1';
    const [row] = await harness.database.query<{ minor: bigint }>({ text }, [id]);
    return row!.minor;
  };
  const tell = (reference: string, id: string, amountMinor: bigint) =>
    harness.useCases.refundProcessor.notify({
      tenantId: harness.tenantId,
      reference,
      answer: success(id, amountMinor),
    });
  const says = async () =>
    (await base.list())
      .map(({ kind, subject, operatorSays }) => `${kind} ${subject.kind}: ${operatorSays}`)
      .toSorted();
  return { ...base, lateMinor, tell, says };
}

const as = (transactionStatus: string) => ({ transactionStatus });

test('shows a booked debit that the list calls reversed or failed to a person, and does not refund it', async (context) => {
  const { harness, rows, run, says, lateMinor, tell } = await world(context);
  const [reversed, failed, ours] = [
    await harness.debited('TX-1'),
    await harness.debited('TX-2'),
    await harness.debited('TX-3'),
  ];
  await tell((await harness.refund(ours, null)).id, 'RV-3', 10_000n);
  rows.push(
    debit('TX-1', reversed.id, as('reversed')),
    debit('TX-2', null, as('failed')),
    debit('TX-3', ours.id, as('reversed')),
    debit('TX-9', reversed.id, as('failed')),
    debit('TX-8', randomUUID(), as('reversed')),
  );
  const counts = { debitsListed: 2, debitsKnown: 1, debitsFailed: 2 };
  assert.deepEqual(await run('--dry-run'), counts);
  assert.deepEqual(await run(), counts);
  assert.deepEqual(await run(), counts);
  assert.deepEqual(await says(), [
    'CONTRADICTION PAYMENT: in its list, failed, 100.00 CVE, TX-1',
    'CONTRADICTION PAYMENT: in its list, failed, 100.00 CVE, TX-2',
  ]);
  for (const { id } of [reversed, failed]) {
    assert.equal(await lateMinor(id), 10_000n);
    await assert.rejects(
      harness.refund({ ...reversed, id }, 1n),
      /Nothing of this payment is left/,
    );
  }
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('shows a return that succeeded in the ledger and failed in the list to a person', async (context) => {
  const { harness, rows, run, says, tell } = await world(context);
  const payment = await harness.debited('TX-1');
  const [named, unnamed] = [
    await harness.refund(payment, 1_000n),
    await harness.refund(payment, 500n),
  ];
  await tell(named.id, 'RV-1', 1_000n);
  await tell(unnamed.id, 'RV-2', 500n);
  rows.push(
    { ...givenBack('RV-1', named.id, 'TX-1', '10'), ...as('failed') },
    { ...givenBack('RV-2', null, 'TX-1', '5'), ...as('rejected') },
    { ...givenBack('RV-8', named.id, 'TX-1', '10'), ...as('failed') },
    { ...givenBack('RV-9', randomUUID(), 'TX-1', '10'), ...as('failed') },
  );
  const counts = { givenBackListed: 2, givenBackFailed: 2 };
  assert.deepEqual(await run('--dry-run'), counts);
  assert.deepEqual(await run(), counts);
  assert.deepEqual(await says(), [
    'CONTRADICTION REFUND: in its list, failed, 10.00 CVE, RV-1',
    'CONTRADICTION REFUND: in its list, failed, 5.00 CVE, RV-2',
  ]);
});

test('does not return a wrong debit again that the list calls reversed, or returned under the payment', async (context) => {
  const { harness, rows, run, zimbo, says } = await world(context);
  const payment = await harness.debited('TX-1');
  const { tenantId } = harness;
  harness.operator.onQueryReversal = () => notFound;
  let asked = 0;
  harness.operator.onReverse = () => {
    asked += 1;
    return refusal;
  };
  await harness.useCases.processor.notify({
    tenantId,
    reference: payment.id,
    answer: success('TX-2', 10_000n),
  });
  rows.push(
    debit('TX-2', payment.id, as('reversed')),
    givenBack('RV-3', payment.id, 'TX-3', '100'),
    debit('TX-3', payment.id),
  );
  const counts = { debitsListed: 1, debitsReversed: 1, givenBackListed: 1 };
  assert.deepEqual(await run('--dry-run'), counts);
  assert.deepEqual(await run(), counts);
  harness.nowMs = Date.now();
  await harness.workFor(60_000);
  const reversals = await harness.reversals();
  assert.deepEqual([asked, reversals.map(({ status }) => status)], [0, ['HELD', 'HELD']]);
  assert.deepEqual(await says(), [
    'CONTRADICTION PAYMENT: succeeded, 100.00 CVE, RV-3, gave back TX-3',
    'CONTRADICTION REVERSAL: in its list, failed, 100.00 CVE, TX-2, gave back TX-2',
    'HELD REVERSAL: debited 100.00 CVE, TX-3',
  ]);
  for (const { id } of reversals) {
    assert.match((await zimbo('review', 'resolve', id, '--reverse')).all, /back already/);
  }
});

test('shows a return with another amount, currency or debit to a person, and reserves it', async (context) => {
  const { harness, rows, run, says, lateMinor, tell } = await world(context);
  const [payment, other] = [await harness.debited('TX-1'), await harness.debited('TX-2')];
  const refunds = [];
  for (let count = 1; count <= 4; count++) {
    const refund = await harness.refund(payment, 1_000n);
    await tell(refund.id, `RV-${count}`, 1_000n);
    refunds.push(refund.id);
  }
  rows.push(
    givenBack('RV-1', refunds[0]!, 'TX-1', '20'),
    { ...givenBack('RV-2', refunds[1]!, 'TX-1', '10'), currency: 'AOA' },
    givenBack('RV-3', refunds[2]!, 'TX-2', '10'),
    givenBack('RV-4', null, 'TX-1', '30'),
    debit('TX-2', other.id, { currency: 'AOA' }),
  );
  const counts = { givenBackListed: 4, debitsListed: 1 };
  assert.deepEqual(await run('--dry-run'), counts);
  assert.deepEqual(await run(), counts);
  assert.deepEqual(await run(), counts);
  assert.equal((await says()).length, 5);
  assert.deepEqual(
    [await lateMinor(payment.id), await lateMinor(other.id)],
    [2_000n + 10_000n + 3_000n, 1_000n],
  );
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('shows a refund to a person that the list calls cancelled after it was booked', async (context) => {
  const { harness, rows, run, says, tell } = await world(context);
  const payment = await harness.debited('TX-1');
  const refund = await harness.refund(payment, 1_000n);
  const open = await harness.refund(payment, 2_000n);
  await tell(refund.id, 'RV-1', 1_000n);
  const cancelled = { transactionStatus: 'cancelled' };
  rows.push(
    { ...givenBack('RV-1', refund.id, 'TX-1', '10'), ...cancelled },
    { ...givenBack('RV-2', open.id, 'TX-1', '20'), ...cancelled },
    debit('TX-1', payment.id),
  );
  assert.deepEqual(await run(), { debitsKnown: 1, givenBackListed: 1, givenBackOpen: 1 });
  assert.deepEqual(await says(), [
    'CONTRADICTION REFUND: in its list, not completed, 10.00 CVE, RV-1',
  ]);
});

test('reserves the second of two returns under one refund', async (context) => {
  const { harness, rows, run, says, lateMinor } = await world(context);
  const payment = await harness.debited('TX-1');
  const refund = await harness.refund(payment, 1_000n);
  rows.push(
    givenBack('RV-1', refund.id, 'TX-1', '10'),
    givenBack('RV-2', refund.id, 'TX-1', '10'),
    debit('TX-1', payment.id),
  );
  assert.deepEqual(await run(), { debitsKnown: 1, givenBackBooked: 1, givenBackListed: 1 });
  assert.equal((await harness.refundNow(refund)).operatorRefundId, 'RV-1');
  assert.equal(await lateMinor(payment.id), 1_000n);
  assert.deepEqual(await says(), ['CONTRADICTION REFUND: succeeded, 10.00 CVE, RV-2']);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('reserves a pending return until the list has its outcome', async (context) => {
  const { harness, rows, run, runAs, says, lateMinor, closed } = await world(context);
  const [done, undone, own] = [
    await harness.debited('TX-1'),
    await harness.debited('TX-2'),
    await harness.debited('TX-3'),
  ];
  const refund = await harness.refund(own, 1_000n);
  const pending = [
    { ...givenBack('RV-1', randomUUID(), 'TX-1', '100'), ...as('pending') },
    { ...givenBack('RV-2', undone.id, 'TX-2', '100'), ...as('pending') },
  ];
  rows.push(...pending, { ...givenBack('RV-3', refund.id, 'TX-3', '10'), ...as('pending') });
  const counts = { givenBackListed: 2, givenBackOpen: 1 };
  assert.deepEqual(await run('--dry-run'), counts);
  assert.deepEqual(await run(), counts);
  assert.deepEqual(await run(), counts);
  const minors = () => Promise.all([done, undone, own].map(({ id }) => lateMinor(id)));
  assert.deepEqual(await minors(), [10_000n, 10_000n, 0n]);
  await assert.rejects(harness.refund(done, 1n), /Nothing of this payment is left/);
  assert.deepEqual(await says(), [
    'CONTRADICTION PAYMENT: in its list, not completed, 100.00 CVE, RV-2, gave back TX-2',
    'UNKNOWN_REFERENCE REFUND: in its list, not completed, 100.00 CVE, RV-1, gave back TX-1',
  ]);
  Object.assign(pending[0]!, as('completed'));
  Object.assign(pending[1]!, as('failed'));
  await runAs(0);
  assert.deepEqual(await minors(), [10_000n, 0n, 0n]);
  assert.deepEqual(await says(), [
    'UNKNOWN_REFERENCE REFUND: succeeded, 100.00 CVE, RV-1, gave back TX-1',
  ]);
  assert.deepEqual((await closed()).map(({ by, reason }) => `${by}: ${reason}`).toSorted(), [
    "gateway: the operator's list says that it failed",
    "gateway: the operator's list says that it has finished",
  ]);
  assert.equal((await harness.refund(undone, null)).amountMinor, 10_000n);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('closes no reserved return when an outcome is recorded', async (context) => {
  const { harness, rows, run, zimbo, list, lateMinor } = await world(context);
  const payment = await harness.sent();
  const { originalTransactionReference: _, ...unnamed } = givenBack('RV-4', payment.id, '', '60');
  rows.push(unnamed);
  await run();
  const told = { operatorTxId: 'TX-1', amount: 'x', currency: 'CVE', type: null, reference: null };
  harness.operator.onQueryDebit = () => ({ kind: 'unknown', progress: 'MISMATCH', reported: told });
  await harness.useCases.processor.hint(harness.tenantId, payment.id);
  assert.deepEqual((await list()).map(({ kind }) => kind).toSorted(), [
    'CONTRADICTION',
    'MISMATCH',
  ]);
  const several = await zimbo('review', 'close', formatId('pi', payment.id), '--reason', 'settled');
  assert.match(several.all, /has 2 review items/);
  const resolve = ['resolve', formatId('pi', payment.id), '--debited', 'TX-1', '--amount', '100'];
  const ended = await zimbo('review', ...resolve);
  assert.equal(await lateMinor(payment.id), 6_000n);
  const [left, ...more] = await list();
  assert.equal(
    ended.all,
    `0 ${formatId('pi', payment.id)} is DEBITED.\nIts review item is closed.\nStill to explain, and not refundable: ${left!.id}.\n`,
  );
  assert.deepEqual([left!.kind, more], ['CONTRADICTION', []]);
  await assert.rejects(harness.refund(payment, null));
  assert.equal((await zimbo('review', 'close', left!.id, '--reason', 'settled')).code, 0);
  assert.equal((await harness.refund(payment, null)).amountMinor, 10_000n);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('refunds and returns nothing in a running gateway before the list was read and its returns are recorded', async (context) => {
  const harness = await openHarness(context);
  const { base, processor, refundProcessor, reversalProcessor, reverse, processorDependencies } =
    harness.useCases;
  const { disbursementProcessor } = harness.useCases;
  const payment = await harness.debited('TX-1');
  const lost = await harness.sent();
  harness.operator.onQueryReversal = () => notFound;
  harness.operator.onReverse = () => success('RV-SECOND', 10_000n);
  const refused: string[] = [];
  const goOn = async () => {
    await harness.workFor(30_000);
    await harness.refund(lost, null).catch(({ code }) => refused.push(code));
  };
  const dependencies: RecoverDependencies = {
    ...base,
    timing,
    operator: 'CVMOVEL',
    traits: { ...harness.operator.known, account: 'walletid@loja' },
    currencies: ['CVE'],
    payments: {
      async notify(notification) {
        await processor.notify(notification);
        await goOn();
      },
    },
    refunds: refundProcessor,
    reversals: reversalProcessor,
    disbursements: disbursementProcessor,
    reverse,
    requestReview: processorDependencies.requestReview,
    ensureUnassigned: () => ensureUnassigned(harness.database, base),
    sinceMs: 0,
    isDryRun: false,
  };
  const row = (change: Partial<AccountTransaction>): AccountTransaction => ({
    operatorTxId: 'TX-2',
    reference: null,
    kind: 'DEBIT',
    status: 'SUCCEEDED',
    amountMinor: 10_000n,
    currency: 'CVE',
    atMs: null,
    debitTxId: null,
    ...change,
  });
  const rest = Array.from({ length: 101 }, (_, index) =>
    row({ operatorTxId: `F-${index}`, status: 'FAILED' }),
  );
  async function* pages() {
    yield row({ reference: payment.id });
    yield row({ operatorTxId: 'TX-3', reference: lost.id });
    yield* rest;
    // The next page takes a while, and the gateway and the merchant go on.
    await goOn();
    yield row({ kind: 'GIVEN_BACK', operatorTxId: 'RV-2', debitTxId: 'TX-2' });
    yield row({ kind: 'GIVEN_BACK', operatorTxId: 'RV-3', debitTxId: 'TX-3' });
  }
  await recover(dependencies, pages(), new Tally(), () => {});
  await goOn();
  assert.equal(harness.operator.count('reverse'), 0);
  const [notYet, nothingLeft] = ['INVALID_STATE', 'REFUND_EXCEEDS_PAYMENT'];
  assert.deepEqual(refused, [notYet, notYet, nothingLeft, nothingLeft]);
  assert.equal((await harness.payment(lost)).status, 'DEBITED');
  assert.equal((await harness.reversals())[0]!.status, 'HELD');
  assert.deepEqual(await checkLedger(harness.database), []);
});
