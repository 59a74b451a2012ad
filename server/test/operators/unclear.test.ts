/** What the operator tells after a person was asked to find out. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { OperatorAnswer } from '../../src/operators/operator.ts';
import { type Books, openBooks } from './books.ts';
import { pending, refused, success, unreachable } from './scripted.ts';

const fourDaysMs = 4 * 86_400_000;

/** Who closed what, and what is still open. */
async function reviewed({ database }: Books) {
  const text = 'SELECT kind, closed_by AS by, reason FROM review_items ORDER BY created_at, kind';
  return database.query({ text });
}

const closedByGateway = {
  kind: 'UNCLEAR',
  by: 'gateway',
  reason: 'the operator told the outcome',
};
const open = { kind: 'UNCLEAR', by: null, reason: null };

type Subject = 'payment' | 'refund' | 'reversal';

/** Something that was asked about for as long as we ask, without an outcome; and how to hear of it again. */
async function unclear(context: TestContext, subject: Subject) {
  const books = await openBooks(context);
  const { operator, parts, tenantId } = books;
  operator.onAskDebit = () => unreachable;
  operator.onAskReversal = () => unreachable;
  let id: string;
  let hint: (answer: OperatorAnswer) => Promise<boolean>;
  if (subject === 'payment') {
    const payment = await books.sent();
    await books.cancel(payment);
    id = payment.id;
    hint = (answer) => {
      operator.onAskDebit = () => answer;
      return parts.attend.hint(tenantId, id);
    };
  } else {
    const payment = await books.debited('TX-1');
    if (subject === 'refund') {
      const refund = await books.refund(payment, null);
      await parts.attendRefund.attend(refund, 'MEMORY');
      id = refund.id;
    } else {
      const reverse = {
        reason: 'SECOND_DEBIT',
        operatorTxId: 'TX-2',
        amountMinor: 10_000n,
      } as const;
      await parts.reverse(payment, reverse, operator.known.account);
      id = (await books.reversals())[0]!.id;
      const sent = `UPDATE reversals SET sent_at = created_at, status = 'PROCESSING'`;
      await books.database.query({ text: sent });
    }
    const attend = subject === 'refund' ? parts.attendRefund : parts.attendReversal;
    hint = (answer) => {
      operator.onAskReversal = () => answer;
      return attend.hint(tenantId, id);
    };
  }
  await books.workFor(fourDaysMs);
  assert.deepEqual(await reviewed(books), [open]);
  return { books, hint };
}

for (const subject of ['payment', 'refund', 'reversal'] as const) {
  for (const answer of [success('TX-9', 10_000n), refused]) {
    test(`${subject}: a definite answer (${answer.kind}) that comes late takes it off the list`, async (context) => {
      const { books, hint } = await unclear(context, subject);
      await hint(unreachable);
      await hint(pending);
      assert.deepEqual(await reviewed(books), [open], 'still nobody knows');
      await hint(answer);
      assert.deepEqual(await reviewed(books), [closedByGateway]);
    });
  }
}
