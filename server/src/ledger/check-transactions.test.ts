import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Books, openBooks } from '../../test/operators/books.ts';
import { pending, success } from '../../test/operators/scripted.ts';
import { checkLedger } from './check.ts';

const tables = ['payments', 'refunds', 'reversals', 'operator_transactions'];
const paid = `(SELECT id FROM payments WHERE operator_tx_id = 'OP-1')`;
const other = `(SELECT id FROM payments WHERE operator_tx_id = 'OP-2')`;

/** What is done to right books, and the words that must tell of it. */
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
      /^CVMOVEL's OP-1 is booked as the debit of payment pi_\w+, which the books do not hold$/,
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

/** Live books: two debits, one of them refunded in part, a late one on its way back, and one that is open. */
async function rightBooks(context: TestContext): Promise<Books> {
  const books = await openBooks(context);
  const payment = await books.debited('OP-1');
  await books.debited('OP-2');
  await books.refund(payment, 4_000n);
  const late = await books.sent();
  books.operator.onAskDebit = () => success('OP-3', 10_000n);
  await books.cancel(late);
  await books.work();
  books.operator.onAskDebit = () => pending;
  await books.work();
  await books.sent();
  for (const table of tables) {
    await books.database.query({ text: `CREATE TABLE right_${table} AS TABLE ${table}` });
  }
  return books;
}

async function restore({ database }: Books): Promise<void> {
  for (const table of tables) {
    await database.query({ text: `TRUNCATE ${table}` });
    await database.query({ text: `INSERT INTO ${table} TABLE right_${table}` });
  }
}

test('the check finds every fault that is planted in transactions, and none in right books', async (context) => {
  const books = await rightBooks(context);
  assert.deepEqual(await checkLedger(books.database), []);
  for (const { name, sql, told } of faults) {
    await books.database.query({ text: sql });
    const texts = (await checkLedger(books.database))
      .filter(({ check }) => check === 'transaction')
      .map(({ message }) => message);
    assert.equal(texts.length, told.length, `${name}:\n${texts.join('\n')}`);
    for (const [index, words] of told.entries()) assert.match(texts[index]!, words, name);
    await restore(books);
    assert.deepEqual(await checkLedger(books.database), [], `after ${name}`);
  }
});

test('what a person has been told of is no problem, and what a person has looked at neither', async (context) => {
  const books = await rightBooks(context);
  const { database } = books;
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

test('of merchants that only test nothing is booked, and nothing is missed', async (context) => {
  const books = await openBooks(context, { mode: 'test' });
  books.operator.known = { ...books.operator.known, account: null };
  await books.debited('OP-1');
  await books.debited('OP-1');
  const messages = (await checkLedger(books.database)).filter(
    ({ check }) => check === 'transaction',
  );
  assert.deepEqual(messages, []);
});
