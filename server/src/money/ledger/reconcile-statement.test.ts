import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testGateway } from '../../../test/support/gateway.ts';
import { heading, makeLedger, statementLines } from '../../../test/support/statement.ts';
import { readCsv } from '../../platform/formats/csv.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { parseId } from '../../platform/values/ids.ts';
import { readStatement } from './operator-statement.ts';
import {
  type Difference,
  EmptyPeriodError,
  NoPeriodError,
  type ReconcileRequest,
  reconcile,
} from './reconcile-statement.ts';
import { findKnown } from './reconcile-statement-queries.ts';

const request: ReconcileRequest = {
  operator: 'MOCK',
  mode: 'test',
  merchantId: null,
  currency: null,
  fromMs: null,
  untilMs: null,
};

/** Reconciles, and describes each difference in one line. */
function comparison(database: Database, change: Partial<ReconcileRequest> = {}) {
  return async (lines: string[]) => {
    async function* chunks() {
      yield `${[heading, ...lines].join('\n')}\n`;
    }
    const rows = readStatement(readCsv(chunks()));
    return reconcile(database, { ...request, ...change }, rows, async (result) => {
      const found: Difference[] = [];
      for await (const page of result.differences) found.push(...page);
      const { lines: count, matched, withoutMoney } = result;
      const told = found.map(({ kind, type, line, referenceId, listedMinor, bookedMinor }) =>
        [kind, type, line, referenceId, listedMinor, bookedMinor].join(' '),
      );
      return { count, matched, withoutMoney, told };
    });
  };
}

const uuidOf = (id: string) => (parseId('pi', id) ?? parseId('re', id))!;
const strange = '019aa5d4-e0fb-7000-8000-00000000000a';
const now = '2026-11-20T09:30:02Z';

type Ids = Awaited<ReturnType<typeof makeLedger>>;
/** Faults injected into a correct statement, and the words that must report each. */
type Fault = [name: string, lines: string[], told: string];

const lineOf = (lines: string[], words: string) => lines.find((line) => line.includes(words))!;
const without = (lines: string[], line: string) => lines.filter((other) => other !== line);
const changed = (lines: string[], line: string, from: string, to: string) => [
  ...without(lines, line),
  line.replace(from, to),
];

function missingEntries(lines: string[], ids: Ids): Fault[] {
  const paid = uuidOf(ids.paid);
  const late = uuidOf(ids.late);
  const paidLine = lineOf(lines, paid);
  return [
    ['a debit is left out', without(lines, paidLine), `MISSING_IN_STATEMENT DEBIT  ${paid}  10001`],
    [
      'a refund is left out',
      without(lines, lineOf(lines, 'REFUND')),
      `MISSING_IN_STATEMENT REFUND  ${uuidOf(ids.refunded)}  750`,
    ],
    [
      'a late debit is left out',
      without(lines, lineOf(lines, late)),
      `MISSING_IN_STATEMENT DEBIT  ${late}  30000`,
    ],
    [
      'a line of nobody',
      [...lines, paidLine.replace(paid, strange)],
      `MISSING_IN_LEDGER DEBIT 7 ${strange} 10001 `,
    ],
    [
      'a reference that is none of ours',
      [...lines, `X1,INV-7,DEBIT,1,CVE,COMPLETED,${now}`],
      'MISSING_IN_LEDGER DEBIT 7  100 ',
    ],
    ['the same line twice', [...lines, paidLine], `LISTED_TWICE DEBIT 7 ${paid} 10001 `],
    [
      'a line of nobody twice',
      [...lines, ...['', ''].map(() => `X1,INV-7,DEBIT,1,CVE,COMPLETED,${now}`)],
      'MISSING_IN_LEDGER DEBIT 7  100 ; LISTED_TWICE DEBIT 8  100 ',
    ],
    [
      'a refund listed twice',
      [...lines, lineOf(lines, 'REFUND')],
      `LISTED_TWICE REFUND 7 ${uuidOf(ids.refunded)} 750 `,
    ],
    [
      'a refund made twice',
      [...lines, lineOf(lines, 'REFUND').replace(/^\w+/, 'SECOND')],
      `MISSING_IN_LEDGER REFUND 7 ${uuidOf(ids.refunded)} 750 `,
    ],
    [
      'a second debit under one reference',
      [...lines, paidLine.replace(/^\w+/, 'SECOND')],
      `MISSING_IN_LEDGER DEBIT 7 ${paid} 10001 `,
    ],
    [
      'another transaction under one reference',
      changed(lines, paidLine, `${paidLine.split(',')[0]},`, 'OTHER,'),
      `MISSING_IN_LEDGER DEBIT 6 ${paid} 10001 ; MISSING_IN_STATEMENT DEBIT  ${paid}  10001`,
    ],
  ];
}

function differentEntries(lines: string[], ids: Ids): Fault[] {
  const paid = uuidOf(ids.paid);
  const small = uuidOf(ids.small);
  const failed = uuidOf(ids.failed);
  const reversal = lineOf(lines, 'REVERSAL');
  return [
    [
      'a cent more',
      changed(lines, lineOf(lines, paid), '100.01', '100.02'),
      `DIFFERENT_AMOUNT DEBIT 6 ${paid} 10002 10001`,
    ],
    [
      'another currency',
      changed(lines, lineOf(lines, small), 'CVE', 'AOA'),
      `DIFFERENT_AMOUNT DEBIT 6 ${small} 750 750`,
    ],
    [
      'failed there, booked here',
      changed(lines, reversal, 'COMPLETED', 'FAILED'),
      `DIFFERENT_STATUS REVERSAL 6 ${reversal.split(',')[1]} 30000 30000`,
    ],
    [
      'completed there, failed here',
      [...lines, `X2,${failed},DEBIT,100,CVE,COMPLETED,${now}`],
      `DIFFERENT_STATUS DEBIT 7 ${failed} 10000 10000`,
    ],
    [
      'refunded there, refused here',
      [...lines, `X5,${ids.refused},REFUND,7.50,CVE,COMPLETED,${now}`],
      `DIFFERENT_STATUS REFUND 7 ${uuidOf(ids.refused)} 750 750`,
    ],
  ];
}

test('matches a correct statement, and reports each injected fault', async (context) => {
  const gateway = await testGateway(context);
  const ids = await makeLedger(gateway);
  const lines = await statementLines(gateway.database);
  const compare = comparison(gateway.database);
  const clean = { count: 5, matched: 5, withoutMoney: 0, told: [] };
  assert.deepEqual(await compare(lines), clean);
  assert.deepEqual(await compare(lines.toReversed()), clean, 'the order of lines says nothing');
  const named = lines.map((line) =>
    line
      .replace(uuidOf(ids.paid), ids.paid)
      .replace(uuidOf(ids.refunded), ids.refunded)
      .replace('REVERSAL', 'REFUND'),
  );
  assert.deepEqual(await compare(named), clean, 'ids of the API; a reversal that is called refund');
  for (const [name, text, told] of [
    ...missingEntries(lines, ids),
    ...differentEntries(lines, ids),
  ]) {
    assert.equal((await compare(text)).told.join('; '), told, name);
  }
  const { failed } = ids;
  const idle = [...lines, `X3,${failed},DEBIT,100,CVE,FAILED,`, 'X4,?,DEBIT,1,CVE,PENDING,'];
  const agreed = { count: 7, matched: 5, withoutMoney: 2, told: [] };
  assert.deepEqual(await compare(idle), agreed, 'lines that moved nothing');
});

test('compares only rows of this operator, mode, merchant, currency and period', async (context) => {
  const gateway = await testGateway(context);
  const { database } = gateway;
  await makeLedger(gateway);
  const [tenant] = await database.query<{ merchantId: string }>({
    text: `SELECT merchant_id AS "merchantId" FROM tenants WHERE mode = 'test'`,
  });
  const lines = await statementLines(database);
  const compare = async (text: string[], change: Partial<ReconcileRequest>) => {
    const { matched, told } = await comparison(database, change)(text);
    const ofKind = (kind: string) => told.filter((words) => words.startsWith(kind)).length;
    const [inStatement, inLedger] = [ofKind('MISSING_IN_LEDGER'), ofKind('MISSING_IN_STATEMENT')];
    return { matched, inStatement, inLedger };
  };
  const all = { matched: 5, inStatement: 0, inLedger: 0 };
  const foreign = { matched: 0, inStatement: 5, inLedger: 0 };
  const { merchantId } = tenant!;
  assert.deepEqual(await compare(lines, { merchantId }), all);
  assert.deepEqual(await compare(lines, { merchantId: strange }), foreign);
  assert.deepEqual(await compare(lines, { mode: 'live' }), foreign);
  assert.deepEqual(await compare(lines, { operator: 'CVMOVEL' }), foreign);
  assert.deepEqual(await compare(lines, { currency: 'CVE' }), all);
  const period = { fromMs: 0, untilMs: Date.parse('2100-01-01') };
  const nothing = { matched: 0, inStatement: 0, inLedger: 0 };
  assert.deepEqual(await compare(lines, { ...period, currency: 'AOA' }), nothing);
  assert.deepEqual(await compare([], period), { ...nothing, inLedger: 5 });
  assert.deepEqual(await compare([], { ...period, untilMs: 1 }), nothing);
  assert.deepEqual(await compare(lines, { ...period, untilMs: 1 }), all, 'lines count anyway');
  await assert.rejects(compare([], {}), NoPeriodError);
  const pending = `X,?,DEBIT,1,CVE,PENDING,${now}`;
  await assert.rejects(compare([pending], {}), NoPeriodError, 'only completed lines tell it');
  for (const swapped of [{ fromMs: 2, untilMs: 2 }, { untilMs: 1 }, { fromMs: period.untilMs }]) {
    await assert.rejects(
      compare(lines, swapped),
      EmptyPeriodError,
      'it would hide what is missing',
    );
  }
});

/** Something happens between the comparison and the query of the differences. */
function interrupted(database: Database, happen: () => Promise<unknown>): Database {
  return {
    ...database,
    transaction: (run) =>
      database.transaction((transaction) =>
        run({
          async query(statement, values) {
            if (statement.text === findKnown) await happen();
            return transaction.query(statement, values);
          },
        }),
      ),
  };
}

test('reports a refund that succeeds during the comparison as it was before', async (context) => {
  const gateway = await testGateway(context);
  const { database } = gateway;
  const refundId = uuidOf((await makeLedger(gateway)).refunded);
  const lines = await statementLines(database);
  const change = (text: string) => database.query({ text }, [refundId]);
  const posting = 'source_id, kind, from_account, to_account, currency, amount_minor, created_at';
  await database.query({ text: 'GRANT ALL ON postings TO CURRENT_USER' });
  await database.query({ text: 'CREATE TABLE kept AS TABLE postings' });
  await change(`DELETE FROM postings WHERE source_id = $1 AND kind = 'refund_done'`);
  await change(`UPDATE refunds SET status = 'PROCESSING' WHERE id = $1`);
  const succeed = async () => {
    await change(`INSERT INTO postings (tenant_id, ${posting})
      SELECT tenant_id, ${posting} FROM kept WHERE source_id = $1 AND kind = 'refund_done'`);
    await change(`UPDATE refunds SET status = 'SUCCEEDED' WHERE id = $1`);
  };
  const { told } = await comparison(interrupted(database, succeed))(lines);
  assert.deepEqual(told, [`DIFFERENT_STATUS REFUND 3 ${refundId} 750 750`]);
});
