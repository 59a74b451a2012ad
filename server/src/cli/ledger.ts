import type { Command } from 'commander';
import { listAtGateway } from './admin/connection.ts';
import { columnsOf, printItems } from './api/print-items.ts';
import { inEachCell, resultsOf } from './cells/each.ts';
import { formatMajor, type Output, printJson } from './output.ts';

const exportHelp = `
With several cells, it writes one after the other, each up to its own instant, with "cell" as the first column. It exits with 1 if a cell does not answer.

Example:
  $ zimbo ledger export - | gzip > postings.csv.gz`;

export function addLedgerCommands(program: Command): void {
  const ledger = program.command('ledger').description('check the ledger');
  ledger
    .command('check')
    .description('compare balances, postings, payments, totals and the simulated operators')
    .option('--json', 'print {"clean": …, "problems": […], "inFlight": […]}')
    .addHelpText(
      'after',
      '\nExits with 0 if the ledger is correct, otherwise with 1. The gateway may be running.',
    )
    .action(async (options: Output) => (await import('./ledger-check.ts')).checkLedger(options));
  ledger
    .command('suspense')
    .description(
      'wrong debits that have not been returned to customers yet, and refunds and disbursements that went out late',
    )
    .option('--json', 'print an array')
    .action(listSuspense);
  ledger
    .command('balances')
    .description('the balance of each account, by merchant and mode')
    .option('--json', 'print an array')
    .action(listBalances);
  ledger
    .command('recount')
    .description('add the postings missing in the totals, once no older version is running')
    .action(recountTotals);
  ledger
    .command('export <file>')
    .description('all postings up to one instant, as CSV; "-" for stdout')
    .addHelpText('after', exportHelp)
    .action(async (file: string) => (await import('./ledger-export.ts')).exportLedger(file));
}

interface Account {
  id: string;
  balance: string;
}

async function listBalances({ json }: Output): Promise<void> {
  const accounts = await listAtGateway<Account>(({ all }) => all('listLedgerAccounts'));
  const inMajor = (minor: string) => formatMajor(BigInt(minor));
  if (json) printJson(accounts.map((each) => ({ ...each, balance: inMajor(each.balance) })));
  else printList(accounts, balanceColumns, 'Nothing has been booked yet.');
}

async function recountTotals(): Promise<void> {
  const { recountTotals: recount } = await import('../money/totals/check.ts');
  const { recountHours } = await import('../money/ledger/payable-hours.ts');
  const cells = await inEachCell(
    async ({ database }) => (await recount(database)) + (await recountHours(database)),
  );
  const changed = resultsOf(cells).reduce((sum, { result }) => sum + result, 0);
  console.log(changed === 0 ? 'The totals are complete.' : `${changed} totals were corrected.`);
}

async function listSuspense({ json }: Output): Promise<void> {
  const items = await listAtGateway(({ all }) => all('listSuspense'));
  if (json) printJson(items);
  else printList(items, suspenseColumns, 'Nothing is in suspense.');
}

const balanceColumns = 'merchantId:MERCHANT merchantName:NAME mode account balance';
const suspenseColumns =
  'paymentId:PAYMENT id:ITEM reason amount createdAt status:REVERSAL failureCode:FAILURE operator operatorTxId:TRANSACTION merchantId:MERCHANT mode';

function printList(items: readonly object[], columns: string, nothing: string): void {
  if (items.length === 0) console.log(nothing);
  else printItems(items, columnsOf({}, columns));
}
