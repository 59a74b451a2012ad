import type { Command } from 'commander';
import { formatId } from '../ids.ts';
import type { InFlight, LedgerProblem } from '../ledger/check.ts';
import type { SuspenseItem } from '../ledger/suspense.ts';
import {
  formatAge,
  formatAmount,
  formatMajor,
  type Output,
  printJson,
  printTable,
} from './output.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

/** The owner of a ledger: people know merchants and modes, not tenants. */
interface Owner {
  merchantId: string | null;
  mode: string | null;
}

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
    .action(checkLedger);
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
    .description('count what the totals lack, once no older version runs beside this one any more')
    .action(recountTotals);
  ledger
    .command('export <file>')
    .description('all postings up to one instant, as CSV; "-" for stdout')
    .addHelpText('after', '\nExample:\n  $ zimbo ledger export - | gzip > postings.csv.gz')
    .action(async (file: string) => (await import('./export.ts')).exportLedger(file));
}

async function listBalances({ json }: Output): Promise<void> {
  const { listBalances: list } = await import('../ledger/balances.ts');
  const balances = await withWorkspace(({ database }) => list(database));
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

/** More would hide what they have in common. */
const maxShown = 100;

export async function checkLedger({ json }: Output): Promise<void> {
  const { inspectLedger } = await import('../ledger/check.ts');
  const { problems, inFlight } = await withWorkspace(async (workspace) => {
    const report = await inspectLedger(workspace.database);
    return {
      problems: await withOwners(workspace, report.problems),
      inFlight: await withOwners(workspace, report.inFlight),
    };
  });
  if (json)
    printJson({ clean: problems.length === 0, problems, inFlight: inFlight.map(flightView) });
  else printReport(problems, inFlight);
  if (problems.length > 0) process.exitCode = 1;
}

function printReport(problems: (LedgerProblem & Owner)[], inFlight: (InFlight & Owner)[]): void {
  for (const { operator, currency, amountMinor, count, ...owner } of inFlight) {
    const amount = formatAmount(amountMinor, currency);
    console.log(
      `In flight at ${operator} of ${nameOf(owner)}: ${amount} in ${count}; the operator will be queried.`,
    );
  }
  if (problems.length === 0) {
    console.log('The ledger is correct.');
    return;
  }
  console.log(
    `The ledger has ${problems.length} problem${problems.length === 1 ? '' : 's'} (amounts in minor units):\n`,
  );
  for (const { message, ...owner } of problems.slice(0, maxShown)) {
    console.log(`- ${nameOf(owner)}: ${message}`);
  }
  const left = problems.length - maxShown;
  if (left > 0) console.log(`\n… and ${left} more; use --json to see all.`);
}

async function recountTotals(): Promise<void> {
  const { recountTotals: recount } = await import('../totals/check.ts');
  const { recountHours } = await import('../ledger/payable-hours.ts');
  const changed = await withWorkspace(
    async ({ database }) => (await recount(database)) + (await recountHours(database)),
  );
  console.log(changed === 0 ? 'The totals lack nothing.' : `${changed} totals are put right.`);
}

async function listSuspense({ json }: Output): Promise<void> {
  const { suspense } = await import('../ledger/suspense.ts');
  const { items, nowMs } = await withWorkspace(async (workspace) => ({
    items: await withOwners(workspace, await suspense(workspace.database)),
    nowMs: workspace.clock.nowMs(),
  }));
  if (json) printJson(items.map(suspenseView));
  else if (items.length === 0) console.log('Nothing is in suspense.');
  else {
    printTable(
      ['PAYMENT', 'REASON', 'AMOUNT', 'AGE', 'REVERSAL', 'OPERATOR', 'TRANSACTION', 'OF'],
      items.map((item) => [
        formatId('pi', item.paymentId),
        item.reason,
        formatAmount(item.amountMinor, item.currency),
        formatAge(nowMs - item.createdAtMs),
        item.failureCode === null ? (item.status ?? '-') : `${item.status} (${item.failureCode})`,
        item.operator,
        item.operatorTxId,
        nameOf(item),
      ]),
    );
  }
}

const flightView = (item: InFlight & Owner) => ({
  ...item,
  amountMinor: item.amountMinor.toString(),
});

const suspenseView = (given: SuspenseItem & Owner) => {
  const { id: _, byHand: __, paymentId, amountMinor, createdAtMs, ...item } = given;
  return {
    paymentId: formatId('pi', paymentId),
    ...item,
    amountMinor: amountMinor.toString(),
    createdAt: new Date(createdAtMs).toISOString(),
  };
};

const nameOf = ({ merchantId, mode }: Owner) =>
  `${merchantId ?? 'an unknown merchant'} (${mode ?? '?'})`;

async function withOwners<T extends { tenantId: string }>(
  { database }: Workspace,
  items: readonly T[],
): Promise<(T & Owner)[]> {
  const { findTenants } = await import('../merchants/store.ts');
  const tenants = await findTenants(database, [...new Set(items.map(({ tenantId }) => tenantId))]);
  const owners = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  return items.map((item) => {
    const owner = owners.get(item.tenantId);
    const merchantId = owner ? formatId('me', owner.merchantId) : null;
    return { ...item, merchantId, mode: owner?.mode ?? null };
  });
}
