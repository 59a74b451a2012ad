import { type Command, Option } from 'commander';
import { reasonOf } from '../platform/errors/errors.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { type Currency, currencies } from '../platform/values/money.ts';
import { homeName } from '../tenants/cells/cell.ts';
import type { AccountDetails } from '../tenants/merchants/bank-account.ts';
import { atGateway, listAtGateway, type Staff } from './admin/connection.ts';
import { addBrandCommand } from './brand.ts';
import { addDisbursementTermsCommand } from './disbursement-terms.ts';
import { formatInstant, type Output, printFields, printJson, printTable } from './output.ts';
import { addScheduleCommand } from './payout-schedule.ts';
import { addTopUpCommand } from './top-up.ts';

interface Merchant {
  id: string;
  name: string;
  createdAt: string;
  /** Of several. */
  cell?: string;
}

interface NewMerchant {
  name: string;
  bankAccount?: string;
  currency: Currency;
  holder?: string;
}

const createHelp = `
Examples:
  $ zimbo merchants create --name "Loja da Praia"
  $ zimbo merchants create --name "Loja da Praia" --bank-account CV64000500000020108215144`;

export function addMerchantCommands(program: Command): void {
  const merchants = program.command('merchants').description('create and list merchants');
  merchants
    .command('create')
    .description('create a merchant, with a live and a test mode')
    .requiredOption('--name <name>', 'its name')
    .option('--bank-account <number>', 'the IBAN or NIB for payouts')
    .addOption(
      new Option('--currency <currency>', 'of this account').choices(currencies).default('CVE'),
    )
    .option('--holder <name>', 'of this account (default: the name of the merchant)')
    .option('--json', 'print {"id": …}')
    .addHelpText('after', createHelp)
    .action(createMerchant);
  addBrandCommand(merchants);
  addScheduleCommand(merchants);
  addDisbursementTermsCommand(merchants);
  addTopUpCommand(merchants);
  merchants
    .command('list')
    .description('all merchants')
    .option('--json', 'print an array')
    .action(listMerchants);
}

async function createMerchant({ json, ...given }: Output & NewMerchant): Promise<void> {
  const [{ merchantName }, account] = await Promise.all([
    import('../tenants/merchants/create-merchant.ts'),
    accountOf(given),
  ]);
  merchantName(given.name);
  await atGateway(async (staff) => {
    const made = await staff.send<Merchant>('createMerchant', { body: { name: given.name } });
    // Printed before anything else can fail: without the id, a person would create a second merchant.
    printMade(made, json);
    if (account) await enterAccount(staff, made.id, account);
  });
}

function printMade({ id, name }: Merchant, json: boolean | undefined): void {
  if (json) {
    printJson({ id, name });
    return;
  }
  printFields({ Merchant: name, Id: id });
  console.log(`\nCreate a key for it:  zimbo keys create --merchant ${id} --mode test`);
}

/** Checked before anything is created: a mistyped number must leave no merchant behind, and no tables. */
async function accountOf({ name, bankAccount, currency, holder }: NewMerchant) {
  if (bankAccount === undefined) return undefined;
  const { checkAccount } = await import('../tenants/merchants/bank-account.ts');
  return checkAccount({ currency, accountNumber: bankAccount, holder: holder ?? name, bic: null });
}

/**
 * @throws StartError the account was not entered, for example because that needs a second person; names the merchant
 */
async function enterAccount(
  staff: Staff,
  id: string,
  { currency, accountNumber, holder }: AccountDetails,
): Promise<void> {
  try {
    const body = { currency, accountNumber, holder };
    await staff.send('changeBankAccount', { path: { id }, body });
  } catch (error) {
    throw new StartError(
      `The merchant ${id} was created, but its bank account could not be entered: ${reasonOf(error as Error)}`,
      'Do not create the merchant again: enter the account on the merchant’s page in the console.',
      { cause: error },
    );
  }
}

async function listMerchants({ json }: Output): Promise<void> {
  const merchants = await listAtGateway<Merchant>(async ({ all }, cell) => {
    const found = await all<Merchant>('listMerchants');
    return found
      .reverse()
      .map((merchant) => ({ ...merchant, ...(cell !== undefined && { cell }) }));
  });
  const cellsOfSeveral = merchants.some(({ cell = homeName }) => cell !== homeName);
  if (json) {
    printJson(
      merchants.map(({ id, name, cell, createdAt }) => ({
        id,
        name,
        ...(cellsOfSeveral && { cell }),
        createdAt,
      })),
    );
  } else if (merchants.length === 0) {
    console.log('There are no merchants. Create one:  zimbo merchants create --name NAME');
  } else {
    printTable(
      ['ID', 'NAME', ...(cellsOfSeveral ? ['CELL'] : []), 'CREATED (UTC)'],
      merchants.map(({ id, name, createdAt, cell = '' }) => [
        id,
        name,
        ...(cellsOfSeveral ? [cell] : []),
        formatInstant(Date.parse(createdAt)),
      ]),
    );
  }
}
