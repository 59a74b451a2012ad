/** The operator's answers after a person was asked to find out. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { OperatorAnswer } from '../../src/integrations/operators/operator.ts';
import { type Harness, openHarness } from './harness.ts';
import { pending, refused, success, unreachable } from './scripted.ts';

const fourDaysMs = 4 * 86_400_000;

/** Who closed which items, and which are still open. */
async function reviewed({ database }: Harness) {
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

/** An object that was queried to the end of its watch, without an outcome; and how to hear of it again. */
async function unclear(context: TestContext, subject: Subject) {
  const harness = await openHarness(context);
  const { operator, useCases, tenantId } = harness;
  operator.onQueryDebit = () => unreachable;
  operator.onQueryReversal = () => unreachable;
  let id: string;
  let hint: (answer: OperatorAnswer) => Promise<unknown>;
  if (subject === 'payment') {
    const payment = await harness.sent();
    await harness.cancel(payment);
    id = payment.id;
    hint = (answer) => {
      operator.onQueryDebit = () => answer;
      return useCases.processor.hint(tenantId, id);
    };
  } else {
    const payment = await harness.debited('TX-1');
    if (subject === 'refund') {
      const refund = await harness.refund(payment, null);
      await useCases.refundProcessor.process(refund, 'MEMORY');
      id = refund.id;
    } else {
      const reverse = {
        reason: 'SECOND_DEBIT',
        operatorTxId: 'TX-2',
        amountMinor: 10_000n,
      } as const;
      await useCases.reverse(payment, reverse, operator.known.account);
      id = (await harness.reversals())[0]!.id;
      const sent = `UPDATE reversals SET sent_at = created_at, status = 'PROCESSING'`;
      await harness.database.query({ text: sent });
    }
    const processor = subject === 'refund' ? useCases.refundProcessor : useCases.reversalProcessor;
    hint = (answer) => {
      operator.onQueryReversal = () => answer;
      return processor.hint(tenantId, id);
    };
  }
  await harness.workFor(fourDaysMs);
  assert.deepEqual(await reviewed(harness), [open]);
  return { harness, hint };
}

for (const subject of ['payment', 'refund', 'reversal'] as const) {
  for (const answer of [success('TX-9', 10_000n), refused]) {
    test(`${subject}: takes it off the list after a late definite answer (${answer.kind})`, async (context) => {
      const { harness, hint } = await unclear(context, subject);
      await hint(unreachable);
      await hint(pending);
      assert.deepEqual(await reviewed(harness), [open], 'still nobody knows');
      await hint(answer);
      assert.deepEqual(await reviewed(harness), [closedByGateway]);
    });
  }
}
