import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, testGateway } from '../../../test/support/gateway.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { checkLedger, inspectLedger, type LedgerProblem } from './check.ts';
import { suspense } from './suspense.ts';

const tables = [
  'payments',
  'reversals',
  'postings',
  'balances',
  'unsettled',
  'simulator_transactions',
];
const isDebited = `status = 'DEBITED'`;
const debitedId = `(SELECT id FROM payments WHERE ${isDebited})`;
const takeBackDebit = `DELETE FROM postings WHERE source_id = ${debitedId}`;
const takeBackReversal = `DELETE FROM postings WHERE kind = 'suspense_out'`;
const sumUpAgain = `
  DELETE FROM balances;
  INSERT INTO balances SELECT tenant_id, account, currency, sum(change)
  FROM (
    SELECT tenant_id, from_account AS account, currency, -amount_minor AS change FROM postings
    UNION ALL SELECT tenant_id, to_account, currency, amount_minor FROM postings
  ) AS movement GROUP BY tenant_id, account, currency;
  UPDATE unsettled SET fee_minor = 0, gross_minor = coalesce((
    SELECT balance_minor FROM balances b WHERE b.tenant_id = unsettled.tenant_id AND b.account = 'payable'), 0)`;
const otherId = `'00000000-0000-7000-8000-000000000001'`;
const reverseAgain = `
  INSERT INTO simulator_transactions
  SELECT (jsonb_populate_record(row, jsonb_build_object('reference', ${otherId}))).*
  FROM simulator_transactions AS row WHERE kind = 'REVERSAL'`;
/** The gateway's workers leave rows alone that are due later. */
const tomorrow = `now() + interval '1 day'`;

/** Faults injected into correct ledgers, and the words that must report each. */
const faults: { name: string; sql: string; told: RegExp[] }[] = [
  {
    name: 'a balance is off by one',
    sql: `UPDATE balances SET balance_minor = balance_minor + 1 WHERE account = 'fees'`,
    told: [/^balance: account fees in CVE has a balance of 201, but its postings sum up to 200$/],
  },
  {
    name: 'a balance is gone',
    sql: `DELETE FROM balances WHERE account = 'payable'`,
    told: [
      /^balance: account payable in CVE has no balance/,
      /^settlement: 0 CVE are payable, but 9800 are counted as unsettled$/,
    ],
  },
  {
    name: 'what is unsettled is gone',
    sql: `DELETE FROM unsettled`,
    told: [/^settlement: 9800 CVE are payable, but 0 are counted as unsettled$/],
  },
  {
    name: 'the balance of an account whose postings cancel out is gone',
    sql: `DELETE FROM balances WHERE account = 'suspense'`,
    told: [/^balance: account suspense in CVE has no balance, .* 0$/],
  },
  {
    name: 'a balance has no postings',
    sql: `INSERT INTO balances SELECT tenant_id, 'bank', currency, 5 FROM balances LIMIT 1`,
    told: [/^balance: account bank in CVE has a balance of 5, .* 0$/],
  },
  {
    name: 'a posting is gone',
    sql: `DELETE FROM postings WHERE kind = 'debit_fee'; ${sumUpAgain}`,
    told: [
      /^posting: payment pi_\w+ lacks its posting debit_fee, operator:MOCK → fees 200 CVE$/,
      /^operator: MOCK has collected 10000 CVE, but the ledger says 9800$/,
    ],
  },
  {
    name: 'a posting has another amount',
    sql: `UPDATE postings SET amount_minor = 9801 WHERE kind = 'debit_net'; ${sumUpAgain}`,
    told: [
      /^posting: payment pi_\w+ has the posting debit_net as .* 9801 CVE, and should have .* 9800 CVE$/,
      /^operator: MOCK has collected 10000 CVE, but the ledger says 10001$/,
    ],
  },
  {
    name: 'a posting went to another account',
    sql: `UPDATE postings SET to_account = 'fees' WHERE kind = 'debit_net'; ${sumUpAgain}`,
    told: [
      /^posting: .* as operator:MOCK → fees 9800 CVE, and should have operator:MOCK → payable/,
    ],
  },
  {
    name: 'a payment that is not debited has postings',
    sql: `UPDATE payments SET status = 'CANCELLED', due_at = NULL WHERE ${isDebited}`,
    told: [
      /^posting: payment pi_\w+ should have no posting debit_fee/,
      /^posting: payment pi_\w+ should have no posting debit_net/,
      /^operator: MOCK debited 10000 CVE that the ledger lacks, and the payment pi_\w+ is CANCELLED/,
    ],
  },
  {
    name: 'a debit was lost: the payment failed and nobody will ask',
    sql: `${takeBackDebit}; ${sumUpAgain}; UPDATE payments SET status = 'FAILED' WHERE ${isDebited}`,
    told: [
      /^operator: MOCK debited 10000 CVE that the ledger lacks, and the payment pi_\w+ is FAILED/,
      /^operator: MOCK has collected 10000 CVE, but the ledger says 0$/,
    ],
  },
  {
    name: 'a payment was sent before the ledger said so',
    sql: `${takeBackDebit}; ${sumUpAgain}; UPDATE payments SET status = 'CREATED', due_at = ${tomorrow} WHERE ${isDebited}`,
    told: [/^operator: MOCK debited .* is CREATED/, /^operator: MOCK has collected/],
  },
  {
    name: 'a payment is DEBITED that the operator never debited',
    sql: `DELETE FROM simulator_transactions WHERE reference = ${debitedId}`,
    told: [/^operator: MOCK has collected 0 CVE, but the ledger says 10000$/],
  },
  {
    name: 'a reversal succeeded and suspense still holds its debit',
    sql: `${takeBackReversal}; ${sumUpAgain}`,
    told: [
      /^posting: reversal [\w-]+ lacks its posting suspense_out, suspense → operator:MOCK 10000 CVE$/,
      /^operator: MOCK has collected 10000 CVE, but the ledger says 20000$/,
    ],
  },
  {
    name: 'a reversal has no posting at all',
    sql: `DELETE FROM postings WHERE kind LIKE 'suspense%'; ${sumUpAgain}`,
    told: [/lacks its posting suspense_in/, /lacks its posting suspense_out/],
  },
  {
    name: 'a debit was reversed twice',
    sql: reverseAgain,
    told: [
      /^operator: MOCK reversed 10000 CVE that the ledger lacks, and the reversal [\w-]+ does not exist/,
      /^operator: MOCK reversed 20000 in 2 reversals of \S+, which is a debit of 10000$/,
      /^operator: MOCK has collected 0 CVE, but the ledger says 10000$/,
    ],
  },
  {
    name: 'a debit was reversed in two halves',
    sql: `
      UPDATE simulator_transactions SET amount_minor = 5000 WHERE kind = 'REVERSAL';
      ${reverseAgain}`,
    told: [
      /^operator: MOCK reversed 5000 CVE that the ledger lacks/,
      /^operator: MOCK reversed 10000 in 2 reversals of \S+, which is a debit of 10000$/,
    ],
  },
];

/** The ledger of a gateway that has debited one payment, and has debited and reversed another. */
async function balancedLedger(context: Parameters<typeof testGateway>[0]): Promise<Database> {
  const { api, database } = await testGateway(context);
  const create = async (operatorPhone: string) =>
    (await api('POST', '/v1/payments', { amount: 10_000, operator: 'MOCK', operatorPhone })).body
      .id;
  const paid = await create('+2389912345');
  const late = await create('+2389912139');
  const isAt = (status: string, id: string) => async () =>
    (await api('GET', `/v1/payments/${id}`)).body.status === status;
  await eventually('it waits for the customer', isAt('USER_CONFIRMING', late));
  await api('POST', `/v1/payments/${late}/cancel`);
  await eventually('it is debited', isAt('DEBITED', paid));
  await eventually('the late debit is reversed', async () => {
    const text = `SELECT id FROM reversals WHERE status = 'SUCCEEDED'`;
    return (await database.query({ text })).length === 1;
  });
  await database.query({ text: 'GRANT ALL ON postings TO CURRENT_USER' });
  for (const table of tables) {
    await database.query({ text: `CREATE TABLE right_${table} AS TABLE ${table}` });
  }
  return database;
}

async function restore(database: Database): Promise<void> {
  for (const table of tables) {
    await database.query({ text: `TRUNCATE ${table}` });
    await database.query({ text: `INSERT INTO ${table} TABLE right_${table}` });
  }
}

/** The same faults make the totals wrong; those have tests of their own. */
const isOfLedger = ({ check }: LedgerProblem) => check !== 'totals';

/** Without parameters, one text may hold several statements. */
const plant = (database: Database, sql: string) => database.query({ text: sql });

test('finds every injected fault, and none in a correct ledger', async (context) => {
  const database = await balancedLedger(context);
  assert.deepEqual(await inspectLedger(database), { problems: [], inFlight: [] });
  for (const { name, sql, told } of faults) {
    await plant(database, sql);
    const problems = (await checkLedger(database)).filter(isOfLedger);
    const texts = problems.map(({ check, message }) => `${check}: ${message}`);
    assert.equal(texts.length, told.length, `${name}:\n${texts.join('\n')}`);
    for (const [index, words] of told.entries()) assert.match(texts[index]!, words, name);
    await restore(database);
    assert.deepEqual(await checkLedger(database), [], `after ${name}`);
  }
});

test('counts changes that the gateway has not heard of yet as in flight, not as problems', async (context) => {
  const database = await balancedLedger(context);
  const changes = [
    `status = 'USER_CONFIRMING', due_at = ${tomorrow}`,
    `status = 'EXPIRED', due_at = ${tomorrow}`,
  ];
  for (const change of changes) {
    await plant(
      database,
      `${takeBackDebit}; ${sumUpAgain}; UPDATE payments SET ${change} WHERE ${isDebited}`,
    );
    const { problems, inFlight } = await inspectLedger(database);
    assert.deepEqual(problems.filter(isOfLedger), [], change);
    const [flight, ...others] = inFlight;
    assert.deepEqual(others, []);
    const tenantId = flight!.tenantId;
    const known = { operator: 'MOCK', currency: 'CVE', count: 1, amountMinor: 10_000n };
    assert.deepEqual(flight, { tenantId, ...known });
    await restore(database);
  }
  const processing = `UPDATE reversals SET status = 'PROCESSING', due_at = ${tomorrow}`;
  await plant(database, `${takeBackReversal}; ${sumUpAgain}; ${processing}`);
  const { problems, inFlight } = await inspectLedger(database);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    inFlight.map(({ amountMinor }) => amountMinor),
    [-10_000n],
  );
  await plant(
    database,
    `UPDATE balances SET balance_minor = balance_minor - 1 WHERE account LIKE 'operator:%'`,
  );
  const [, difference] = await checkLedger(database);
  assert.match(
    difference!.message,
    /collected 10000 CVE \(-10000 of it in flight\), but the ledger says 20001/,
  );
});

test('lists debits in suspense that have not gone back', async (context) => {
  const database = await balancedLedger(context);
  assert.deepEqual(await suspense(database), []);
  const refused = `UPDATE reversals SET status = 'FAILED', failure_code = 'OPERATOR_REJECTED'`;
  await plant(database, `${takeBackReversal}; ${sumUpAgain}; ${refused}`);
  const [item, ...others] = await suspense(database);
  assert.deepEqual(others, []);
  const { reason, status, amountMinor, currency, failureCode } = item!;
  assert.deepEqual(
    { reason, status, amountMinor, currency, failureCode },
    {
      reason: 'LATE_DEBIT',
      status: 'FAILED',
      amountMinor: 10_000n,
      currency: 'CVE',
      failureCode: 'OPERATOR_REJECTED',
    },
  );
});
