import type { AccountTransaction } from '../integrations/operators/adapter.ts';
import type { OperatorName } from '../integrations/operators/operator.ts';
import { readableName } from '../integrations/operators/transaction-ids.ts';
import type { Outcome, Tally } from '../operations/recovery/outcomes.ts';
import {
  formatAmount,
  formatCount,
  formatInstant,
  formatMajor,
  printable,
  printTable,
} from './output.ts';

/** The findings in the list of one operator. */
export interface Walked {
  operator: OperatorName;
  account: string;
  tally: Tally;
  /** Why the list is incomplete; null if it is complete. */
  problem: string | null;
}

interface RecoverRequest {
  since: number;
  dryRun?: boolean;
}

interface Line {
  name: string;
  kind: AccountTransaction['kind'];
  outcome: Outcome;
  words: string;
}

/** In the order of printing; each text fits both a real run and a dry run. */
const lines: Line[] = [
  { name: 'debitsKnown', kind: 'DEBIT', outcome: 'KNOWN', words: 'Debits already in the ledger' },
  {
    name: 'debitsBooked',
    kind: 'DEBIT',
    outcome: 'BOOKED',
    words: 'Debits of our payments: booked now',
  },
  {
    name: 'debitsReversed',
    kind: 'DEBIT',
    outcome: 'REVERSED',
    words: 'Debits late, duplicate or of a wrong amount: returned',
  },
  {
    name: 'debitsHeld',
    kind: 'DEBIT',
    outcome: 'HELD',
    words: 'Debits not in the ledger: held, for review',
  },
  {
    name: 'debitsListed',
    kind: 'DEBIT',
    outcome: 'LISTED',
    words: 'Debits that contradict the ledger: for review',
  },
  {
    name: 'givenBackKnown',
    kind: 'GIVEN_BACK',
    outcome: 'KNOWN',
    words: 'Returns already in the ledger',
  },
  {
    name: 'givenBackBooked',
    kind: 'GIVEN_BACK',
    outcome: 'BOOKED',
    words: 'Returns that we had requested: booked now',
  },
  {
    name: 'givenBackListed',
    kind: 'GIVEN_BACK',
    outcome: 'LISTED',
    words: 'Returns that contradict the ledger: for review',
  },
  {
    name: 'disbursementsBooked',
    kind: 'DISBURSEMENT',
    outcome: 'BOOKED',
    words: 'Disbursements booked',
  },
  {
    name: 'disbursementsListed',
    kind: 'DISBURSEMENT',
    outcome: 'LISTED',
    words: 'Disbursements that contradict the ledger: for review',
  },
  {
    name: 'disbursementsKnown',
    kind: 'DISBURSEMENT',
    outcome: 'KNOWN',
    words: 'Disbursements of ours',
  },
  { name: 'debitsOpen', kind: 'DEBIT', outcome: 'OPEN', words: 'Debits not finished yet' },
  {
    name: 'givenBackOpen',
    kind: 'GIVEN_BACK',
    outcome: 'OPEN',
    words: 'Returns not finished yet',
  },
  {
    name: 'disbursementsOpen',
    kind: 'DISBURSEMENT',
    outcome: 'OPEN',
    words: 'Disbursements of ours, not finished yet',
  },
  { name: 'debitsFailed', kind: 'DEBIT', outcome: 'NOTHING', words: 'Debits that failed' },
  {
    name: 'givenBackFailed',
    kind: 'GIVEN_BACK',
    outcome: 'NOTHING',
    words: 'Returns that failed',
  },
  {
    name: 'disbursementsFailed',
    kind: 'DISBURSEMENT',
    outcome: 'NOTHING',
    words: 'Disbursements of ours that failed',
  },
  {
    name: 'debitsLeftOut',
    kind: 'DEBIT',
    outcome: 'LEFT_OUT',
    words: 'Debits much older than --since: left out',
  },
  {
    name: 'givenBackLeftOut',
    kind: 'GIVEN_BACK',
    outcome: 'LEFT_OUT',
    words: 'Returns much older than --since: left out',
  },
  {
    name: 'othersListed',
    kind: 'OTHER',
    outcome: 'LISTED',
    words: 'Of another kind, under a reference like ours: for review',
  },
  { name: 'othersOpen', kind: 'OTHER', outcome: 'OPEN', words: 'Of another kind, not finished' },
  { name: 'othersFailed', kind: 'OTHER', outcome: 'NOTHING', words: 'Of another kind, failed' },
  {
    name: 'othersLeftOut',
    kind: 'OTHER',
    outcome: 'LEFT_OUT',
    words: 'Of another kind, much older than --since: left out',
  },
  {
    name: 'others',
    kind: 'OTHER',
    outcome: 'OTHER',
    words: 'Of another kind: no customers’ money',
  },
];

/** The counts, for the audit record. */
export const countsOf = (tally: Tally) =>
  Object.fromEntries(lines.map(({ name, kind, outcome }) => [name, tally.of(kind, outcome).count]));

/** For people: counts, amounts, and the remaining work. */
export function printWalked(walked: Walked, options: RecoverRequest): void {
  const { operator, account, tally } = walked;
  const since = `${formatInstant(options.since)} UTC`;
  const count = `${formatCount(tally.transactions)} transaction${tally.transactions === 1 ? '' : 's'}`;
  console.log(`${operator}, ${account}, since ${since}: ${count}`);
  const rows = lines.flatMap(({ kind, outcome, words }) => {
    const { count: number, sums } = tally.of(kind, outcome);
    if (number === 0) return [];
    const amounts = [...sums].map(([currency, minor]) => formatAmount(minor, currency));
    return [[words, formatCount(number), amounts.join(', ')]];
  });
  if (tally.unreadable > 0) rows.push(['Unreadable', formatCount(tally.unreadable), '']);
  if (rows.length > 0) {
    console.log();
    printTable(['WHAT', ...rightAligned(['COUNT', 'SUM'], rows)], rows);
  }
  console.log();
  for (const line of conclusionsOf(walked, options)) console.log(printable(line));
}

/** Pads the last columns of the rows, and their headings to the same width. */
function rightAligned(headings: readonly string[], rows: string[][]): string[] {
  return headings.map((heading, index) => {
    const column = index + 1;
    const width = Math.max(heading.length, ...rows.map((row) => row[column]!.length));
    for (const row of rows) row[column] = row[column]!.padStart(width);
    return heading.padStart(width);
  });
}

/** Whether parts of the operator's list were not or could not be examined. */
export const isIncomplete = ({ tally, problem }: Walked): boolean =>
  problem !== null || tally.unreadable > 0 || tally.untouched.LEFT_OUT.length > 0;

function conclusionsOf(walked: Walked, { dryRun, since }: RecoverRequest): string[] {
  const { tally, problem } = walked;
  const of = (outcome: Outcome) =>
    kinds.reduce((sum, kind) => sum + tally.of(kind, outcome).count, 0);
  const review = of('HELD') + of('LISTED');
  return [
    ...(problem === null ? [] : [`The list is incomplete: ${problem}.`]),
    ...namesOf(tally, 'OTHER', 'Of another kind'),
    ...namesOf(
      tally,
      'LEFT_OUT',
      `Left out, since they are older than a day before ${formatInstant(since)}`,
    ),
    ...(of('LEFT_OUT') > 0
      ? ['The operator lists them anyway: run this again with an earlier start.']
      : []),
    ...(dryRun ? ['Nothing was changed (--dry-run).'] : []),
    ...(of('OPEN') > 0 ? ['Some are not finished: run this again in an hour.'] : []),
    ...unreadableOf(tally),
    ...(review > 0 && !dryRun ? [`For review: ${review}. To see them: zimbo review`] : []),
    ...(review === 0 && !isIncomplete(walked) ? ['Nothing waits for a person.'] : []),
  ];
}

const kinds = ['DEBIT', 'GIVEN_BACK', 'DISBURSEMENT', 'OTHER'] as const;
const mostPrinted = 20;

/** One line for each unhandled transaction. */
function namesOf(tally: Tally, outcome: keyof Tally['untouched'], heading: string): string[] {
  const count = kinds.reduce((sum, kind) => sum + tally.of(kind, outcome).count, 0);
  const named = tally.untouched[outcome].map((each) =>
    Object.values(untouchedView(each))
      .map((one) => one ?? 'unknown')
      .join(', '),
  );
  return listOf(heading, named, count);
}

function listOf(heading: string, all: readonly string[], count: number): string[] {
  if (count === 0) return [];
  const named = all.slice(0, mostPrinted);
  const more = count - named.length;
  return [
    `${heading}:`,
    ...named.map((each) => `  ${each}`),
    ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
  ];
}

/** It is unknown whether they moved money. */
function unreadableOf({ unreadable, unreadableRows }: Tally): string[] {
  if (unreadable === 0) return [];
  return [
    ...listOf('Unreadable, counted from the newest', unreadableRows, unreadable),
    'They do not follow the standard. Ask the operator what they are, or get its statement and compare it with "zimbo reconcile".',
  ];
}

const untouchedView = (each: AccountTransaction) => ({
  operatorTxId: readableName(each.operatorTxId),
  type: each.type ?? (each.kind === 'DEBIT' ? 'debit' : 'return'),
  at: each.atMs === null ? null : new Date(each.atMs).toISOString(),
  amount: each.amountMinor === null ? null : formatMajor(each.amountMinor),
  currency: each.currency,
});

/** For programs. */
export function walkedView(walked: Walked, { since, dryRun = false }: RecoverRequest) {
  const { operator, account, tally, problem } = walked;
  const found = lines.map(({ name, kind, outcome }) => {
    const { count, sums } = tally.of(kind, outcome);
    const amounts = [...sums].map(([currency, minor]) => [currency, formatMajor(minor)]);
    return [name, { count, sums: Object.fromEntries(amounts) }];
  });
  return {
    operator,
    account,
    since: new Date(since).toISOString(),
    dryRun,
    complete: !isIncomplete(walked),
    problem,
    transactions: tally.transactions,
    unreadable: tally.unreadable,
    unreadableRows: tally.unreadableRows,
    found: Object.fromEntries(found),
    others: tally.untouched.OTHER.map(untouchedView),
    leftOut: tally.untouched.LEFT_OUT.map(untouchedView),
  };
}
