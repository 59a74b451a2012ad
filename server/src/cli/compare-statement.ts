import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { readStatementBytes } from '../money/ledger/operator-statement.ts';
import {
  type Difference,
  type DifferenceKind,
  differenceKinds,
  EmptyPeriodError,
  type Reconciliation,
  reconcile,
} from '../money/ledger/reconcile-statement.ts';
import {
  differenceView,
  differs,
  reconciliationView,
  referenceOf,
} from '../money/ledger/reconcile-statement-view.ts';
import { notFound } from '../platform/errors/errors.ts';
import { CsvError } from '../platform/formats/csv.ts';
import type { Database } from '../platform/postgres/database.ts';
import { homeName } from '../tenants/cells/cell.ts';
import { findMerchant } from '../tenants/merchants/store.ts';
import { hasSeveralCells, whereItIs } from './cells/each.ts';
import { chosenCell } from './cells/option.ts';
import { withId } from './failure.ts';
import { formatAmount, formatInstant, type Output, printFields, printTable } from './output.ts';
import { withWorkspace } from './workspace.ts';

export interface ReconcileOptions extends Output {
  operator: string;
  statement: string;
  mode: 'live' | 'test';
  merchant?: string;
  currency?: string;
  from: number;
  to: number;
}

const misused = 2;
/** Means standard input: in a container there may be no file. */
const standardInput = '-';
const shownDifferences = 200;

/** Compares and prints; the exit code is 1 for differences, and 2 for an unreadable file. */
export async function compareStatement(options: ReconcileOptions): Promise<void> {
  try {
    const differs = await compare(options);
    if (differs) process.exitCode = 1;
  } catch (error) {
    const message = misuseOf(error, options.statement);
    if (message === undefined) throw error;
    console.error(message);
    process.exitCode = misused;
  }
}

/** Explains what is wrong with the file; undefined if the error has another cause. */
function misuseOf(error: unknown, path: string): string | undefined {
  const file = path === standardInput ? 'standard input' : path;
  if (error instanceof CsvError) return `${file}, line ${error.line}: ${error.message}.`;
  if (error instanceof EmptyPeriodError) {
    return 'The period ends before it begins: see --from and --to.';
  }
  return error instanceof UnreadableFileError
    ? `${file} cannot be read (${error.message}).`
    : undefined;
}

/** Wrapped to distinguish file errors from database connection errors, which have the same codes. */
class UnreadableFileError extends Error {}

const unreadable = (error: unknown) =>
  new UnreadableFileError((error as NodeJS.ErrnoException).code ?? String(error));

async function openStatement(path: string): Promise<Readable> {
  if (path === standardInput) return process.stdin;
  try {
    return (await open(path)).createReadStream();
  } catch (error) {
    throw unreadable(error);
  }
}

async function* bytesOf(file: Readable): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    throw unreadable(error);
  }
}

async function compare(options: ReconcileOptions): Promise<boolean> {
  // Opens the file first: a missing file can be reported without a database.
  const file = await openStatement(options.statement);
  try {
    if (options.merchant === undefined && (await hasSeveralCells())) console.error(ofOneCell());
    return await withLedger(options.merchant, (database, merchantId) => {
      const print = options.json ? printAsJson : printForPeople;
      const { operator, mode, currency = null, from, to } = options;
      return reconcile(
        database,
        { operator, mode, merchantId, currency, fromMs: from, untilMs: to },
        readStatementBytes(bytesOf(file)),
        (result) => print(options, result),
      );
    });
  } finally {
    file.destroy();
  }
}

const ofOneCell = () =>
  `This compares with the ledger of the cell ${chosenCell() ?? homeName}: payments to merchants of other cells are listed as missing in the ledger.`;

/** Runs with the ledger of the chosen cell, or of the cell that has the merchant. */
function withLedger<T>(
  merchant: string | undefined,
  run: (database: Database, merchantId: string | null) => Promise<T>,
): Promise<T> {
  if (merchant === undefined) return withWorkspace(({ database }) => run(database, null));
  return withId({ name: 'merchant', prefix: 'me' }, merchant, (id) =>
    whereItIs(async ({ database }) => {
      // Checked before reading the statement, which can be read only once.
      if (!(await findMerchant(database, id))) throw notFound('merchant');
      return run(database, id);
    }),
  );
}

const words: Record<DifferenceKind, string> = {
  MISSING_IN_STATEMENT: 'Missing in statement',
  MISSING_IN_LEDGER: 'Missing in ledger',
  LISTED_TWICE: 'Listed twice',
  DIFFERENT_AMOUNT: 'Different amount',
  DIFFERENT_STATUS: 'Different status',
};

async function printForPeople(options: ReconcileOptions, result: Reconciliation): Promise<boolean> {
  const { counts, fromMs, untilMs } = result;
  printFields({
    Statement: `${options.operator}, ${options.mode}, ${result.lines} lines`,
    'Period (UTC)': `${formatInstant(fromMs)} to ${formatInstant(untilMs - 1)}`,
    Matched: String(result.matched),
    'Without money': String(result.withoutMoney),
    ...Object.fromEntries(differenceKinds.map((kind) => [words[kind], String(counts[kind])])),
  });
  const { beforeFirstLine, afterLastLine } = result.missingAtEdges;
  if (beforeFirstLine + afterLastLine > 0) {
    console.log(
      `\nOf the transactions missing in the statement, ${beforeFirstLine} were booked before its first completed line and ${afterLastLine} after its last: is the statement complete?`,
    );
  }
  if (!differs(result)) {
    console.log('\nThe statement and the ledger agree.');
    return false;
  }
  const { value: page } = await result.differences.next();
  const differences = (page as Difference[]).slice(0, shownDifferences);
  console.log();
  printTable(
    ['DIFFERENCE', 'LINE', 'TYPE', 'REFERENCE', 'TRANSACTION', 'STATEMENT', 'LEDGER'],
    differences.map(rowOf),
  );
  const total = differenceKinds.reduce((sum, kind) => sum + counts[kind], 0);
  const left = total - differences.length;
  if (left > 0) console.log(`… and ${left} more: --json prints them all.`);
  return true;
}

function rowOf(difference: Difference): string[] {
  const { kind, line, type, transactionId } = difference;
  const side = (minor: bigint | null, currency: string | null, status: string | null) =>
    minor === null ? '-' : `${formatAmount(minor, currency ?? '')} ${status}`;
  return [
    words[kind],
    line === null ? '-' : String(line),
    type,
    referenceOf(difference),
    transactionId ?? '-',
    side(difference.listedMinor, difference.listedCurrency, difference.listedStatus),
    side(difference.bookedMinor, difference.bookedCurrency, difference.bookedStatus),
  ];
}

/** Written in pieces: an unrelated statement differs in every line. */
async function printAsJson(options: ReconcileOptions, result: Reconciliation): Promise<boolean> {
  const head = reconciliationView(options, result);
  process.stdout.write(`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "differences": [`);
  let separator = '\n    ';
  for await (const page of result.differences) {
    for (const difference of page) {
      process.stdout.write(separator + JSON.stringify(differenceView(difference)));
      separator = ',\n    ';
    }
  }
  process.stdout.write(`${separator === '\n    ' ? '' : '\n  '}]\n}\n`);
  return differs(result);
}
