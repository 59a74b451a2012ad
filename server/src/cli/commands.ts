import type { Command } from 'commander';
import { addCellOption, takeCellOption } from './cells/option.ts';
import { takeBeginning } from './new-installation.ts';

/** Commands that work on the database of one cell; the others work on the home's, or on all. */
const inCells = new Set([
  'doctor',
  'merchants',
  'keys',
  'settlements',
  'review',
  'ledger',
  'operators',
  'reconcile',
  'audit',
  'privacy',
  'admin',
]);

type Add = (program: Command) => void;
/** Loaders of command modules, by the first word of a command. Commands of one module share a loader. */
type Loaders = Record<string, () => Promise<Add>>;

const loadBackup = async () => (await import('./backup.ts')).addBackupCommands;

const forTheOperator: Loaders = {
  start: async () => (await import('./start.ts')).addStartCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).addDoctorCommand,
  cells: async () => (await import('./cells/cells.ts')).addCellCommands,
  merchants: async () => (await import('./merchants.ts')).addMerchantCommands,
  keys: async () => (await import('./keys.ts')).addKeyCommands,
  'admin-keys': async () => (await import('./admin-keys.ts')).addAdminKeyCommands,
  people: async () => (await import('./people.ts')).addPeopleCommands,
  mail: async () => (await import('./mail.ts')).addMailCommands,
  settlements: async () => (await import('./settlements.ts')).addSettlementCommands,
  review: async () => (await import('./review.ts')).addReviewCommands,
  ledger: async () => (await import('./ledger.ts')).addLedgerCommands,
  operators: async () => (await import('./operators.ts')).addOperatorCommands,
  reconcile: async () => (await import('./reconcile.ts')).addReconcileCommand,
  audit: async () => (await import('./audit.ts')).addAuditCommands,
  backup: loadBackup,
  restore: loadBackup,
  secrets: async () => (await import('./secrets.ts')).addSecretCommands,
  phones: async () => (await import('./phones.ts')).addPhoneCommands,
  privacy: async () => (await import('./privacy.ts')).addPrivacyCommands,
  'operator-simulator': async () =>
    (await import('./operator-simulator.ts')).addOperatorSimulatorCommand,
  migrate: async () => (await import('./migrate.ts')).addMigrateCommand,
  admin: async () => (await import('./api/operations.ts')).addAdminCommands,
};

const forAMerchant: Loaders = {
  listen: async () => (await import('./api/listen.ts')).addListenCommand,
  trigger: async () => (await import('./api/trigger.ts')).addTriggerCommand,
  payments: async () => (await import('./payments.ts')).addPaymentCommands,
};

type Group = readonly [title: string, loaders: Loaders];

/** The commands of the OpenAPI document too, unless the first word is of another. */
async function allGroups(first: string | undefined): Promise<Group[]> {
  const byHand = first !== undefined && [forTheOperator, forAMerchant].some((own) => first in own);
  const loaded = byHand ? {} : await loadResources();
  return [
    [
      'For the gateway’s operator, in its database (DATABASE_URL or DATA_DIR), running or not:',
      forTheOperator,
    ],
    [
      'For a merchant, over the API (ZIMBO_URL and ZIMBO_API_KEY, or DATA_DIR/demo.env):',
      { ...loaded, ...forAMerchant },
    ],
  ];
}

async function loadResources(): Promise<Loaders> {
  const { addResource, merchantResources } = await import('./api/operations.ts');
  const own = merchantResources().filter((name) => !(name in forTheOperator));
  return Object.fromEntries(own.map((name) => [name, async () => addResource(name)]));
}

/**
 * Adds only the command that the command line names, or all commands if it names none: loading all would take most of
 * the time of a short command.
 */
export async function addCommands(program: Command, first: string | undefined): Promise<void> {
  const groups = await allGroups(first);
  const isKnown = (loaders: Loaders) => first !== undefined && Object.hasOwn(loaders, first);
  const known = groups.find(([, loaders]) => isKnown(loaders));
  if (known) {
    (await known[1][first!]!())(program);
  } else {
    for (const [title, loaders] of groups) {
      program.commandsGroup(title);
      const loaded = await Promise.all(Object.values(loaders).map((load) => load()));
      for (const add of new Set(loaded)) add(program);
    }
  }
  takeCellOption(program);
  takeBeginning(program);
  for (const command of program.commands) if (inCells.has(command.name())) addCellOption(command);
}
