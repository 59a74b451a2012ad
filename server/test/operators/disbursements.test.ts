/** Disbursements as people and operators meet them: callbacks, cases, findings and the operator's list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { add, daysMs, nowOf, unclear } from './due-disbursement.ts';
import { openHarness } from './harness.ts';
import { debit, recoverWorld } from './recover-world.ts';
import { reviewWorld } from './review-world.ts';
import { pending, refused, success, unreachable } from './scripted.ts';

const di = ({ id }: { id: string }) => formatId('di', id);

const paidOut = (id: string, reference: string, status = 'completed') => ({
  ...debit(id, reference, { transactionStatus: status, amount: '40' }),
  type: 'disbursement',
  debitParty: [{ key: 'walletid', value: 'loja' }],
});

test('a callback makes the gateway ask under the reference, and only the answer counts', async (context) => {
  const harness = await openHarness(context);
  const disbursement = await add(harness);
  await harness.work();
  const { tenantId, reference } = disbursement;
  const told = {
    transactionReference: 'OP-1',
    transactionStatus: 'completed',
    amount: '40',
    currency: 'CVE',
    requestingOrganisationTransactionReference: reference,
  };
  const about = { tenantId, id: reference };
  harness.operator.onQueryDisbursement = () => pending;
  await harness.callBack('DISBURSEMENT', about, told);
  await harness.handleCallbacks();
  assert.equal((await nowOf(harness, disbursement)).status, 'PROCESSING');
  harness.operator.onQueryDisbursement = () => success('OP-1', 4_000n);
  await harness.handleCallbacksFor(60_000);
  assert.equal((await nowOf(harness, disbursement)).status, 'SUCCEEDED');
  await harness.callBack('DISBURSEMENT', about, { ...told, transactionStatus: 'failed' });
  await harness.handleCallbacksFor(daysMs(1));
  assert.equal((await nowOf(harness, disbursement)).status, 'SUCCEEDED');
  assert.deepEqual(
    (await harness.review()).map(({ kind, subjectKind, subjectId }) => [
      kind,
      subjectKind,
      subjectId,
    ]),
    [['CONTRADICTION', 'DISBURSEMENT', disbursement.id]],
  );
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('shows an unclear disbursement, and records that it was paid', async (context) => {
  const { harness, zimbo, list, audit, operator } = await reviewWorld(context);
  const disbursement = await unclear(harness);
  const [row] = await list();
  assert.deepEqual(
    [row!.kind, row!.subject.kind, row!.subject.id],
    ['UNCLEAR', 'DISBURSEMENT', di(disbursement)],
  );
  const shown = await zimbo('review', 'show', row!.id);
  assert.match(shown.stdout, /zimbo review resolve di_\S+ --paid-out TRANSACTION/);
  assert.ok(shown.stdout.includes(disbursement.reference), shown.stdout);
  operator.records.set('OP-1', { type: 'disbursement', amount: '40', currency: 'CVE' });
  const { all } = await zimbo('review', 'resolve', row!.id, '--paid-out', 'OP-1');
  assert.equal(all, `0 ${di(disbursement)} is SUCCEEDED.\nIts review item is closed.\n`);
  const now = await nowOf(harness, disbursement);
  assert.deepEqual([now.status, now.operatorTxId, now.byHand], ['SUCCEEDED', 'OP-1', true]);
  assert.deepEqual(await list(), []);
  const [record] = (await audit()).filter(({ action }) => action === 'disbursement.resolved');
  assert.deepEqual(record, {
    action: 'disbursement.resolved',
    subject: di(disbursement),
    detail: { finding: 'PAID_OUT', operatorTxId: 'OP-1', was: 'PROCESSING' },
  });
  assert.deepEqual(await checkLedger(harness.database), []);
  // The number is taken now.
  harness.operator.onQueryDisbursement = () => unreachable;
  const other = await unclear(harness);
  const again = await zimbo('review', 'resolve', di(other), '--paid-out', 'OP-1');
  assert.match(again.all, /OP-1 is already booked: it is what paid out disbursement di_/);
});

test('records that a disbursement was not paid, and gives amount and fee back', async (context) => {
  const { harness, zimbo } = await reviewWorld(context);
  const disbursement = await unclear(harness);
  const { all } = await zimbo('review', 'resolve', di(disbursement), '--not-paid-out');
  assert.equal(all, `0 ${di(disbursement)} is FAILED.\nIts review item is closed.\n`);
  assert.deepEqual(await harness.balances(), {});
  const known = await zimbo('review', 'resolve', di(disbursement), '--not-paid-out');
  assert.match(known.all, /The outcome of di_\w+ is known: it is FAILED/);
  const wrong = await zimbo('review', 'resolve', di(disbursement), '--refunded', 'OP-1');
  assert.match(
    wrong.all,
    /For a disbursement, use --paid-out TRANSACTION, --not-paid-out, --charge, or --write-off/,
  );
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('does not let a person decide about what was never sent', async (context) => {
  const { harness, zimbo } = await reviewWorld(context);
  const disbursement = await add(harness);
  const { all } = await zimbo('review', 'resolve', di(disbursement), '--not-paid-out');
  assert.match(all, /was never sent to the operator/);
});

test("books, lists or recognises the disbursements in the operator's list", async (context) => {
  const { harness, rows, run, list } = await recoverWorld(context);
  const { operator } = harness;
  const open = await add(harness);
  const booked = await add(harness);
  operator.onDisburse = ({ reference }) => {
    return reference === booked.reference ? success('OP-2', 4_000n) : pending;
  };
  await harness.work();
  const failed = await add(harness);
  operator.onDisburse = () => refused;
  await harness.work();
  const other = await add(harness);
  operator.onDisburse = () => pending;
  await harness.work();
  const undone = await add(harness);
  operator.onDisburse = () => success('OP-5', 4_000n);
  await harness.work();
  rows.push(
    paidOut('OP-5', undone.reference, 'cancelled'),
    paidOut('OP-6', other.reference, 'expired'),
    paidOut('OP-1', open.reference),
    paidOut('OP-2', booked.reference),
    paidOut('OP-3', failed.reference),
    { ...paidOut('OP-4', other.reference), amount: '41' },
  );
  const found = {
    disbursementsBooked: 2,
    disbursementsKnown: 1,
    disbursementsListed: 2,
    disbursementsOpen: 1,
  };
  assert.deepEqual(await run('--dry-run'), found);
  assert.deepEqual(await run(), found);
  const states = [open, booked, failed, other].map(async (each) => {
    const { status, operatorTxId } = await nowOf(harness, each);
    return [status, operatorTxId];
  });
  assert.deepEqual(await Promise.all(states), [
    ['SUCCEEDED', 'OP-1'],
    ['SUCCEEDED', 'OP-2'],
    ['FAILED', 'OP-3'],
    ['PROCESSING', null],
  ]);
  const cases = (await list()).map(({ kind, subject }) => `${kind} ${subject.id}`);
  const expected = [failed, other, undone].map((each) => `CONTRADICTION ${di(each)}`);
  assert.deepEqual(cases.toSorted(), expected.toSorted());
  assert.deepEqual(
    await run(),
    { disbursementsKnown: 3, disbursementsListed: 2, disbursementsOpen: 1 },
    'and once',
  );
  assert.deepEqual(await checkLedger(harness.database), []);
});
