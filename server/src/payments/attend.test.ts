import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBooks } from '../../test/operators/books.ts';
import { success, unreachable } from '../../test/operators/scripted.ts';
import { checkLedger } from '../ledger/check.ts';
import { createAttend } from './attend.ts';

test('a payment cancelled while its debit is asked for again is watched, and a late debit goes back', async (context) => {
  const books = await openBooks(context);
  const { operator } = books;
  operator.known = { ...operator.known, deduplicates: true };
  operator.onRequestDebit = async ({ repeated }) => {
    if (repeated) await books.cancel(payment);
    return unreachable;
  };
  const payment = await books.sent();
  books.wait(20_000);
  await books.work();
  assert.equal(operator.count('requestDebit'), 2);
  assert.equal((await books.payment(payment)).status, 'CANCELLED');
  // Asked at once, the operator has not got the second request yet; then it has.
  books.wait(1_000);
  await books.work();
  operator.onAskDebit = () => success('OP-1', payment.amountMinor);
  books.wait(3_600_000);
  await books.work();
  assert.deepEqual(
    (await books.reversals()).map(({ reason }) => reason),
    ['LATE_DEBIT'],
  );
});

test('a debit of a payment that our books call unsent is booked, and it is not sent', async (context) => {
  const books = await openBooks(context);
  const payment = await books.create();
  const { tenantId, id: reference, amountMinor } = payment;
  const answer = success('OP-1', amountMinor);
  for (let times = 0; times < 2; times++) {
    await books.parts.attend.notice({ tenantId, reference, answer });
  }
  const now = await books.payment(payment);
  assert.equal(now.status, 'DEBITED');
  assert.equal(now.dueAtMs, null);
  assert.deepEqual(books.operator.heard, []);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('a process that was frozen before it could ask for the debit does not ask too late', async (context) => {
  const books = await openBooks(context);
  const { operator, parts } = books;
  let frozenMs = 60_000;
  // Between the commit and the request the process stands still.
  const attend = createAttend({
    ...parts.attendParts,
    advance: async (...call) => {
      const advanced = await parts.advance(...call);
      books.wait(frozenMs);
      return advanced;
    },
    reschedule: async (...call) => {
      const moved = await parts.attendParts.reschedule(...call);
      books.wait(frozenMs);
      return moved;
    },
  });
  parts.attend = attend;
  const payment = await books.create();
  await books.work();
  // Meanwhile another may have asked, heard that the operator knows nothing, and believed it.
  assert.equal(operator.count('requestDebit'), 0, 'when it is first sent');
  books.wait(5_000);
  await books.work();
  assert.equal(operator.count('requestDebit'), 0, 'when it is sent again');
  assert.equal((await books.payment(payment)).sentAtMs, null, 'nothing has left');
  frozenMs = 0;
  books.wait(5_000);
  await books.work();
  assert.deepEqual(
    operator.heard.filter(({ call }) => call === 'requestDebit').map(({ repeated }) => repeated),
    [false],
  );
});
