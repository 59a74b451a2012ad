import { type Command, InvalidArgumentError, Option } from 'commander';
import { operatorNames } from '../config/catalogue.ts';
import { parseInstant } from '../formats/instant.ts';
import { currencies } from '../money.ts';
import type { ReconcileOptions } from './compare-statement.ts';

const help = `
It ends with 0 when all of it matches, with 1 when not, and with 2 when the file cannot be read.
The columns of the file are described in docs/reconciliation.md.

Example:
  $ zimbo reconcile --operator CVMOVEL --statement 2026-11-20.csv`;

export function addReconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description("compare an operator's statement with the ledger")
    .addOption(
      new Option('--operator <name>', 'whose statement it is')
        .choices(operatorNames)
        .makeOptionMandatory(),
    )
    .requiredOption('--statement <file>', 'the statement, a CSV file')
    .addOption(new Option('--mode <mode>').choices(['live', 'test']).default('live'))
    .option('--merchant <id>', 'the statement is of this merchant only')
    .addOption(new Option('--currency <code>', 'look at this one only').choices(currencies))
    .option('--from <instant>', 'where the period begins, else the first completed line', instantOf)
    .option('--to <instant>', 'where the period has ended, else the last completed line', instantOf)
    .option('--json', 'print {"clean": …, "counts": {…}, "differences": […]}')
    .addHelpText('after', help)
    .action(async (options: ReconcileOptions) =>
      (await import('./compare-statement.ts')).compareStatement(options),
    );
}

function instantOf(text: string): number {
  const ms = parseInstant(text);
  if (ms === undefined) {
    throw new InvalidArgumentError(
      'It must be like 2026-11-20 (midnight UTC) or 2026-11-20T08:00:00Z.',
    );
  }
  return ms;
}
