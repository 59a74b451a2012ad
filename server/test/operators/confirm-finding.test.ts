/** The number of a transaction that a person types is looked up at the operator before money moves on it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { reviewWorld } from './review-world.ts';
import { unreachable } from './scripted.ts';

const pi = ({ id }: { id: string }) => formatId('pi', id);

/** A payment that is closed, sent, and unanswered: a debit of it would go back to the customer. */
async function cancelledPayment({ harness }: Awaited<ReturnType<typeof reviewWorld>>) {
  const payment = await harness.sent();
  await harness.cancel(payment);
  harness.operator.onQueryDebit = () => unreachable;
  return payment;
}

test("refuses two numbers that a person mixed up, so that nobody's debit goes back for another's", async (context) => {
  const world = await reviewWorld(context);
  const { harness, zimbo, audit } = world;
  const [one, two] = [await cancelledPayment(world), await cancelledPayment(world)];
  const recordOf = ({ id, operatorPhone: phone }: typeof one) => ({
    type: 'merchantpay',
    amount: '100',
    currency: 'CVE',
    requestingOrganisationTransactionReference: id,
    debitParty: [{ key: 'msisdn', value: phone }],
  });
  world.operator.records.set('TX-39', recordOf(one)).set('TX-93', recordOf(two));
  const enter = (payment: typeof one, number: string, ...more: string[]) =>
    zimbo('review', 'resolve', pi(payment), '--debited', number, '--amount', '100', ...more);
  for (const more of [[], ['--unconfirmed']]) {
    const swapped = await enter(one, 'TX-93', ...more);
    assert.match(
      swapped.all,
      new RegExp(`^1 CVMOVEL says that TX-93 belongs to payment ${pi(two)}`),
    );
  }
  assert.deepEqual([await harness.reversals(), await audit()], [[], []], 'nothing has changed');
  assert.equal((await enter(one, 'TX-39')).code, 0);
  assert.equal((await enter(two, 'TX-93')).code, 0);
  const reversals = await harness.reversals();
  const returned = new Map(
    reversals.map(({ paymentId, operatorTxId }) => [paymentId, operatorTxId]),
  );
  assert.deepEqual([returned.get(one.id), returned.get(two.id)], ['TX-39', 'TX-93']);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('asks a person to insist on a number that the operator does not confirm, and audits that', async (context) => {
  const world = await reviewWorld(context);
  const { harness, zimbo, audit } = world;
  const payment = await cancelledPayment(world);
  const doubts = [
    [null, 'there is no such transaction'],
    [{ amount: '15.20' }, 'its amount is 15.20 CVE, not 100.00 CVE'],
    [{ transactionStatus: 'pending' }, 'it is not completed'],
    [{ transactionStatus: 'reversed' }, 'it is not completed'],
    [{ currency: 'AOA', amount: '100' }, 'it describes a transaction of another customer'],
    [{ type: 'reversal' }, 'it describes a transaction of another customer'],
    [{ debitParty: [{ key: 'msisdn', value: '+2389990000' }] }, 'it describes a transaction'],
    [{ requestingOrganisationTransactionReference: 'INV-7' }, 'it describes a transaction'],
    [{ transactionReference: 'TX-8' }, 'it gave no usable answer'],
    [{ transactionStatus: 7 }, 'it gave no usable answer'],
  ] as const;
  const enter = (...more: string[]) =>
    zimbo('review', 'resolve', pi(payment), '--debited', 'TX-9', '--amount', '100', ...more);
  for (const [record, doubt] of doubts) {
    world.operator.records.set('TX-9', record);
    const { all } = await enter();
    assert.ok(all.startsWith(`1 CVMOVEL does not confirm TX-9: ${doubt}`), all);
    assert.match(all, /add --unconfirmed/);
  }
  assert.deepEqual([await harness.reversals(), await audit()], [[], []]);
  assert.equal((await enter('--unconfirmed')).code, 0);
  const isMarked = async () =>
    (await audit()).map(({ detail }) => (detail as { isUnconfirmed?: true }).isUnconfirmed);
  assert.deepEqual(await isMarked(), [true]);
  assert.equal((await harness.reversals()).length, 1);
  const other = await cancelledPayment(world);
  const insisting = ['--debited', 'TX-10', '--amount', '100', '--unconfirmed'];
  assert.equal((await zimbo('review', 'resolve', pi(other), ...insisting)).code, 0);
  assert.deepEqual(await isMarked(), [true, undefined], 'the operator confirmed it');
});

test('lets a person record a return by hand that keeps the reference of the payment', async (context) => {
  const world = await reviewWorld(context);
  const { harness, zimbo, operator } = world;
  const payment = await harness.debited('TX-1');
  const refund = await harness.refund(payment, 4_000n);
  harness.operator.onReverse = () => unreachable;
  harness.operator.onQueryReversal = () => unreachable;
  await harness.useCases.refundProcessor.process(refund, 'MEMORY');
  await harness.workFor(60_000);
  const record = { type: 'reversal', requestingOrganisationTransactionReference: payment.id };
  operator.records.set('RV-2', { ...record, amount: '40' });
  const enter = (...more: string[]) =>
    zimbo('review', 'resolve', formatId('re', refund.id), '--refunded', 'RV-2', ...more);
  assert.match((await enter()).all, /^1 CVMOVEL does not confirm RV-2: it describes/);
  const insisted = await enter('--unconfirmed');
  assert.equal(insisted.code, 0, insisted.all);
});

test('looks up the number of a return, and asks nothing about a finding without a number', async (context) => {
  const world = await reviewWorld(context);
  const { harness, zimbo, operator } = world;
  const payment = await harness.debited('TX-1');
  const refund = await harness.refund(payment, 4_000n);
  harness.operator.onReverse = () => unreachable;
  harness.operator.onQueryReversal = () => unreachable;
  await harness.useCases.refundProcessor.process(refund, 'MEMORY');
  await harness.workFor(60_000);
  const name = formatId('re', refund.id);
  operator.records.set('RV-2', { type: 'reversal', originalTransactionReference: 'TX-7' });
  const wrong = await zimbo('review', 'resolve', name, '--refunded', 'RV-2');
  assert.match(wrong.all, /^1 CVMOVEL does not confirm RV-2: it describes a transaction/);
  operator.records.set('RV-2', {
    type: 'reversal',
    originalTransactionReference: 'TX-1',
    amount: '40',
  });
  const right = await zimbo('review', 'resolve', name, '--refunded', 'RV-2');
  assert.equal(right.code, 0, right.all);
  const unanswered = await cancelledPayment(world);
  assert.equal((await zimbo('review', 'resolve', pi(unanswered), '--not-debited')).code, 0);
  assert.deepEqual(operator.lookedUp, ['RV-2', 'RV-2']);
});
