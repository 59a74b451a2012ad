import type { AccountTransaction } from '../operators/adapter.ts';
import type { OperatorName } from '../operators/operator.ts';
import type { Outcome, Tally } from '../recovery/outcomes.ts';
import { formatAmount, formatCount, formatInstant, formatMajor, printTable } from './output.ts';

/** What the list of one operator showed. */
export interface Walked {
  operator: OperatorName;
  account: string;
  tally: Tally;
  /** Why not all of the list was seen; null if it was. */
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

/** In the order in which they are printed; each text fits what is done and what would be done. */
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
  { name: 'debitsOpen', kind: 'DEBIT', outcome: 'OPEN', words: 'Debits not finished yet' },
  {
    name: 'givenBackOpen',
    kind: 'GIVEN_BACK',
    outcome: 'OPEN',
    words: 'Returns not finished yet',
  },
  { name: 'debitsFailed', kind: 'DEBIT', outcome: 'NOTHING', words: 'Debits that failed' },
  {
    name: 'givenBackFailed',
    kind: 'GIVEN_BACK',
    outcome: 'NOTHING',
    words: 'Returns that failed',
  },
];

/** How many of each, for the record. */
export const countsOf = (tally: Tally) =>
  Object.fromEntries(lines.map(({ name, kind, outcome }) => [name, tally.of(kind, outcome).count]));

/** For people: how much of what, and what is left to do. */
export function printWalked(
  { operator, account, tally, problem }: Walked,
  options: RecoverRequest,
): void {
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
  for (const line of conclusionsOf(tally, problem, options)) console.log(line);
}

/** Pads the last columns of the rows, and gives their headings as wide. */
function rightAligned(headings: readonly string[], rows: string[][]): string[] {
  return headings.map((heading, index) => {
    const column = index + 1;
    const width = Math.max(heading.length, ...rows.map((row) => row[column]!.length));
    for (const row of rows) row[column] = row[column]!.padStart(width);
    return heading.padStart(width);
  });
}

function conclusionsOf(tally: Tally, problem: string | null, { dryRun }: RecoverRequest): string[] {
  const of = (outcome: Outcome) =>
    tally.of('DEBIT', outcome).count + tally.of('GIVEN_BACK', outcome).count;
  const review = of('HELD') + of('LISTED');
  return [
    ...(problem === null ? [] : [`The list is incomplete: ${problem}.`]),
    ...(dryRun ? ['Nothing was changed (--dry-run).'] : []),
    ...(of('OPEN') > 0 ? ['Some are not finished: run this again in an hour.'] : []),
    ...(tally.unreadable > 0 ? ['Unreadable entries do not follow the standard.'] : []),
    ...(review > 0 && !dryRun ? [`For review: ${review}. To see them: zimbo review`] : []),
    ...(review === 0 && problem === null ? ['None of it waits for a person.'] : []),
  ];
}

/** For programs. */
export function walkedView(
  { operator, account, tally, problem }: Walked,
  { since, dryRun = false }: RecoverRequest,
) {
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
    complete: problem === null,
    problem,
    transactions: tally.transactions,
    unreadable: tally.unreadable,
    found: Object.fromEntries(found),
  };
}
