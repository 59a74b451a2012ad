import type { Mutation } from './list.ts';

const pain = 'server/src/settlements/pain001.ts';
const painTest = 'server/src/settlements/pain001.test.ts';
const order = 'server/src/settlements/payout-order.ts';
const files = 'server/src/settlements/payout-file.ts';
const flow = 'server/test/flows/payout-orders.test.ts';
const runs = 'server/src/settlements/scheduled-runs.ts';
const runsTest = 'server/src/settlements/scheduled-runs.test.ts';
const movements = 'server/src/ledger/movements.ts';
const statement = 'server/src/settlements/statement/read.ts';
const statementTest = 'server/src/settlements/statement/read.test.ts';
const statementFlow = 'server/test/flows/statements.test.ts';
const lines = 'server/src/ledger/statement.ts';
const linesTest = 'server/src/ledger/statement.test.ts';

/** Faults of money on its way out: orders for the bank, the days they are made on, statements, and those of operators. */
export const payoutMutations: readonly Mutation[] = [
  {
    name: 'payouts: an order written again has another reference',
    file: order,
    find: "reference: name.replaceAll('_', '-'),",
    replace:
      "reference: name.replaceAll('_', '-').slice(0, 20) + String(Math.random()).slice(2, 8),",
    test: painTest,
    only: 'an order says who pays whom',
  },
  {
    name: 'payouts: an order written again is of another day',
    file: order,
    find: 'madeAtMs: processedAtMs,',
    replace: 'madeAtMs: Date.now(),',
    test: painTest,
    only: 'a settlement is one file',
  },
  {
    name: 'payouts: a changed setting makes a second order in another format',
    file: 'server/src/settlements/pay.ts',
    find: 'seen.payoutRef ?? payout.referenceOf(seen, mode)',
    replace: 'payout.referenceOf(seen, mode)',
    test: painTest,
    only: 'a settlement is one file',
  },
  {
    name: 'payouts: the day of an order is that of London',
    file: order,
    find: "new Intl.DateTimeFormat('en-CA', { timeZone })",
    replace: "new Intl.DateTimeFormat('en-CA', { timeZone: timeZone && 'UTC' })",
    test: painTest,
    only: 'an order says who pays whom',
  },
  {
    name: 'payouts: names go to the bank as they are written',
    file: pain,
    find: 'bankText(holder, longestName)',
    replace: 'bankText("", longestName) + holder',
    test: painTest,
    only: 'an order says who pays whom',
  },
  {
    name: 'payouts: a name is longer than the schema lets it be',
    file: 'server/src/formats/bank-text.ts',
    find: '.slice(0, longest)',
    replace: '.slice(0, longest + 1)',
    test: 'server/src/formats/bank-text.test.ts',
  },
  {
    name: 'payouts: a NIB is called an IBAN',
    file: 'server/src/formats/account-number.ts',
    find: '/^[A-Z]{2}/.test(number)',
    replace: 'number.length > 0',
    test: painTest,
    only: 'an order says who pays whom',
  },
  {
    name: 'payouts: an order has more digits than the schema',
    file: pain,
    find: 'netMinor > mostMinor',
    replace: 'netMinor < 0n',
    test: painTest,
    only: 'there is no order',
  },
  {
    name: 'payouts: an order is paid from nowhere',
    file: pain,
    find: 'if (debtor === null) {',
    replace: 'if (debtor === null && creditor === null) {',
    test: painTest,
    only: 'there is no order',
  },
  {
    name: 'payouts: a test settlement waits for accounts',
    file: files,
    find: "mode === 'test' && lacksAccount ? 'csv'",
    replace: "mode === 'test' && !lacksAccount && settings.format === 'csv' ? 'csv'",
    test: painTest,
    only: 'in test mode a settlement without accounts',
  },
  {
    name: 'payouts: what was taken back can be downloaded',
    file: 'server/src/settlements/download.ts',
    find: "seen.status !== 'PROCESSING' && seen.status !== 'COMPLETED'",
    replace: "seen.status === 'PENDING'",
    test: flow,
    only: 'a payout that was taken back',
  },
  {
    name: 'payouts: downloads leave no record',
    file: 'server/src/settlements/download.ts',
    find: 'await writeAuditRecord(database, dependencies, {',
    replace: 'void ({',
    test: flow,
    only: 'the order is what lies',
  },
  {
    name: 'payouts: whoever sees settlements downloads whole numbers',
    file: 'server/src/console/staff/settlement.ts',
    find: "permission: 'settlements.download'",
    replace: "permission: 'settlements.read'",
    test: flow,
    only: 'only who may download',
  },
  {
    name: 'payouts: pain.001 starts without an account',
    file: 'server/src/config/payout-account.ts',
    find: "format === 'pain.001' && !CVE && !AOA",
    replace: "format === 'pain.001' && !CVE && !AOA && problems.length > 9",
    test: 'server/src/config/config.test.ts',
    only: 'orders for the bank',
  },
  {
    name: 'payouts: the check digits of our own account are not looked at',
    file: 'server/src/config/payout-account.ts',
    find: "const accountNumber = parseAccountNumber(number ?? '');",
    replace: 'const accountNumber = parseAccountNumber("000500000020108215144") && number;',
    test: 'server/src/config/config.test.ts',
    only: 'orders for the bank',
  },
  {
    name: 'payouts: a new schedule pays out at once what was held back',
    file: 'server/src/merchants/payout-schedule.ts',
    find: 'SET last_run_at = greatest(last_run_at, $2)',
    replace: "SET last_run_at = greatest(last_run_at, last_run_at, $2 - interval '30 days')",
    test: runsTest,
    only: 'a new schedule begins with its next run',
  },
  {
    name: 'payouts: everybody is paid every day',
    file: 'server/src/settlements/unsettled-store.ts',
    find: 'ON run.schedule = m.payout_schedule',
    replace: "ON run.schedule = 'DAILY' AND m.id IS NOT NULL",
    test: runsTest,
    only: 'a run settles the merchants',
  },
  {
    name: 'payouts: the day of a schedule is that of another place',
    file: runs,
    find: 'wallClockMs(runAtMs, timeZone)',
    replace: "wallClockMs(runAtMs, timeZone && 'America/Los_Angeles')",
    test: runsTest,
    only: 'the latest and the next run',
  },
  {
    name: 'payouts: a changed schedule leaves no record',
    file: 'server/src/merchants/payout-schedule.ts',
    find: 'await writeAuditRecord(transaction, dependencies, {',
    replace: 'void ({',
    test: runsTest,
    only: 'a change is in the log',
  },
  {
    name: 'statements: the last millisecond of a month is in no statement',
    file: movements,
    find: 'o.created_at < ${until}\n',
    replace: "o.created_at < ${until} - INTERVAL '1 millisecond'\n",
    test: statementTest,
    only: 'the first and the last millisecond',
  },
  {
    name: 'statements: a month is one of UTC',
    file: statement,
    find: 'const timeZone = timeZoneOf[question.currency];',
    replace: "const timeZone = timeZoneOf[question.currency] && 'UTC';",
    test: statementTest,
    only: 'the first and the last millisecond',
  },
  {
    name: 'statements: payouts that came back are left out',
    file: movements,
    find: "'payable' IN (o.from_account, o.to_account)",
    replace: "o.from_account = 'payable'",
    test: statementTest,
    only: 'every kind of movement',
  },
  {
    name: 'statements: what no settlement has taken yet is left out',
    file: movements,
    find: 'WHERE tenant_id = ${tenantId} AND currency = ${currency} AND first_item_at',
    replace:
      'WHERE tenant_id = ${tenantId} AND currency = ${currency} AND NOT item_count > 0 AND first_item_at',
    test: statementTest,
    only: 'the first and the last millisecond',
  },
  {
    name: 'statements: lines that do not add up leave',
    file: statement,
    find: 'if (balanceMinor !== closingMinor) {',
    replace: 'if (balanceMinor !== closingMinor && count < 0) {',
    test: statementTest,
    only: 'a line that is missing',
  },
  {
    name: 'statements: a file leaves no record',
    file: 'server/src/settlements/statement/routes.ts',
    find: 'await writeAuditRecord(',
    replace: 'void ((..._given: unknown[]) => {})(',
    test: statementFlow,
    only: 'the statement of a month adds up',
  },
  {
    name: 'statements: a Portuguese thousand counts as one',
    file: lines,
    find: "separator === ',' ? withPoint! : withPointOnly!",
    replace: 'separator ? withPoint! : withPointOnly!',
    test: linesTest,
    only: 'an amount that may be a thousand times',
  },
  {
    name: 'statements: decimal commas are not read',
    file: lines,
    find: 'point.exec(text) ?? withComma!.exec(text)',
    replace: 'point.exec(text)',
    test: linesTest,
    only: 'a file of Excel in Portuguese',
  },
  {
    name: 'statements: semicolons are not seen',
    file: lines,
    find: "readCsv(readUtf8(chunks), 'ANY')",
    replace: 'readCsv(readUtf8(chunks))',
    test: linesTest,
    only: 'a file of Excel in Portuguese',
  },
  {
    name: 'statements: what is missing after the last line is not told',
    file: 'server/src/ledger/reconcile-statements.ts',
    find: 'FILTER (WHERE at > edge.last)',
    replace: 'FILTER (WHERE at < edge.first)',
    test: 'server/src/cli/ledger.test.ts',
    only: 'without its first or last line',
  },
];
