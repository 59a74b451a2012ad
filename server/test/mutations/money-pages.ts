import type { Mutation } from './list.ts';

const days = 'server/src/ledger/days.test.ts';
const reading = 'server/src/ledger/days.ts';
const hours = 'server/src/ledger/payable-hours.ts';
const pages = 'server/test/flows/console-money.test.ts';
const log = 'server/src/audit/of-merchant.test.ts';
const logOf = 'server/src/audit/search.ts';

/** What the pages of money promise. */
export const moneyPageMutations: Mutation[] = [
  {
    name: 'days: a payout that failed brings nothing back',
    file: hours,
    find: "WHEN from_account = 'payouts_in_transit' THEN -amount_minor END",
    replace: 'END',
    test: days,
  },
  {
    name: 'days: the fee counts as paid to the merchant',
    file: hours,
    find: "FILTER (WHERE kind IN ('debit_net', 'debit_fee'))",
    replace: "FILTER (WHERE kind = 'debit_net')",
    test: days,
  },
  {
    name: 'days: an hour forgets what was there',
    file: hours,
    find: 'gross_minor = h.gross_minor + excluded.gross_minor,',
    replace: 'gross_minor = excluded.gross_minor,',
    test: pages,
  },
  {
    name: 'days: a day begins when it does in UTC',
    file: reading,
    find: 'localHour(',
    replace: `localHour("'UTC'") || (`,
    test: days,
  },
  {
    name: 'days: a period that is over ends with the balance of now',
    file: reading,
    find: ' - coalesce((SELECT moved_minor FROM later), 0)',
    replace: '',
    test: days,
  },
  {
    name: 'days: the check of the ledger leaves the hours out',
    file: 'server/src/ledger/check.ts',
    find: '    ...(await hourProblems(snapshot)),\n',
    replace: '',
    test: days,
  },
  {
    name: 'money pages: a form that is sent twice asks for two payouts',
    file: 'server/src/console/pages/settlements.ts',
    find: 'idempotencyKey: `console-',
    replace: 'idempotencyKey: randomUUID() + `console-',
    test: pages,
  },
  {
    name: 'money pages: live money moves without another proof',
    file: 'server/src/console/pages/settlements.ts',
    find: "permission: 'settlements.create', isSensitive: true",
    replace: "permission: 'settlements.create'",
    test: pages,
  },
  {
    name: 'money pages: whoever sees the money may pay it out',
    file: 'server/src/console/pages/settlements.ts',
    find: "{ permission: 'settlements.create',",
    replace: "{ permission: 'money.read',",
    test: pages,
  },
  {
    name: 'money pages: nobody is told who asked for a payout',
    file: 'server/src/console/pages/settlements.ts',
    find: '`, author };',
    replace: '` };',
    test: pages,
  },
  {
    name: 'money pages: the items of a payout leave without a record',
    file: 'server/src/console/pages/settlement.ts',
    find: "    await writeAuditRecord(database, author, { tenantId, action: 'settlement.exported', subject });\n",
    replace: '',
    test: pages,
  },
  {
    name: 'money pages: an amount below zero is written wrongly',
    file: 'server/src/formats/sheet.ts',
    find: '(amountMinor < 0n ? -amountMinor : amountMinor).toString()',
    replace: 'amountMinor.toString()',
    test: pages,
  },
  {
    name: 'money pages: a day that there is not is taken for the next one',
    file: 'server/src/console/parts/days.ts',
    find: '!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)',
    replace: '!Number.isNaN(ms)',
    test: pages,
  },
  {
    name: 'money pages: a statement is of as many years as one likes',
    file: 'server/src/console/pages/statement.ts',
    find: 'until < addDays(from, mostDays) ? { from, until } : undefined',
    replace: '{ from, until }',
    test: pages,
  },
  {
    name: 'audit log: a merchant sees what was done to others',
    file: logOf,
    find: "coalesce(detail ->> 'merchant', subject) = ",
    replace: "'' < ",
    test: log,
  },
  {
    name: 'audit log: a rare record is looked for in all of it',
    file: logOf,
    find: 'const mostLookedThrough = 5_000;',
    replace: 'const mostLookedThrough = 5_000_000;',
    test: log,
  },
  {
    name: 'audit log: a page of one that was cut short is the last',
    file: logOf,
    find: 'lookedThrough: isCut && lookedThrough !== null ? lookedThrough : undefined',
    replace: 'lookedThrough: undefined',
    test: log,
  },
];
