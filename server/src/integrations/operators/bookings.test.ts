import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../../test/operators/harness.ts';
import { success } from '../../../test/operators/scripted.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { checkLedger } from '../../money/ledger/check.ts';
import type { Payment } from '../../money/payments/payment.ts';
import type { Database } from '../../platform/postgres/database.ts';

const count = 8;

/** Whether a row could be written now; the write is rolled back. */
async function isFree(database: Database, insert: string, operatorTxId: string): Promise<boolean> {
  const undone = new Error('undone');
  const write = database.transaction(async (transaction) => {
    await transaction.query({ text: `SET LOCAL lock_timeout = '300ms'` });
    await transaction.query({ text: insert }, [operatorTxId]);
    throw undone;
  });
  return write.catch((error: unknown) => error === undone) as Promise<boolean>;
}

test('books transactions of a batch in one order, whatever the order of its payments', async (context) => {
  const harness = await openHarness(context);
  const { database } = harness;
  const payments: Payment[] = [];
  for (let index = 0; index < count; index++) payments.push(await harness.sent());
  const transactionOf = (index: number) => `OP-${count - index}`;
  const insert = `INSERT INTO operator_transactions (operator, account, operator_tx_id, tenant_id, payment_id, kind)
    VALUES ('CVMOVEL', 'walletid@loja', $1, gen_random_uuid(), gen_random_uuid(), 'DEBIT')`;
  let batch: Promise<unknown> | undefined;
  await database.transaction(async (transaction) => {
    await transaction.query({ text: insert }, ['OP-1']);
    batch = Promise.all(
      payments.map((payment, index) =>
        harness.useCases.processor.answered(payment, success(transactionOf(index), 10_000n)),
      ),
    );
    await eventually('the batch waits for the first', async () => {
      const text = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await database.query({ text })).length === 1;
    });
    const taken: string[] = [];
    for (let index = 2; index <= count; index++) {
      const free = await isFree(database, insert, `OP-${index}`);
      if (!free) taken.push(`OP-${index}`);
    }
    assert.deepEqual(taken, [], 'who holds what it waits for would wait for it');
  });
  await batch;
  const text = `SELECT count(*)::integer AS count FROM payments WHERE status = 'DEBITED'`;
  assert.deepEqual(await database.query({ text }), [{ count: count - 1 }]);
  assert.equal((await harness.review()).length, 1, 'the first clashed');
});

test('books a debit although its payment is written meanwhile, as by a worker that releases it', async (context) => {
  const harness = await openHarness(context);
  const { database } = harness;
  const payment = await harness.sent();
  const { tenantId, id: reference } = payment;
  let debit: Promise<unknown> | undefined;
  await database.transaction(async (transaction) => {
    const touch = 'UPDATE payments SET ask_count = ask_count + 1, due_at = now() WHERE id = $1';
    await transaction.query({ text: touch }, [reference]);
    const answer = success('OP-1', payment.amountMinor);
    debit = harness.useCases.processor.notify({ tenantId, reference, answer });
    await eventually('the debit waits', async () => {
      const text = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await database.query({ text })).length === 1;
    });
  });
  await debit;
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await checkLedger(database), []);
});
