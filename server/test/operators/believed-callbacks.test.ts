/** Authentic callbacks of an operator without queries, for which the callback is the only source. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { OperatorAnswer } from '../../src/integrations/operators/operator.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { openHarness } from './harness.ts';
import { debits, disbursements, type Kind, refunds, reversals } from './kinds.ts';

const operations = {
  debit: 'DEBIT',
  refund: 'REFUND',
  reversal: 'REVERSAL',
  disbursement: 'DISBURSEMENT',
} as const;

/** A request that was sent, and the operator's callback about it. */
async function told(context: TestContext, kind: Kind) {
  const harness = await openHarness(context);
  const id = await kind.begin(harness);
  harness.operator.known = { ...harness.operator.known, answersQueries: false };
  await harness.work();
  const { tenantId } = harness;
  const address = { operator: 'CVMOVEL', kind: operations[kind.name], tenantId, reference: id };
  const tell = async (body: object) => {
    await harness.useCases.take({ address: address as never, authenticated: true, body });
    await harness.handleCallbacksFor(60_000);
  };
  const transaction = {
    transactionReference: 'OP-R',
    transactionStatus: 'completed',
    amount: kind === refunds || kind === disbursements ? '40' : '100',
    currency: 'CVE',
  };
  const failed = {
    ...transaction,
    transactionStatus: 'failed',
    requestingOrganisationTransactionReference: id,
  };
  const status = async () => (await kind.now(harness, id)).status;
  const listed = async () => (await harness.review()).map((item) => item.kind);
  return { harness, id, tell, transaction, failed, status, listed };
}

const unnamed: [string, object][] = [
  ['no reference', {}],
  ['an empty reference', { requestingOrganisationTransactionReference: '' }],
  ['no reference, and an amount that cannot be read', { amount: '100,00' }],
];

for (const kind of [debits, refunds, reversals, disbursements]) {
  for (const [what, change] of unnamed) {
    test(`keeps a success of a ${kind.name} with ${what} despite a later failure`, async (context) => {
      const { harness, tell, transaction, failed, status, listed } = await told(context, kind);
      const before = await status();
      await tell({ ...transaction, ...change });
      assert.equal(await status(), before);
      assert.deepEqual(await listed(), ['CONTRADICTION']);
      await tell(failed);
      assert.equal(await status(), before, 'it stays open');
      assert.ok((await listed()).length > 1, 'a person sees both words');
      assert.deepEqual(await checkLedger(harness.database), []);
    });
  }

  test(`keeps nothing open after a failure of a ${kind.name} without a reference`, async (context) => {
    const { tell, failed, status } = await told(context, kind);
    const { requestingOrganisationTransactionReference: _, ...nameless } = failed;
    await tell(nameless);
    await tell(failed);
    assert.equal(await status(), 'FAILED');
  });

  test(`keeps nothing open after the success of another ${kind.name}`, async (context) => {
    const { harness, tell, transaction, failed, status } = await told(context, kind);
    const requestingOrganisationTransactionReference = harness.tenantId;
    await tell({ ...transaction, requestingOrganisationTransactionReference });
    await tell(failed);
    assert.equal(await status(), 'FAILED');
  });
}

test('allows no second refund of an amount that an unnamed success may have refunded', async (context) => {
  const { harness, id, tell, transaction, failed } = await told(context, refunds);
  await tell(transaction);
  await tell(failed);
  const text = 'SELECT payment_id AS id FROM refunds WHERE id = $1';
  const [row] = await harness.database.query<{ id: string }>({ text }, [id]);
  const payment = await harness.payment({ tenantId: harness.tenantId, id: row!.id });
  await assert.rejects(harness.refund(payment, payment.amountMinor), {
    code: 'REFUND_EXCEEDS_PAYMENT',
  });
});

test('fails no disbursement that was reversed: a person finds out whether all of it came back', async (context) => {
  const { tell, failed, status, listed } = await told(context, disbursements);
  await tell({ ...failed, transactionStatus: 'Reversed' });
  assert.deepEqual(await listed(), ['CONTRADICTION']);
  await tell(failed);
  assert.equal(await status(), 'PROCESSING');
});

for (const kind of [refunds, reversals, disbursements]) {
  for (const answersQueries of [false, true]) {
    const operator = `operator ${answersQueries ? 'with' : 'without'} queries`;

    test(`lists a done ${kind.name} that was undone later, of an ${operator}`, async (context) => {
      for (const transactionStatus of ['reversed', 'Cancelled', 'timed_out', 'returned']) {
        const { harness, tell, transaction, failed, status, listed } = await told(context, kind);
        harness.operator.known = { ...harness.operator.known, answersQueries };
        kind.onQuery(harness, () => ({ ...kind.success, operatorTxId: 'OP-R' }) as OperatorAnswer);
        await tell({ ...failed, ...transaction });
        assert.equal(await status(), 'SUCCEEDED');
        await tell({ ...failed, transactionStatus: 'pending' });
        assert.deepEqual(await listed(), [], 'a late word of its progress');
        await tell({ ...failed, transactionStatus });
        assert.deepEqual(await listed(), ['CONTRADICTION'], transactionStatus);
        assert.equal(await status(), 'SUCCEEDED');
      }
    });
  }

  test(`lists no failed ${kind.name} that was cancelled`, async (context) => {
    const { tell, failed, status, listed } = await told(context, kind);
    await tell({ ...failed, transactionStatus: 'cancelled' });
    await tell(failed);
    assert.equal(await status(), 'FAILED');
    await tell({ ...failed, transactionStatus: 'expired' });
    assert.deepEqual(await listed(), []);
  });

  test(`lists a ${kind.name} that was cancelled according to a callback and done according to a query`, async (context) => {
    const { harness, tell, failed, status, listed } = await told(context, kind);
    harness.operator.known = { ...harness.operator.known, answersQueries: true };
    kind.onQuery(harness, () => kind.success);
    await tell({ ...failed, transactionStatus: 'cancelled' });
    assert.equal(await status(), 'SUCCEEDED');
    assert.deepEqual(await listed(), ['CONTRADICTION']);
  });
}
