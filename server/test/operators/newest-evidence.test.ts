/** Later answers of the operator about an open item: a person sees the first and the newest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectState } from '../../src/backoffice/approvals/subjects.ts';
import type { OperatorAnswer } from '../../src/integrations/operators/operator.ts';
import { reviewWorld } from './review-world.ts';

const mismatchOf = (operatorTxId: string, amount: string, currency: string): OperatorAnswer => ({
  kind: 'unknown',
  progress: 'MISMATCH',
  reported: { operatorTxId, amount, currency, type: null, reference: null },
});

for (const name of ['TX-2', '']) {
  test(`keeps the newest answer beside the first in an item about ${name || 'a success without a name'}`, async (context) => {
    const { harness, list, zimbo } = await reviewWorld(context);
    const payment = await harness.sent();
    const tell = async (amount: string, currency: string) => {
      harness.operator.onQueryDebit = () => mismatchOf(name, amount, currency);
      await harness.useCases.processor.hint(harness.tenantId, payment.id);
      const [item, ...others] = await harness.review();
      assert.deepEqual(others, []);
      const { told: first, newest } = item!.detail as Record<string, { amount: string }>;
      const { tenantId, id: subjectId } = item!;
      const states = (['REVIEW_CLOSE', 'REVIEW_RESOLVE'] as const).map((kind) =>
        subjectState(harness.database, { tenantId, kind, subjectId, request: '' }),
      );
      return { amounts: [first?.amount, newest?.amount], states: await Promise.all(states) };
    };
    const first = await tell('1,00', 'CVE');
    assert.deepEqual(first.amounts, ['1,00', undefined]);
    assert.deepEqual(await tell('1,00', 'CVE'), first, 'the same again is nothing new');
    const second = await tell('90,00', 'AOA');
    assert.deepEqual(second.amounts, ['1,00', '90,00']);
    for (const index of [0, 1]) {
      assert.notEqual(second.states[index], first.states[index], 'nobody approves what is stale');
    }
    assert.match((await list())[0]!.operatorSays, /1,00 CVE.*; later: .*90,00 AOA/);
    assert.deepEqual(await tell('1,00', 'CVE'), second, 'both are there');
    assert.deepEqual((await tell('7,00', 'CVE')).amounts, ['1,00', '7,00']);
    assert.equal((await harness.payment(payment)).mismatched, true);
    assert.equal((await zimbo('review')).code, 0);
  });
}
