import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { bookDisbursement, bookStep } from '../../../test/support/booked-disbursement.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { book } from '../../../test/support/history.ts';
import { merchantWithDebit } from '../../../test/support/payouts.ts';
import { readCsv } from '../../platform/formats/csv.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Disbursement } from '../disbursements/disbursement.ts';
import { checkLedger, inspectLedger, type LedgerProblem } from './check.ts';
import { readStatement } from './operator-statement.ts';
import { type Difference, type ReconcileRequest, reconcile } from './reconcile-statement.ts';
import { referenceOf } from './reconcile-statement-view.ts';
import { suspense, suspenseSince } from './suspense.ts';

const tables = ['disbursements', 'postings', 'balances', 'unsettled', 'simulator_transactions'];
const tomorrow = `now() + interval '1 day'`;
const sumUpAgain = `
  DELETE FROM balances;
  INSERT INTO balances SELECT tenant_id, account, currency, sum(change)
  FROM (
    SELECT tenant_id, from_account AS account, currency, -amount_minor AS change FROM postings
    UNION ALL SELECT tenant_id, to_account, currency, amount_minor FROM postings
  ) AS movement GROUP BY tenant_id, account, currency;
  UPDATE unsettled SET fee_minor = 0, disbursement_minor = 0, gross_minor = coalesce((
    SELECT balance_minor FROM balances b WHERE b.tenant_id = unsettled.tenant_id AND b.account = 'payable'), 0)`;
const succeeded = `status = 'SUCCEEDED'`;
const lose = (kind: string) => `DELETE FROM postings WHERE kind = '${kind}'; ${sumUpAgain}`;

/** Faults injected into correct ledgers, and the words that must report each. */
const faults: { name: string; sql: string; told: RegExp[] }[] = [
  {
    name: 'a disbursement was made and its posting is gone',
    sql: lose('disbursement_done'),
    told: [
      /^posting: disbursement di_\w+ lacks its posting disbursement_done, disbursements_in_transit → operator:MOCK 3000 CVE$/,
      /^operator: MOCK has collected -3000 CVE, but the ledger says 0$/,
    ],
  },
  {
    name: 'disbursements did not leave the balance',
    sql: lose('disbursement_out'),
    told: Array(4).fill(
      /^posting: disbursement di_\w+ lacks its posting disbursement_out, payable → disbursements_in_transit 3000 CVE$/,
    ),
  },
  {
    name: 'fees of disbursements were not taken',
    sql: lose('disbursement_fee'),
    told: Array(3).fill(/lacks its posting disbursement_fee, payable → fees 50 CVE$/),
  },
  {
    name: 'a failed and a cancelled disbursement were not given back',
    sql: lose('disbursement_back'),
    told: Array(2).fill(/lacks its posting disbursement_back, disbursements_in_transit → payable/),
  },
  {
    name: 'a person charged it, and nothing was posted',
    sql: `UPDATE disbursements SET late_outcome = 'CHARGED' WHERE status = 'FAILED'`,
    told: [
      /lacks its posting disbursement_charge, payable → suspense 3000 CVE$/,
      /lacks its posting disbursement_charge_fee, payable → fees 50 CVE$/,
    ],
  },
  {
    name: 'a person wrote it off, and nothing was posted',
    sql: `UPDATE disbursements SET late_outcome = 'WRITTEN_OFF' WHERE status = 'FAILED'`,
    told: [/lacks its posting disbursement_write_off, fees → suspense 3000 CVE$/],
  },
  {
    name: 'the fee of a failed disbursement was not given back',
    sql: lose('disbursement_fee_back'),
    told: [/lacks its posting disbursement_fee_back, fees → payable 50 CVE$/],
  },
  {
    name: 'a disbursement that succeeded was given back',
    sql: `UPDATE disbursements SET status = 'FAILED', operator_tx_id = NULL WHERE ${succeeded}`,
    told: [
      /^posting: disbursement di_\w+ lacks its posting disbursement_back/,
      /^posting: disbursement di_\w+ should have no posting disbursement_done/,
      /^posting: disbursement di_\w+ lacks its posting disbursement_fee_back/,
      /^operator: MOCK disbursed 3000 CVE that the ledger lacks, and the disbursement di_\w+ is FAILED and will not be asked about$/,
    ],
  },
  ...['FAILED', 'CANCELLED'].map((status) => ({
    name: `a success after ${status} was not booked`,
    sql: `UPDATE disbursements SET operator_tx_id = 'SIM' WHERE status = '${status}'`,
    told: [
      /^posting: disbursement di_\w+ lacks its posting disbursement_after_failure, suspense → operator:MOCK 3000 CVE$/,
    ],
  })),
  {
    name: 'the operator paid a disbursement that we lack',
    sql: `INSERT INTO simulator_transactions
      SELECT (jsonb_populate_record(row, jsonb_build_object('reference', gen_random_uuid(), 'operator_tx_id', 'X'))).*
      FROM simulator_transactions AS row`,
    told: [
      /^operator: MOCK disbursed 3000 CVE that the ledger lacks, and the disbursement with the reference [\w-]{36} does not exist$/,
      /^operator: MOCK has collected -6000 CVE, but the ledger says -3000$/,
    ],
  },
  {
    name: 'a disbursement is being processed, and nobody asks about it',
    sql: `UPDATE disbursements SET due_at = NULL WHERE status = 'PROCESSING'`,
    told: [
      /^transaction: disbursement di_\w+ is PROCESSING, and nobody asks about it or is told of it$/,
    ],
  },
  {
    name: 'what is unsettled lacks the disbursements',
    sql: 'UPDATE unsettled SET disbursement_minor = 0',
    told: [/^settlement: -6100 CVE are payable, but -100 are counted as unsettled$/],
  },
];

/** A test merchant's disbursements: one in each state but CREATED, of which the cancelled one had no fee. */
async function begin(context: Parameters<typeof freshDatabase>[0], mode: 'test' | 'live' = 'test') {
  const { database } = await freshDatabase(context);
  const { tenantId } = await merchantWithDebit(database);
  await database.query({ text: 'GRANT ALL ON postings TO CURRENT_USER' });
  await database.query({
    text: `DELETE FROM postings; DELETE FROM payable_hours; DELETE FROM balances; DELETE FROM unsettled;
      UPDATE tenants SET mode = '${mode}'`,
  });
  const operator = mode === 'test' ? 'MOCK' : 'CVMOVEL';
  const make = (change: Partial<Disbursement>) =>
    bookDisbursement(database, { tenantId, operator, ...change });
  const paid = await make({ status: 'SUCCEEDED', operatorTxId: 'SIM1' });
  const open = await make({ status: 'PROCESSING', dueAtMs: Date.now() + 86_400_000 });
  const failed = await make({ status: 'FAILED' });
  const cancelled = await make({ status: 'CANCELLED', feeMinor: 0n });
  return { database, tenantId, paid, open, failed, cancelled };
}

const simulate = (
  database: Database,
  { tenantId, reference, operator, currency, amountMinor }: Disbursement,
  transaction: string,
) =>
  database.query(
    {
      text: `INSERT INTO simulator_transactions (tenant_id, reference, kind, operator, phone, amount_minor, currency,
          status, operator_tx_id, expires_at, created_at)
        VALUES ($1, $2, 'DISBURSEMENT', $3, '+2389912345', $4, $5, 'SUCCEEDED', $6, now(), now())`,
    },
    [tenantId, reference, operator, amountMinor.toString(), currency, transaction],
  );

/** The same faults make the hours wrong; those have tests of their own. */
const isOfLedger = ({ check }: LedgerProblem) => check !== 'totals';

test('finds every fault injected into disbursements, and none in a correct ledger', async (context) => {
  const { database, paid } = await begin(context);
  await simulate(database, paid, 'SIM1');
  for (const table of tables) {
    await database.query({ text: `CREATE TABLE right_${table} AS TABLE ${table}` });
  }
  assert.deepEqual(await inspectLedger(database), { problems: [], inFlight: [] });
  for (const { name, sql, told } of faults) {
    await database.query({ text: sql });
    const problems = (await checkLedger(database)).filter(isOfLedger);
    const texts = problems.map(({ check, message }) => `${check}: ${message}`).toSorted();
    assert.equal(texts.length, told.length, `${name}:\n${texts.join('\n')}`);
    for (const words of told)
      assert.ok(
        texts.some((text) => words.test(text)),
        `${name}: ${words}\n${texts.join('\n')}`,
      );
    for (const table of tables) {
      await database.query({ text: `TRUNCATE ${table}` });
      await database.query({ text: `INSERT INTO ${table} TABLE right_${table}` });
    }
    assert.deepEqual(await checkLedger(database), [], `after ${name}`);
  }
});

test('counts a disbursement that the gateway has not heard of yet as in flight, not as a problem', async (context) => {
  const { database, tenantId, paid, open } = await begin(context);
  await simulate(database, paid, 'SIM1');
  await simulate(database, open, 'SIM2');
  const { problems, inFlight } = await inspectLedger(database);
  assert.deepEqual(problems, []);
  const known = { operator: 'MOCK', currency: 'CVE', count: 1, amountMinor: -3_000n };
  assert.deepEqual(inFlight, [{ tenantId, ...known }]);
  await database.query(
    { text: `UPDATE disbursements SET status = 'CREATED', due_at = ${tomorrow} WHERE id = $1` },
    [open.id],
  );
  const [problem] = await checkLedger(database);
  assert.match(problem!.message, /^MOCK disbursed 3000 CVE .* is CREATED and will not be asked/);
});

test('reports a transaction of a disbursement that is booked for another, for nothing, or without one', async (context) => {
  const { database, tenantId, paid, failed } = await begin(context, 'live');
  const enter = (subjectId: string, transaction: string) =>
    database.query(
      {
        text: `INSERT INTO outgoing_transactions (operator, account, operator_tx_id, tenant_id, kind, subject_id)
          VALUES ('CVMOVEL', '', $1, $2, 'DISBURSEMENT', $3)`,
      },
      [transaction, tenantId, subjectId],
    );
  const messages = async () => (await checkLedger(database)).map(({ message }) => message);
  const names = { paid: formatId('di', paid.id), failed: formatId('di', failed.id) };
  await database.query({ text: 'UPDATE disbursements SET transaction_entered = true' });
  const lost = `CVMOVEL's SIM1 paid out disbursement ${names.paid}, and is booked for another, or for nothing`;
  assert.deepEqual(await messages(), [lost]);
  await enter(paid.id, 'SIM1');
  assert.deepEqual(await messages(), []);
  await enter(failed.id, 'SIM7');
  assert.deepEqual(await messages(), [
    `CVMOVEL's SIM7 is booked as what paid out disbursement ${names.failed}, which the ledger does not have`,
  ]);
});

test('lists a disbursement that succeeded after it was given back among what suspense lacks', async (context) => {
  const { database, failed, cancelled } = await begin(context);
  assert.deepEqual(await suspense(database), []);
  const late = [failed, cancelled];
  for (const [index, one] of late.entries()) {
    await bookStep(database, one, 'SUCCEEDED_AFTER_FAILURE');
    const text = `UPDATE disbursements SET operator_tx_id = 'LATE', updated_at = now() + $1::interval WHERE id = $2`;
    await database.query({ text }, [`${index} s`, one.id]);
  }
  const items = await suspense(database);
  assert.deepEqual(
    items.map(({ id, paymentId, reason, status, operatorTxId, amountMinor }) => [
      id,
      paymentId,
      reason,
      status,
      operatorTxId,
      amountMinor,
    ]),
    late.map(({ id }) => [id, null, 'LATE_DISBURSEMENT', null, 'LATE', -3_000n]),
  );
  const [first, second] = items;
  const page = { limit: 1, startingAfter: first!.id };
  assert.deepEqual(await suspense(database, page), [second]);
  assert.deepEqual(await suspenseSince(database, first!.id), { sinceMs: first!.createdAtMs });
});

test("compares an operator's statement with disbursements by their reference", async (context) => {
  const { database, tenantId, paid, open } = await begin(context);
  const late = await bookDisbursement(database, { tenantId, status: 'FAILED', operatorTxId: 'L' });
  await book({ database, tenantId }, 'refund_out', randomUUID(), 1n);
  const [from, to] = [Date.parse('2026-11-01'), Date.parse('2026-12-01')];
  const request: ReconcileRequest = {
    operator: 'MOCK',
    mode: 'test',
    merchantId: null,
    currency: 'CVE',
    fromMs: from,
    untilMs: to,
  };
  const compare = (lines: string[]) => {
    async function* chunks() {
      const heading = 'transaction_id,reference,type,amount,currency,status,completed_at';
      yield `${[heading, ...lines].join('\n')}\n`;
    }
    return reconcile(database, request, readStatement(readCsv(chunks())), async (result) => {
      const found: Difference[] = [];
      for await (const page of result.differences) found.push(...page);
      const told = found.map((each) =>
        [each.kind, each.type, referenceOf(each), each.bookedStatus].join(' '),
      );
      return { matched: result.matched, told };
    });
  };
  const line = (reference: string, type = 'DISBURSEMENT') =>
    `T,${reference},${type},30.00,CVE,COMPLETED,2026-11-21T09:30:02Z`;
  const all = [line(paid.reference), line(late.reference, 'REFUND')];
  assert.deepEqual(await compare(all), { matched: 2, told: [] });
  assert.deepEqual(await compare([line(open.reference), ...all]), {
    matched: 2,
    told: [`DIFFERENT_STATUS DISBURSEMENT ${open.reference} PROCESSING`],
  });
  assert.deepEqual(await compare([all[1]!]), {
    matched: 1,
    told: [`MISSING_IN_STATEMENT DISBURSEMENT ${paid.reference} COMPLETED`],
  });
});
