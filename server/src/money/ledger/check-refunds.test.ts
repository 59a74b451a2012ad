import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, testGateway } from '../../../test/support/gateway.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { checkLedger, inspectLedger, type LedgerProblem } from './check.ts';

const tables = ['payments', 'refunds', 'postings', 'balances', 'unsettled'];
const done = `(SELECT id FROM refunds WHERE status = 'SUCCEEDED')`;
const tomorrow = `now() + interval '1 day'`;
const sumUpAgain = `
  DELETE FROM balances;
  INSERT INTO balances SELECT tenant_id, account, currency, sum(change)
  FROM (
    SELECT tenant_id, from_account AS account, currency, -amount_minor AS change FROM postings
    UNION ALL SELECT tenant_id, to_account, currency, amount_minor FROM postings
  ) AS movement GROUP BY tenant_id, account, currency`;
const takeBack = `DELETE FROM postings WHERE kind = 'refund_done'; ${sumUpAgain}`;
const givenBack = `refunded_minor = 0, status = 'DEBITED'`;

/** Faults injected into correct ledgers, and the words that must report each. */
const faults: { name: string; sql: string; told: RegExp[] }[] = [
  {
    name: 'a refund was booked and its posting is gone',
    sql: takeBack,
    told: [
      /^posting: refund re_\w+ lacks its posting refund_done, refunds_in_transit → operator:MOCK 4000 CVE$/,
      /^operator: MOCK has collected 16000 CVE, but the ledger says 20000$/,
    ],
  },
  {
    name: 'a refund that succeeded went back to the merchant',
    sql: `UPDATE refunds SET status = 'FAILED', operator_refund_id = NULL WHERE id = ${done}`,
    told: [
      /^posting: refund re_\w+ lacks its posting refund_back/,
      /^posting: refund re_\w+ should have no posting refund_done/,
      /^operator: MOCK refunded 4000 CVE that the ledger lacks, and the refund re_\w+ is FAILED/,
      /^refund: payment pi_\w+ is PARTIALLY_REFUNDED of 10000 with 4000 reserved and 4000 refunded, but its refunds add up to 0 and 0$/,
    ],
  },
  {
    name: 'a success after FAILED was not booked',
    sql: `UPDATE refunds SET operator_refund_id = 'SIM' WHERE status = 'FAILED'`,
    told: [
      /^posting: refund re_\w+ lacks its posting refund_after_failure, suspense → operator/,
      /^refund: payment pi_\w+ says that 0 came back late, but its refunds add up to 4000$/,
    ],
  },
  {
    name: 'what came back late is counted, and never did',
    sql: `UPDATE payments SET late_refund_minor = 1 WHERE refunded_minor = 0`,
    told: [/^refund: payment pi_\w+ says that 1 came back late, but its refunds add up to 0$/],
  },
  {
    name: 'a reservation was lost',
    sql: `UPDATE payments SET refunded_minor = 0, refund_reserved_minor = 0 WHERE refunded_minor > 0`,
    told: [
      /^refund: payment pi_\w+ .* with 0 reserved and 0 refunded, .* add up to 4000 and 4000$/,
    ],
  },
  {
    name: 'a failed refund kept its reservation',
    sql: `UPDATE payments SET refund_reserved_minor = 7 WHERE refund_reserved_minor = 0`,
    told: [/^refund: payment pi_\w+ is DEBITED of 10000 with 7 reserved/],
  },
  {
    name: 'a payment does not say that it was refunded',
    sql: `UPDATE payments SET status = 'DEBITED'`,
    told: [/^refund: payment pi_\w+ is DEBITED of 10000 with 4000 reserved and 4000 refunded/],
  },
];

/** The ledger of a gateway with two payments: one with 40 of 100 CVE refunded, and one with a failed refund. */
async function balancedLedger(context: Parameters<typeof testGateway>[0]): Promise<Database> {
  const { api, database } = await testGateway(context);
  const reach = (path: string, status: string) =>
    eventually(`${path} is ${status}`, async () => (await api('GET', path)).body.status === status);
  for (const [operatorPhone, status] of [
    ['+2389912345', 'SUCCEEDED'],
    ['+2389912119', 'FAILED'],
  ] as const) {
    const order = { amount: 10_000, operator: 'MOCK', operatorPhone };
    const { body: payment } = await api('POST', '/v1/payments', order);
    await reach(`/v1/payments/${payment.id}`, 'DEBITED');
    const wish = { paymentIntentId: payment.id, amount: 4_000 };
    const { body: refund } = await api('POST', '/v1/refunds', wish);
    await reach(`/v1/refunds/${refund.id}`, status);
  }
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

test('finds every fault injected into refunds, and none in a correct ledger', async (context) => {
  const database = await balancedLedger(context);
  assert.deepEqual(await inspectLedger(database), { problems: [], inFlight: [] });
  for (const { name, sql, told } of faults) {
    await database.query({ text: sql });
    const problems = (await checkLedger(database)).filter(isOfLedger);
    const texts = problems.map(({ check, message }) => `${check}: ${message}`);
    assert.equal(texts.length, told.length, `${name}:\n${texts.join('\n')}`);
    for (const [index, words] of told.entries()) assert.match(texts[index]!, words, name);
    await restore(database);
    assert.deepEqual(await checkLedger(database), [], `after ${name}`);
  }
});

test('counts a refund that the gateway has not heard of yet as in flight, not as a problem', async (context) => {
  const database = await balancedLedger(context);
  const processing = `status = 'PROCESSING', operator_refund_id = NULL, due_at = ${tomorrow}`;
  await database.query({
    text: `${takeBack}; UPDATE refunds SET ${processing} WHERE id = ${done};
      UPDATE payments SET ${givenBack}`,
  });
  const { problems, inFlight } = await inspectLedger(database);
  assert.deepEqual(problems.filter(isOfLedger), []);
  assert.deepEqual(
    inFlight.map(({ amountMinor }) => amountMinor),
    [-4_000n],
  );
});

test('reports an operator that refunded more than it debited', async (context) => {
  const database = await balancedLedger(context);
  await database.query({
    text: `UPDATE simulator_transactions SET amount_minor = 10001 WHERE kind = 'REFUND'`,
  });
  const texts = (await checkLedger(database)).filter(isOfLedger).map(({ message }) => message);
  assert.match(texts.at(-1)!, /^MOCK refunded 10001 of SIM\w+, which is a debit of 10000$/);
});
