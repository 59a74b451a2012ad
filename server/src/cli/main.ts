import { Command } from 'commander';
import { version } from '../platform/process/version.ts';
import { asTyped } from './command-name.ts';
import { addCommands } from './commands.ts';
import { reportFailure } from './failure.ts';

const examples = `
Examples:
  $ zimbo start
  $ zimbo listen --forward-to localhost:4400
  $ zimbo trigger payment.debited
  $ zimbo payments list --status DEBITED
  $ zimbo keys create --merchant me_… --mode test
  $ zimbo doctor

With --json, commands print only JSON. They exit with 0 on success, with 1 if something was refused or failed, and
with 2 if they were used incorrectly. docs/cli.md describes them all.

With ZIMBO_ADMIN_KEY and ZIMBO_ADMIN_URL (or ZIMBO_URL), merchants, keys, settlements, review and admin go to a
running gateway over /admin/v1, and need no database.`;

// A reader such as "head" that stops early is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || process.exitCode === 1) return;
  process.exitCode = 1;
  console.error(`The output cannot be written: ${error.message}.`);
});

const program = new Command('zimbo')
  .description('Zimbo, a mobile-money payment gateway.')
  .version(version)
  .configureOutput({ writeOut: (text) => process.stdout.write(asTyped(text)) })
  .showHelpAfterError('Add --help to see the usage.')
  .addHelpText('after', examples)
  // Otherwise an option that a command shares with its subcommand would always go to the command.
  .enablePositionalOptions()
  .exitOverride();

try {
  await addCommands(program, process.argv[2]);
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
