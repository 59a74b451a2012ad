import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Harness, openHarness } from '../../../test/operators/harness.ts';
import { pending, success } from '../../../test/operators/scripted.ts';
import { checkLedger } from './check.ts';

const tables = ['payments', 'refunds', 'reversals', 'operator_transactions'];
const paid = `(SELECT id FROM payments WHERE operator_tx_id = 'OP-1')`;
const other = `(SELECT id FROM payments WHERE operator_tx_id = 'OP-2')`;

/** Faults injected into correct ledgers, and the words that must report each. */
const faults: { name: string; sql: string; told: RegExp[] }[] = [
  {
    name: 'a debit is not booked',
    sql: `DELETE FROM operator_transactions WHERE operator_tx_id = 'OP-1'`,
    told: [/^CVMOVEL's OP-1 is the debit of payment pi_\w+, and is booked for nothing$/],
  },
  {
    name: 'what goes back is not booked',
    sql: `DELETE FROM operator_transactions WHERE operator_tx_id = 'OP-3'`,
    told: [/^CVMOVEL's OP-3 is a wrong debit of payment pi_\w+, and is booked for nothing$/],
  },
  {
    name: 'two payments are debited with one transaction',
    sql: `
      DELETE FROM operator_transactions WHERE operator_tx_id = 'OP-2';
      UPDATE payments SET operator_tx_id = 'OP-1' WHERE operator_tx_id = 'OP-2'`,
    told: [
      /^CVMOVEL's OP-1 is the debit of payment pi_\w+, and is booked as the debit of payment pi_\w+$/,
    ],
  },
  {
    name: 'a debit is good and goes back',
    sql: `
      DELETE FROM operator_transactions WHERE operator_tx_id = 'OP-3';
      UPDATE reversals SET operator_tx_id = 'OP-1'`,
    told: [
      /^CVMOVEL's OP-1 is a wrong debit of payment pi_\w+, and is booked as the debit of payment pi_\w+$/,
    ],
  },
  {
    name: 'a transaction is booked for a payment that was not debited with it',
    sql: `UPDATE operator_transactions SET payment_id = ${other} WHERE payment_id = ${paid}`,
    told: [
      /^CVMOVEL's OP-1 is the debit of payment pi_\w+, and is booked as the debit of payment pi_\w+$/,
      /^CVMOVEL's OP-1 is booked as the debit of payment pi_\w+, which the ledger does not have$/,
    ],
  },
  {
    name: 'nobody asks about a refund any more',
    sql: `UPDATE refunds SET due_at = NULL`,
    told: [/^refund re_\w+ is PROCESSING, and nobody asks about it or is told of it$/],
  },
  {
    name: 'nobody asks about a reversal any more',
    sql: `UPDATE reversals SET due_at = NULL`,
    told: [/^reversal [\w-]+ is PROCESSING, and nobody asks about it or is told of it$/],
  },
];

/** Live ledgers: two debits, one of them refunded in part, a late debit on its way back, and an open one. */
async function balancedLedger(context: TestContext): Promise<Harness> {
  const harness = await openHarness(context);
  const payment = await harness.debited('OP-1');
  await harness.debited('OP-2');
  await harness.refund(payment, 4_000n);
  const late = await harness.sent();
  harness.operator.onQueryDebit = () => success('OP-3', 10_000n);
  await harness.cancel(late);
  await harness.work();
  harness.operator.onQueryDebit = () => pending;
  await harness.work();
  await harness.sent();
  for (const table of tables) {
    await harness.database.query({ text: `CREATE TABLE right_${table} AS TABLE ${table}` });
  }
  return harness;
}

async function restore({ database }: Harness): Promise<void> {
  for (const table of tables) {
    await database.query({ text: `TRUNCATE ${table}` });
    await database.query({ text: `INSERT INTO ${table} TABLE right_${table}` });
  }
}

test('finds every fault injected into transactions, and none in a correct ledger', async (context) => {
  const harness = await balancedLedger(context);
  assert.deepEqual(await checkLedger(harness.database), []);
  for (const { name, sql, told } of faults) {
    await harness.database.query({ text: sql });
    const texts = (await checkLedger(harness.database))
      .filter(({ check }) => check === 'transaction')
      .map(({ message }) => message);
    assert.equal(texts.length, told.length, `${name}:\n${texts.join('\n')}`);
    for (const [index, words] of told.entries()) assert.match(texts[index]!, words, name);
    await restore(harness);
    assert.deepEqual(await checkLedger(harness.database), [], `after ${name}`);
  }
});

test('reports neither open nor closed review items as problems', async (context) => {
  const harness = await balancedLedger(context);
  const { database } = harness;
  const list = (kind: string, subject: string, closed: string) => `
    INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at,
      closed_at, closed_by)
    SELECT tenant_id, gen_random_uuid(), '${kind}', 'PAYMENT', ${subject}, operator,
      '{"operatorTxId": "OP-1"}', now(), ${closed} FROM refunds`;
  const problems = async () => (await checkLedger(database)).map(({ message }) => message);
  await database.query({ text: 'UPDATE refunds SET due_at = NULL' });
  await database.query({ text: list('UNCLEAR', 'id', 'now(), $$Ana$$') });
  assert.equal((await problems()).length, 1, 'closed, and still nobody asks');
  await database.query({ text: list('UNCLEAR', 'id', 'NULL, NULL') });
  assert.deepEqual(await problems(), []);
  await database.query({ text: `DELETE FROM operator_transactions WHERE operator_tx_id = 'OP-1'` });
  await database.query({ text: list('CLASH', 'payment_id', 'NULL, NULL') });
  assert.equal((await problems()).length, 1, 'listed, and not looked at');
  await database.query({ text: list('CLASH', 'payment_id', 'now(), $$Ana$$') });
  assert.deepEqual(await problems(), []);
});

test('neither books nor misses transactions of merchants that only test', async (context) => {
  const harness = await openHarness(context, { mode: 'test' });
  harness.operator.known = { ...harness.operator.known, account: null };
  await harness.debited('OP-1');
  await harness.debited('OP-1');
  const messages = (await checkLedger(harness.database)).filter(
    ({ check }) => check === 'transaction',
  );
  assert.deepEqual(messages, []);
});
