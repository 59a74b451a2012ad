import type { Command } from 'commander';
import type { SuspenseItem } from '../money/ledger/suspense.ts';
import { formatId } from '../platform/values/ids.ts';
import { inEachCell, resultsOf } from './cells/each.ts';
import { nameOf, type Owner, withOwners } from './ledger-owners.ts';
import {
  formatAge,
  formatAmount,
  formatMajor,
  type Output,
  printJson,
  printTable,
} from './output.ts';

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
      'wrong debits that have not been returned to customers yet, and refunds that went out late',
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

async function listBalances({ json }: Output): Promise<void> {
  const { listBalances: list } = await import('../money/ledger/balances.ts');
  const cells = await inEachCell(({ database }) => list(database));
  const balances = resultsOf(cells).flatMap(({ result }) => result);
  if (json) {
    printJson(
      balances.map(({ merchantId, balanceMinor, ...balance }) => ({
        merchantId: formatId('me', merchantId),
        ...balance,
        balance: formatMajor(balanceMinor),
      })),
    );
  } else if (balances.length === 0) console.log('Nothing has been booked yet.');
  else {
    printTable(
      ['MERCHANT', 'NAME', 'MODE', 'ACCOUNT', 'BALANCE'],
      balances.map(({ merchantId, merchantName, mode, account, currency, balanceMinor }) => [
        formatId('me', merchantId),
        merchantName,
        mode,
        account,
        formatAmount(balanceMinor, currency),
      ]),
    );
  }
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
  const { suspense } = await import('../money/ledger/suspense.ts');
  const cells = await inEachCell(async (workspace) => {
    const found = await withOwners(workspace, await suspense(workspace.database));
    return found.map((item) => ({ item, ageMs: workspace.clock.nowMs() - item.createdAtMs }));
  });
  const items = resultsOf(cells).flatMap(({ result }) => result);
  if (json) printJson(items.map(({ item }) => suspenseView(item)));
  else if (items.length === 0) console.log('Nothing is in suspense.');
  else {
    printTable(
      ['PAYMENT', 'REASON', 'AMOUNT', 'AGE', 'REVERSAL', 'OPERATOR', 'TRANSACTION', 'OF'],
      items.map(({ item, ageMs }) => [
        formatId('pi', item.paymentId),
        item.reason,
        formatAmount(item.amountMinor, item.currency),
        formatAge(ageMs),
        item.failureCode === null ? (item.status ?? '-') : `${item.status} (${item.failureCode})`,
        item.operator,
        item.operatorTxId,
        nameOf(item),
      ]),
    );
  }
}

const suspenseView = (given: SuspenseItem & Owner) => {
  const { id: _, byHand: __, paymentId, amountMinor, createdAtMs, ...item } = given;
  return {
    paymentId: formatId('pi', paymentId),
    ...item,
    amountMinor: amountMinor.toString(),
    createdAt: new Date(createdAtMs).toISOString(),
  };
};
