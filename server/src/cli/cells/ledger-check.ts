import { styleText } from 'node:util';
import { formatId } from '../../platform/values/ids.ts';
import { type Duplicate, findDuplicates, type OpenedCell } from '../../tenants/cells/duplicates.ts';
import {
  incomingTransactions,
  outgoingTransactions,
  separator,
} from '../../tenants/cells/unique-transactions.ts';
import { failureText } from '../failure.ts';
import { type LedgerOutcome, printReport, viewOf } from '../ledger-check.ts';
import { printable, printJson } from '../output.ts';
import { withCellsOpen } from './each.ts';

interface Across {
  check: 'transaction';
  cells: string[];
  message: string;
}

/** Tells of each cell what was found in it, and of all together what two of them have. */
export async function checkCells(outcomes: readonly LedgerOutcome[], json: boolean): Promise<void> {
  const answering = outcomes.flatMap((outcome) => ('result' in outcome ? [outcome.cell] : []));
  const compared = await compare(answering);
  const isClean =
    'problems' in compared &&
    compared.problems.length === 0 &&
    outcomes.every((outcome) => 'result' in outcome && outcome.result.problems.length === 0);
  if (!isClean) process.exitCode = 1;
  if (json) printJson(viewOfAll(outcomes, compared, isClean));
  else print(outcomes, compared, answering.length === outcomes.length);
}

/** What two cells have, or why they could not be compared. */
type Compared = { problems: Across[] } | { error: Error };

/** What was found in each cell, perhaps in hours, is not lost with a cell that goes away now. */
const compare = (cells: readonly string[]): Promise<Compared> =>
  withCellsOpen(cells, problemsAcross).then(
    (problems) => ({ problems }),
    (error: Error) => ({ error }),
  );

async function problemsAcross(cells: OpenedCell[]): Promise<Across[]> {
  const transactions = await findDuplicates(cells, incomingTransactions);
  const returns = await findDuplicates(cells, outgoingTransactions);
  return [...transactions, ...returns].map(transactionProblem);
}

const cellsIn = ({ locations }: Duplicate) => locations.map(({ cell }) => cell);

function transactionProblem(shared: Duplicate): Across {
  const [operator = '', , transaction = ''] = shared.key.split(separator);
  const of = shared.locations.map(({ cell, detail }) => `${subjectOf(detail)} in ${cell}`);
  const message = `${operator}'s ${transaction} is booked for ${of.join(' and for ')}; it can be one of them`;
  return { check: 'transaction', cells: cellsIn(shared), message };
}

function subjectOf(detail: string): string {
  const [kind, id = ''] = detail.split(' ');
  if (kind === 'REVERSAL') return `reversal ${id}`;
  if (kind === 'DISBURSEMENT') return formatId('di', id);
  return formatId(kind === 'REFUND' ? 're' : 'pi', id);
}

function viewOfAll(outcomes: readonly LedgerOutcome[], compared: Compared, clean: boolean) {
  const views = outcomes.map((outcome) =>
    'result' in outcome
      ? { cell: outcome.cell, ...viewOf(outcome.result) }
      : { cell: outcome.cell, error: failureText(outcome.error) },
  );
  const across = 'problems' in compared ? compared.problems : [];
  const error = 'error' in compared && { error: failureText(compared.error) };
  return { clean, across, ...error, cells: views };
}

function print(outcomes: readonly LedgerOutcome[], compared: Compared, isAll: boolean): void {
  for (const outcome of outcomes) {
    console.log(styleText('bold', outcome.cell));
    if ('result' in outcome) printReport(outcome.result);
    else console.log(`It was not looked at: ${failureText(outcome.error)}`);
    console.log();
  }
  console.log(styleText('bold', 'Across cells'));
  if ('error' in compared) {
    console.log(`They were not compared: ${failureText(compared.error)} Run it again.`);
    return;
  }
  for (const { message } of compared.problems) console.log(`- ${printable(message)}`);
  if (compared.problems.length === 0) {
    const which = isAll ? 'two cells' : 'two of the cells that answer';
    console.log(`No transaction of an operator is in ${which}.`);
  }
}
