/** A person's findings about a payment, a refund or a wrong debit: `zimbo review resolve` and `close`. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { OperatorAnswer } from '../../src/integrations/operators/operator.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import type { Harness } from './harness.ts';
import { heldDebit, reviewWorld } from './review-world.ts';
import { pending, refused, success, unreachable } from './scripted.ts';

const daysMs = (days: number) => days * 86_400_000;
const pi = ({ id }: { id: string }) => formatId('pi', id);
const re = ({ id }: { id: string }) => formatId('re', id);

/** A payment that was cancelled after it was sent, and whose outcome the operator never reported. */
async function unclearPayment(harness: Harness) {
  harness.nowMs -= daysMs(4);
  const payment = await harness.sent();
  await harness.cancel(payment);
  harness.operator.onQueryDebit = () => unreachable;
  await harness.workFor(daysMs(4));
  return payment;
}

/** A refund whose outcome the operator never reported. */
async function unclearRefund(harness: Harness, operatorTxId = 'TX-1') {
  harness.nowMs -= daysMs(4);
  const payment = await harness.debited(operatorTxId);
  const refund = await harness.refund(payment, 4_000n);
  harness.operator.onQueryReversal = (request) => (request.repeated ? pending : unreachable);
  await harness.useCases.refundProcessor.process({ ...refund, dueAtMs: refund.dueAtMs }, 'MEMORY');
  await harness.workFor(daysMs(4));
  return { payment, refund };
}

test('resolves an unknown payment as not debited, and audits who said so', async (context) => {
  const { harness, zimbo, list, audit, closed } = await reviewWorld(context);
  const payment = await unclearPayment(harness);
  const row = (await list())[0]!;
  const { code, stdout } = await zimbo('review', 'resolve', row.id, '--not-debited');
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `${pi(payment)} is CANCELLED. The operator is no longer queried about it.\nIts review item is closed.\n`,
  );
  assert.deepEqual(await list(), []);
  assert.deepEqual(await audit(), [
    {
      action: 'payment.resolved',
      subject: pi(payment),
      detail: { finding: 'NOT_DEBITED', was: 'CANCELLED' },
    },
  ]);
  assert.deepEqual(await closed(), [{ kind: 'UNCLEAR', by: 'cli', reason: 'not debited' }]);
  const now = await harness.payment(payment);
  assert.deepEqual([now.byHand, now.dueAtMs], [true, null]);
  const again = await zimbo('review', 'resolve', pi(payment), '--not-debited');
  assert.match(
    again.all,
    /^1 The outcome of pi_\w+ is known: it is CANCELLED\.\nTo find a debit that/,
  );
});

test('sends a debit that a person found to suspense, and back', async (context) => {
  const { harness, zimbo, list } = await reviewWorld(context);
  const payment = await unclearPayment(harness);
  const debited = ['--debited', 'TX-9', '--amount', '100'];
  const { code, stdout } = await zimbo('review', 'resolve', pi(payment), ...debited);
  assert.equal(code, 0);
  assert.match(stdout, /is CANCELLED\. The debit came too late: it is in suspense/);
  assert.deepEqual(await list(), []);
  const [reversal] = await harness.reversals();
  assert.deepEqual([reversal?.status, reversal?.operatorTxId], ['PENDING', 'TX-9']);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('refuses a mistake about a debit in words, and changes nothing', async (context) => {
  const { harness, zimbo, list, audit } = await reviewWorld(context);
  const other = await harness.debited('TX-1');
  const payment = await unclearPayment(harness);
  for (const [options, words] of [
    [['--debited', 'TX-9'], /^1 --debited needs --amount\./],
    [['--debited', 'TX-9', '--amount', '0'], /^1 --amount must be above 0/],
    [['--debited', ' ', '--amount', '100'], /^1 --debited needs the operator's number/],
    [
      ['--debited', 'TX-9', '--amount', '10'],
      /^1 The amount of the payment is 100\.00 CVE, not 10\.00 CVE\.\n.*--other-amount/,
    ],
    [
      ['--debited', 'TX-1', '--amount', '100'],
      new RegExp(`^1 TX-1 is already booked: it is a debit of payment ${pi(other)}\\.`),
    ],
    [['--debited', 'TX-9', '--amount', '100', '--not-debited'], /^1 The outcome of pi_/],
    [[], /^1 The outcome of pi_\w+ is missing\.\nFor a payment, use --debited/],
    [['--refunded', 'TX-9'], /^1 pi_\w+ is a payment\.\nFor a payment, use --debited/],
  ] as const) {
    assert.match((await zimbo('review', 'resolve', pi(payment), ...options)).all, words);
  }
  assert.match(
    (await zimbo('review', 'resolve', pi(other), '--not-debited')).all,
    /^1 The outcome of pi_\w+ is known: it is DEBITED/,
  );
  const row = (await list())[0]!;
  assert.match(
    (await zimbo('review', 'close', row.id, '--reason', 'x')).all,
    /^1 The outcome of payment/,
  );
  assert.deepEqual(await audit(), []);
  assert.equal((await harness.payment(payment)).byHand, false);
  assert.deepEqual(await harness.reversals(), []);
});

test('sends another amount to suspense, if entered on purpose', async (context) => {
  const { harness, zimbo } = await reviewWorld(context);
  const payment = await harness.sent();
  const wrong = ['--debited', 'TX-9', '--amount', '10', '--other-amount'];
  const { all } = await zimbo('review', 'resolve', pi(payment), ...wrong);
  assert.match(
    all,
    /^0 pi_\w+ is OPERATOR_PENDING\. The debit has another amount: it is in suspense/,
  );
  const [reversal] = await harness.reversals();
  assert.deepEqual([reversal?.reason, reversal?.amountMinor], ['WRONG_AMOUNT', 1_000n]);
});

test('corrects the transaction id of a debit after a mistake, and refunds under the right one', async (context) => {
  const { harness, zimbo, list, closed } = await reviewWorld(context);
  const payment = await harness.sent();
  const say = (operatorTxId: string) =>
    zimbo('review', 'resolve', pi(payment), '--debited', operatorTxId, '--amount', '100');
  assert.match((await say('TX-0002')).all, /^0 pi_\w+ is DEBITED\.\n$/);
  assert.match((await say('TX-0020')).all, /^1 The outcome of pi_\w+ is known/);
  const answer = success('TX-0020', 10_000n);
  const notification = { tenantId: harness.tenantId, reference: payment.id, answer };
  await harness.useCases.processor.notify(notification);
  assert.deepEqual(await harness.reversals(), [], 'nothing is reversed by itself');
  const row = (await list())[0]!;
  assert.equal(row.kind, 'CONTRADICTION');
  assert.equal(row.ledger, 'DEBITED, 100.00 CVE, TX-0002, entered by a person');
  const corrected = await say('TX-0020');
  assert.match(
    corrected.all,
    /^0 pi_\w+ is DEBITED by TX-0020, no longer by TX-0002\.\nIts review/,
  );
  assert.equal((await harness.payment(payment)).operatorTxId, 'TX-0020');
  assert.deepEqual(await closed(), [
    { kind: 'CONTRADICTION', by: 'cli', reason: 'debited: TX-0020' },
  ]);
  const text = 'SELECT operator_tx_id AS id, kind FROM operator_transactions';
  assert.deepEqual(await harness.database.query({ text }), [{ id: 'TX-0020', kind: 'DEBIT' }]);
  await harness.useCases.processor.notify(notification);
  assert.deepEqual(await list(), [], 'now both say the same');
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('resolves an unknown refund as returned, or as not returned', async (context) => {
  const { harness, zimbo, list, audit, closed } = await reviewWorld(context);
  const one = await unclearRefund(harness, 'TX-1');
  const other = await unclearRefund(harness, 'TX-2');
  assert.equal((await list()).length, 2);
  const given = await zimbo('review', 'resolve', re(one.refund), '--refunded', 'TX-11');
  assert.equal(given.all, `0 ${re(one.refund)} is SUCCEEDED.\nIts review item is closed.\n`);
  const refunded = await harness.refundNow(one.refund);
  assert.deepEqual([refunded.operatorRefundId, refunded.byHand], ['TX-11', true]);
  assert.equal((await harness.payment(one.payment)).status, 'PARTIALLY_REFUNDED');
  const twice = await zimbo('review', 'resolve', re(other.refund), '--refunded', 'TX-11');
  assert.match(
    twice.all,
    new RegExp(`^1 TX-11 is already booked: it is what gave refund ${re(one.refund)} back`),
  );
  const debit = await zimbo('review', 'resolve', re(other.refund), '--refunded', 'TX-2');
  assert.match(debit.all, /^1 TX-2 is already booked: it is a debit of payment/);
  const not = await zimbo('review', 'resolve', re(other.refund), '--not-refunded');
  assert.equal(not.all, `0 ${re(other.refund)} is FAILED.\nIts review item is closed.\n`);
  assert.deepEqual(await list(), []);
  assert.deepEqual(
    (await audit()).map(({ action, detail }) => ({ action, ...detail })),
    [
      { action: 'refund.resolved', finding: 'REFUNDED', operatorTxId: 'TX-11', was: 'PROCESSING' },
      { action: 'refund.resolved', finding: 'NOT_REFUNDED', was: 'PROCESSING' },
    ],
  );
  assert.deepEqual(
    (await closed()).map(({ reason }) => reason),
    ['refunded: TX-11', 'not refunded'],
  );
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('accepts no debit as the return of a refund, even without a configured operator', async (context) => {
  const { harness, zimbo, environment } = await reviewWorld(context);
  await harness.debited('TX-1');
  const { refund } = await unclearRefund(harness, 'TX-2');
  for (const name of ['URL', 'ACCOUNT', 'SECRET']) {
    Reflect.deleteProperty(environment, `OPERATOR_CVMOVEL_${name}`);
  }
  const enter = (id: string) => zimbo('review', 'resolve', re(refund), '--refunded', id);
  for (const id of ['TX-1', 'TX-2']) {
    assert.match((await enter(id)).all, new RegExp(`^1 ${id} is already booked: it is a debit of`));
  }
  // From before accounts were stored, or simulated.
  await harness.database.query({ text: 'DELETE FROM operator_transactions' });
  assert.match((await enter('TX-2')).all, /^1 TX-2 is the debit itself\./);
  assert.equal((await harness.refundNow(refund)).status, 'PROCESSING');
  assert.match((await enter('TX-3')).all, /is SUCCEEDED/);
});

test('lets a person decide when the operator contradicts a resolved refund', async (context) => {
  const { harness, zimbo, list } = await reviewWorld(context);
  const { refund } = await unclearRefund(harness);
  await zimbo('review', 'resolve', re(refund), '--not-refunded');
  const answer = success('TX-11', 4_000n);
  await harness.useCases.refundProcessor.notify({
    tenantId: harness.tenantId,
    reference: refund.id,
    answer,
  });
  assert.equal((await harness.refundNow(refund)).operatorRefundId, null);
  const row = (await list())[0]!;
  assert.equal(row.kind, 'CONTRADICTION');
  const taken = await zimbo('review', 'resolve', row.id, '--refunded', 'TX-11');
  assert.match(taken.all, /^0 re_\w+ is FAILED\. It succeeded after all: .* in suspense/);
  assert.equal((await harness.balances()).suspense, -4_000);
  assert.deepEqual(await list(), []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('resolves a held debit as reversed, returned, or not returned', async (context) => {
  const { harness, zimbo, list, audit } = await reviewWorld(context);
  const held = [];
  for (const operatorTxId of ['TX-1', 'TX-2', 'TX-3']) {
    held.push(await heldDebit(harness, randomUUID(), operatorTxId));
  }
  const [one, two, three] = held.map(({ id }) => id) as [string, string, string];
  const rows = await list();
  const itemOf = (id: string) => rows.find(({ subject }) => subject.id === id)!.id;
  assert.match(
    (await zimbo('review', 'close', itemOf(one), '--reason', 'x')).all,
    /^1 The outcome of reversal/,
  );
  assert.match(
    (await zimbo('review', 'resolve', one, '--given-back', 'TX-1')).all,
    /^1 TX-1 is the debit itself/,
  );
  assert.match(
    (await zimbo('review', 'resolve', itemOf(one), '--reverse')).all,
    /^0 Reversal \S+ is PENDING: the operator will be asked to return 77\.00 CVE\.\nIts review item is closed/,
  );
  assert.match(
    (await zimbo('review', 'resolve', two, '--given-back', 'TX-22')).all,
    /^0 Reversal \S+ is SUCCEEDED: 77\.00 CVE was returned by TX-22/,
  );
  assert.match(
    (await zimbo('review', 'resolve', three, '--not-given-back')).all,
    /^0 Reversal \S+ is FAILED: 77\.00 CVE stays in suspense/,
  );
  assert.match(
    (await zimbo('review', 'resolve', three, '--reverse')).all,
    /^1 Reversal \S+ is FAILED/,
  );
  assert.deepEqual(await list(), [], 'a person has decided about all of them');

  harness.nowMs = Date.now();
  harness.operator.onReverse = ({ amountMinor }) => success('TX-11', amountMinor);
  await harness.work();
  const statuses = (await harness.reversals()).map(({ status, byHand }) => `${status} ${byHand}`);
  const expected = ['FAILED true', 'SUCCEEDED false', 'SUCCEEDED true'];
  assert.deepEqual(statuses.sort(), expected);
  assert.equal((await harness.balances()).suspense, 7_700);
  assert.match(
    (await zimbo('review', 'resolve', three, '--given-back', 'TX-33')).all,
    /^0 Reversal \S+ is SUCCEEDED/,
  );
  assert.match(
    (await zimbo('review', 'resolve', two, '--not-given-back')).all,
    /^1 The outcome of reversal \S+ is known/,
  );
  assert.deepEqual(await harness.balances(), {});
  assert.equal((await audit()).length, 4);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('lists a wrong debit that the operator refuses to return until a person settles it', async (context) => {
  const { harness, zimbo, list } = await reviewWorld(context);
  const payment = await harness.debited('TX-1');
  const notify = (answer: OperatorAnswer) =>
    harness.useCases.processor.notify({
      tenantId: harness.tenantId,
      reference: payment.id,
      answer,
    });
  await notify(success('TX-2', 10_000n));
  harness.operator.onReverse = () => refused;
  await harness.work();
  const id = (await harness.reversals())[0]!.id;
  assert.deepEqual(kindsOf(await list()), ['REFUSED']);
  const settled = await zimbo('review', 'resolve', id, '--not-given-back');
  assert.match(
    settled.all,
    /^0 Reversal \S+ is FAILED: 100\.00 CVE stays in suspense, and it is off/,
  );
  assert.deepEqual(await list(), []);
  const again = await zimbo('review', 'resolve', id, '--not-given-back');
  assert.match(again.all, /^1 The outcome of reversal \S+ is known/);
  const answer = success('TX-22', 10_000n);
  await harness.useCases.reversalProcessor.notify({
    tenantId: harness.tenantId,
    reference: id,
    answer,
  });
  assert.deepEqual(kindsOf(await list()), ['CONTRADICTION'], 'what a person said stands');
  await zimbo('review', 'resolve', id, '--given-back', 'TX-22');
  assert.deepEqual([await list(), (await harness.balances()).suspense], [[], undefined]);
});

const kindsOf = (rows: { kind: string }[]) => rows.map(({ kind }) => kind);

test('closes a contradiction with a reason, once, and keeps it closed', async (context) => {
  const { harness, zimbo, list, audit, closed } = await reviewWorld(context);
  const payment = await harness.debited('TX-1');
  const contradict = () =>
    harness.useCases.processor.notify({
      tenantId: harness.tenantId,
      reference: payment.id,
      answer: success('TX-1', 2_000n),
    });
  await contradict();
  const row = (await list())[0]!;
  assert.match(
    (await zimbo('review', 'close', row.id, '--reason', ' ')).all,
    /^1 --reason must say why/,
  );
  const done = await zimbo('review', 'close', row.id, '--reason', 'ticket 4711');
  assert.equal(done.all, `0 ${row.id} is closed. The ledger is unchanged.\n`);
  assert.match(
    (await zimbo('review', 'close', row.id, '--reason', 'x')).all,
    /^1 ri_\w+ was closed on .* by cli:\S+: ticket 4711\./,
  );
  assert.match(
    (await zimbo('review', 'show', row.id)).stdout,
    /^Closed +\S+ \S+ UTC by cli:\S+: ticket 4711$/m,
  );
  await contradict();
  assert.deepEqual(await list(), []);
  assert.deepEqual(await audit(), [
    {
      action: 'review.closed',
      subject: row.id,
      detail: { kind: 'CONTRADICTION', reason: 'ticket 4711', about: pi(payment) },
    },
  ]);
  assert.deepEqual(await closed(), [{ kind: 'CONTRADICTION', by: 'cli', reason: 'ticket 4711' }]);
});

test('makes a person wait while a gateway queries the operator', async (context) => {
  const { harness, zimbo, audit } = await reviewWorld(context);
  const payment = await harness.sent();
  const text = `UPDATE payments SET asking_until = now() + interval '20 s'`;
  await harness.database.query({ text });
  const { all } = await zimbo('review', 'resolve', pi(payment), '--not-debited');
  assert.equal(
    all,
    '1 A gateway is querying CVMOVEL about it right now: nothing was changed.\nTry again in a minute.\n',
  );
  assert.deepEqual(await audit(), []);
});
