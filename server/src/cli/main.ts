import { Command } from 'commander';
import { addBackupCommands } from './backup.ts';
import { addDoctorCommand } from './doctor/doctor.ts';
import { reportFailure } from './failure.ts';
import { addKeyCommands } from './keys.ts';
import { addLedgerCommands } from './ledger.ts';
import { addMerchantCommands } from './merchants.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOperatorSimulatorCommand } from './operator-simulator.ts';
import { addOperatorCommands } from './operators.ts';
import { addPaymentCommands } from './payments.ts';
import { addReconcileCommand } from './reconcile.ts';
import { addSecretCommands } from './secrets.ts';
import { addSettlementCommands } from './settlements.ts';
import { addStartCommand } from './start.ts';
import { version } from './version.ts';

const examples = `
Examples:
  $ zimbo start
  $ zimbo merchants create --name "Loja da Praia"
  $ zimbo keys create --merchant me_… --mode test
  $ zimbo ledger check
  $ zimbo doctor

Commands use the gateway's database, whether it runs or not: that of DATABASE_URL, or the embedded one
in DATA_DIR. With --json they print JSON and nothing else.`;

// A reader such as "head" that has seen enough is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const program = new Command('zimbo')
  .description('Zimbo, a mobile-money payment gateway.')
  .version(version)
  .showHelpAfterError('Add --help to see how it is used.')
  .addHelpText('after', examples)
  // Else an option that a command and its subcommand both have would always be the command's.
  .enablePositionalOptions()
  .exitOverride();
addStartCommand(program);
addMigrateCommand(program);
addMerchantCommands(program);
addKeyCommands(program);
addLedgerCommands(program);
addOperatorCommands(program);
addPaymentCommands(program);
addReconcileCommand(program);
addSettlementCommands(program);
addBackupCommands(program);
addSecretCommands(program);
addDoctorCommand(program);
addOperatorSimulatorCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
