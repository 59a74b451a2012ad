import { type Command, Option } from 'commander';
import { operatorNames } from '../platform/config/operator-catalogue.ts';
import { currencies } from '../platform/values/money.ts';
import type { ReconcileOptions } from './compare-statement.ts';
import { instantOf } from './parse-start-time.ts';

const help = `
Exits with 0 if everything matches, with 1 if not, and with 2 if the file cannot be read.
The columns of the file are described in docs/reconciliation.md.

Examples:
  $ zimbo reconcile --operator CVMOVEL --statement 2026-11-20.csv --from 2026-11-20 --to 2026-11-21
  $ zimbo reconcile --operator CVMOVEL --statement - --from 2026-11-20 --to 2026-11-21 < 2026-11-20.csv`;

export function addReconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description("compare an operator's statement with the ledger")
    .addOption(
      new Option('--operator <name>', 'the operator that issued the statement')
        .choices(operatorNames)
        .makeOptionMandatory(),
    )
    .requiredOption('--statement <file>', 'the statement, a CSV file; - is standard input')
    .addOption(new Option('--mode <mode>').choices(['live', 'test']).default('live'))
    .option('--merchant <id>', 'if the statement covers only this merchant (me_…)')
    .addOption(new Option('--currency <code>', 'compare only this currency').choices(currencies))
    .requiredOption('--from <instant>', 'start of the statement’s period', instantOf)
    .requiredOption('--to <instant>', 'end of the statement’s period, exclusive', instantOf)
    .option('--json', 'print {"clean": …, "counts": {…}, "differences": […]}')
    .addHelpText('after', help)
    .action(async (options: ReconcileOptions) =>
      (await import('./compare-statement.ts')).compareStatement(options),
    );
}
