import { Command } from 'commander';
import { version } from '../version.ts';
import { addAdminKeyCommands } from './admin-keys.ts';
import { addBalanceCommand } from './api/balance.ts';
import { addCheckoutCommands } from './api/checkout.ts';
import { addEventCommands } from './api/events.ts';
import { addListenCommand } from './api/listen.ts';
import { addProductCommands } from './api/products.ts';
import { addRefundCommands } from './api/refunds.ts';
import { addTriggerCommand } from './api/trigger.ts';
import { addWebhookCommands } from './api/webhooks.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup.ts';
import { addDoctorCommand } from './doctor/doctor.ts';
import { reportFailure } from './failure.ts';
import { addKeyCommands } from './keys.ts';
import { addLedgerCommands } from './ledger.ts';
import { addMailCommands } from './mail.ts';
import { addMerchantCommands } from './merchants.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOperatorSimulatorCommand } from './operator-simulator.ts';
import { addOperatorCommands } from './operators.ts';
import { addPaymentCommands } from './payments.ts';
import { addPeopleCommands } from './people.ts';
import { addPhoneCommands } from './phones.ts';
import { addPrivacyCommands } from './privacy.ts';
import { addReconcileCommand } from './reconcile.ts';
import { addReviewCommands } from './review.ts';
import { addSecretCommands } from './secrets.ts';
import { addSettlementCommands } from './settlements.ts';
import { addStartCommand } from './start.ts';

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

With ZIMBO_ADMIN_KEY and ZIMBO_ADMIN_URL (or ZIMBO_URL), merchants, keys, settlements and review go to a running
gateway over /admin/v1, and need no database.`;

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

program.commandsGroup(
  'For the gateway’s operator, in its database (DATABASE_URL or DATA_DIR), running or not:',
);
addStartCommand(program);
addDoctorCommand(program);
addMerchantCommands(program);
addKeyCommands(program);
addAdminKeyCommands(program);
addPeopleCommands(program);
addMailCommands(program);
addSettlementCommands(program);
addReviewCommands(program);
addLedgerCommands(program);
addOperatorCommands(program);
addReconcileCommand(program);
addAuditCommands(program);
addBackupCommands(program);
addSecretCommands(program);
addPhoneCommands(program);
addPrivacyCommands(program);
addOperatorSimulatorCommand(program);
addMigrateCommand(program);

program.commandsGroup(
  'For a merchant, over the API (ZIMBO_URL and ZIMBO_API_KEY, or DATA_DIR/demo.env):',
);
addListenCommand(program);
addTriggerCommand(program);
addPaymentCommands(program);
addRefundCommands(program);
addCheckoutCommands(program);
addProductCommands(program);
addBalanceCommand(program);
addWebhookCommands(program);
addEventCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
